// Stores sessions of signed-in people, by the SHA-256 of their cookie. The cookie itself is not stored.

import type { Database } from './database.ts';
import { Statement } from './statement.ts';

export interface Session {
  readonly id: string;
  readonly personId: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  /** When the person last typed the password, or confirmed another way, in this session. */
  readonly confirmedAt: Date;
  /** The IP address that it was begun from. */
  readonly address: string;
  /** The User-Agent that it was begun with. */
  readonly agent: string;
}

/** A session with its person. */
export interface SessionHolder extends Session {
  readonly name: string;
  readonly email: string;
}

interface Row {
  id: string;
  person_id: string;
  hash: string;
  created_at: number;
  last_used_at: number;
  expires_at: number;
  confirmed_at: number;
  address: string;
  agent: string;
}

const fromRow = (row: Row): Session => ({
  id: row.id,
  personId: row.person_id,
  createdAt: new Date(row.created_at),
  lastUsedAt: new Date(row.last_used_at),
  expiresAt: new Date(row.expires_at),
  confirmedAt: new Date(row.confirmed_at),
  address: row.address,
  agent: row.agent,
});

const HOLDER = new Statement<{ hash: string; now: number }, Row & { name: string; email: string }>(
  (db, { hash, now }) =>
    db('sessions')
      .join('people', 'people.id', 'sessions.person_id')
      .where('sessions.hash', hash)
      .where('sessions.expires_at', '>', now)
      .first('sessions.*', 'people.name', 'people.email'),
);

export class SessionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param hash SHA-256 of the cookie's value, lower-case hex */
  async insert(session: Session, hash: string): Promise<void> {
    await this.#db<Row>('sessions').insert({
      id: session.id,
      person_id: session.personId,
      hash,
      created_at: session.createdAt.getTime(),
      last_used_at: session.lastUsedAt.getTime(),
      expires_at: session.expiresAt.getTime(),
      confirmed_at: session.confirmedAt.getTime(),
      address: session.address,
      agent: session.agent,
    });
  }

  /** Null when there is none, or it has ended. One query per request, so a revocation takes effect at once. */
  async holder(hash: string, now: Date): Promise<SessionHolder | null> {
    const row = await HOLDER.first(this.#db, { hash, now: now.getTime() });
    return row ? { ...fromRow(row), name: row.name, email: row.email } : null;
  }

  /** Null when it has ended. In a transaction, nobody can end it until that ends. */
  async hold(id: string, now: Date): Promise<Session | null> {
    const open = this.#db<Row>('sessions').where({ id }).where('expires_at', '>', now.getTime());
    const row = await open.forShare().first();
    return row ? fromRow(row) : null;
  }

  async touch(id: string, now: Date): Promise<void> {
    await this.#db<Row>('sessions').where({ id }).update({ last_used_at: now.getTime() });
  }

  /** False when the session has ended. */
  async confirm(id: string, now: Date): Promise<boolean> {
    return (await this.#db<Row>('sessions').where({ id }).update({ confirmed_at: now.getTime() })) > 0;
  }

  /** Last used first. */
  async list(personId: string, now: Date): Promise<Session[]> {
    const rows = await this.#db<Row>('sessions')
      .where({ person_id: personId })
      .where('expires_at', '>', now.getTime())
      .orderBy('last_used_at', 'desc')
      .limit(200);
    return rows.map(fromRow);
  }

  /** False when the person has no such session. */
  async end(personId: string, id: string): Promise<boolean> {
    return (await this.#db<Row>('sessions').where({ id, person_id: personId }).delete()) > 0;
  }

  /** Ends all sessions of a person except the given one. */
  async endAll(personId: string, except: string | null): Promise<void> {
    const all = this.#db<Row>('sessions').where({ person_id: personId });
    await (except === null ? all : all.whereNot({ id: except })).delete();
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.#db<Row>('sessions').where('expires_at', '<=', now.getTime()).delete();
  }
}
