// Stores passkeys (WebAuthn credentials): people's public keys, by the credential id of their authenticator.

import type { Database } from './database.ts';

export interface Passkey {
  readonly id: string;
  readonly personId: string;
  readonly name: string;
  /** Base64url, as the authenticator gave it. */
  readonly credentialId: string;
  /** A COSE key, base64url. */
  readonly publicKey: string;
  /** The authenticator's signature counter; 0 where it does not count. */
  readonly counter: number;
  /** The host it was created for: browsers offer it only there. */
  readonly host: string;
  /** `usb`, `internal` and so on. */
  readonly transports: readonly string[];
  readonly createdAt: Date;
  /** Null = never. */
  readonly lastUsedAt: Date | null;
}

interface Row {
  id: string;
  person_id: string;
  name: string;
  credential_id: string;
  public_key: string;
  counter: number;
  host: string;
  transports: string;
  created_at: number;
  last_used_at: number | null;
}

const fromRow = (row: Row): Passkey => ({
  id: row.id,
  personId: row.person_id,
  name: row.name,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: Number(row.counter),
  host: row.host,
  transports: JSON.parse(row.transports),
  createdAt: new Date(row.created_at),
  lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
});

export class PasskeyStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** False, changing nothing, when the credential is registered already. */
  async insert(passkey: Passkey): Promise<boolean> {
    await this.#db<Row>('passkeys')
      .insert({
        id: passkey.id,
        person_id: passkey.personId,
        name: passkey.name,
        credential_id: passkey.credentialId,
        public_key: passkey.publicKey,
        counter: passkey.counter,
        host: passkey.host,
        transports: JSON.stringify(passkey.transports),
        created_at: passkey.createdAt.getTime(),
        last_used_at: null,
      })
      .onConflict('credential_id')
      .ignore();
    return (await this.#db<Row>('passkeys').where({ id: passkey.id }).first('id')) !== undefined;
  }

  async findByCredential(credentialId: string): Promise<Passkey | null> {
    const row = await this.#db<Row>('passkeys').where({ credential_id: credentialId }).first();
    return row ? fromRow(row) : null;
  }

  /** Oldest first. */
  async list(personId: string): Promise<Passkey[]> {
    return (await this.#db<Row>('passkeys').where({ person_id: personId }).orderBy(['created_at', 'id'])).map(fromRow);
  }

  /**
   * Records a use. False, changing nothing, when the passkey was deleted or its counter has changed since it was read:
   * two answers with one counter value mean that it was cloned.
   */
  async use({ id, counter }: Pick<Passkey, 'id' | 'counter'>, next: number, now: Date): Promise<boolean> {
    const change = { counter: next, last_used_at: now.getTime() };
    return (await this.#db<Row>('passkeys').where({ id, counter }).update(change)) > 0;
  }

  /** False when the person has no such passkey. */
  async rename(personId: string, id: string, name: string): Promise<boolean> {
    return (await this.#db<Row>('passkeys').where({ id, person_id: personId }).update({ name })) > 0;
  }

  async deleteAll(personId: string): Promise<void> {
    await this.#db<Row>('passkeys').where({ person_id: personId }).delete();
  }

  /** False when the person has no such passkey. */
  async delete(personId: string, id: string): Promise<boolean> {
    return (await this.#db<Row>('passkeys').where({ id, person_id: personId }).delete()) > 0;
  }
}
