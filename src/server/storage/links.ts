// Stores one-time links: to claim the server, to join an account, or to choose a new password.
//
// Only the SHA-256 of their token is stored. A used link stays until it would have expired.

import type { Database } from './database.ts';
import type { MemberRole } from './people.ts';

export type LinkKind = 'setup' | 'invitation' | 'reset';

export interface Link {
  readonly id: string;
  readonly kind: LinkKind;
  /** The account it admits to; null for a reset. */
  readonly accountId: string | null;
  readonly role: MemberRole | null;
  /** The recipient's e-mail address, where it is known. */
  readonly email: string | null;
  /** The person whose password a reset changes. */
  readonly personId: string | null;
  /** The id of a person; null = the server, or the command line. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

interface Row {
  id: string;
  kind: LinkKind;
  hash: string;
  account_id: string | null;
  role: MemberRole | null;
  email: string | null;
  person_id: string | null;
  created_by: string | null;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

const fromRow = (row: Row): Link => ({
  id: row.id,
  kind: row.kind,
  accountId: row.account_id,
  role: row.role,
  email: row.email,
  personId: row.person_id,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  expiresAt: new Date(row.expires_at),
});

export class LinkStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param hash SHA-256 of the token, lower-case hex */
  async insert(link: Link, hash: string): Promise<void> {
    await this.#db<Row>('links').insert({
      id: link.id,
      kind: link.kind,
      hash,
      account_id: link.accountId,
      role: link.role,
      email: link.email,
      person_id: link.personId,
      created_by: link.createdBy,
      created_at: link.createdAt.getTime(),
      expires_at: link.expiresAt.getTime(),
    });
  }

  /** Null when it does not exist, was used or has expired. */
  async find(hash: string, now: Date): Promise<Link | null> {
    const row = await this.#open(now).where({ hash }).first();
    return row ? fromRow(row) : null;
  }

  /** Marks a link as used; false when it was used already or has expired. */
  async use(id: string, now: Date): Promise<boolean> {
    return (await this.#open(now).where({ id }).update({ used_at: now.getTime() })) > 0;
  }

  /** An account's open invitations, newest first. */
  async invitations(accountId: string, now: Date): Promise<Link[]> {
    const rows = await this.#open(now)
      .where({ account_id: accountId, kind: 'invitation' })
      .orderBy('created_at', 'desc')
      .limit(200);
    return rows.map(fromRow);
  }

  /** Open invitations for this address, of all accounts. */
  async invitationsOf(email: string, now: Date): Promise<Link[]> {
    const rows = await this.#open(now).where({ email, kind: 'invitation' }).orderBy('created_at').limit(200);
    return rows.map(fromRow);
  }

  /** Deletes an open invitation and returns it; null when the account has no such. */
  async withdraw(accountId: string, id: string): Promise<Link | null> {
    const where = { id, account_id: accountId, kind: 'invitation' } as const;
    const row = await this.#db<Row>('links').where(where).whereNull('used_at').first();
    const open = this.#db<Row>('links').where(where).whereNull('used_at');
    return row && (await open.delete()) > 0 ? fromRow(row) : null;
  }

  /** The person's open invitations to an account. */
  async deleteInvitationsBy(accountId: string, personId: string): Promise<void> {
    const where = { account_id: accountId, created_by: personId, kind: 'invitation' } as const;
    await this.#db<Row>('links').where(where).whereNull('used_at').delete();
  }

  /** All set-up links. */
  async deleteSetups(): Promise<void> {
    await this.#db<Row>('links').where({ kind: 'setup' }).delete();
  }

  /** All links that change this person's password. */
  async deleteResets(personId: string): Promise<void> {
    await this.#db<Row>('links').where({ kind: 'reset', person_id: personId }).delete();
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.#db<Row>('links').where('expires_at', '<=', now.getTime()).delete();
  }

  #open(now: Date) {
    return this.#db<Row>('links').whereNull('used_at').where('expires_at', '>', now.getTime());
  }
}
