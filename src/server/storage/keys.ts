// Stores API keys by the SHA-256 of their text. The text itself is not stored and cannot be recovered.

import type { KeyKind } from '#base/ids.ts';
import type { SuspendedBy } from './accounts.ts';
import type { Database } from './database.ts';
import { type ListPage, mapPage, newestPageOf, type PageRequest } from './page.ts';
import { Statement } from './statement.ts';

export interface Key {
  readonly id: string;
  readonly accountId: string;
  readonly kind: KeyKind;
  /** SHA-256 of the key, lower-case hex. */
  readonly hash: string;
  /** The last four characters, so that its owner can tell it from others. */
  readonly lastCharacters: string;
  readonly createdAt: Date;
  /** Given by its owner. */
  readonly name: string | null;
  /** The id of a person; null for the command line. */
  readonly createdBy: string | null;
  /** JSON: what it may do; null or absent = everything. */
  readonly scope?: string | null;
  /** Null or absent = never. */
  readonly expiresAt?: Date | null;
}

/** The parts of a key that its owner sees. */
export interface ListedKey extends Omit<Key, 'hash'> {
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A key that is not revoked, with what a request needs to know of it and its account. */
export interface KeyHolder {
  readonly keyId: string;
  readonly kind: KeyKind;
  readonly accountId: string;
  readonly plan: string;
  readonly lastUsedAt: Date | null;
  /** As of `Key`. */
  readonly scope: string | null;
  readonly expiresAt: Date | null;
  /** Who suspended the account; null = nobody. */
  readonly suspendedBy: SuspendedBy | null;
}

interface Row {
  id: string;
  account_id: string;
  kind: KeyKind;
  hash: string;
  last_characters: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
  name: string | null;
  created_by: string | null;
  scope: string | null;
  expires_at: number | null;
}

type HolderRow = Pick<Row, 'id' | 'kind' | 'account_id' | 'last_used_at' | 'scope' | 'expires_at'> & {
  plan: string;
  suspended_by: SuspendedBy | null;
};

type HeldRow = Pick<Row, 'id' | 'account_id' | 'name' | 'last_characters' | 'expires_at'>;

const HELD = new Statement<{ hash: string }, HeldRow>((db, { hash }) =>
  db('keys')
    .where({ hash })
    .whereNull('revoked_at')
    .forShare()
    .first('id', 'account_id', 'name', 'last_characters', 'expires_at'),
);

const HOLDER = new Statement<{ hash: string }, HolderRow>((db, { hash }) =>
  db('keys')
    .join('accounts', 'accounts.id', 'keys.account_id')
    .where('keys.hash', hash)
    .whereNull('keys.revoked_at')
    .first('keys.id', 'keys.kind', 'keys.account_id', 'keys.last_used_at', 'keys.scope', 'keys.expires_at')
    .select('accounts.plan', 'accounts.suspended_by'),
);

export class KeyStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert(key: Key): Promise<void> {
    await this.#db<Row>('keys').insert({
      id: key.id,
      account_id: key.accountId,
      kind: key.kind,
      hash: key.hash,
      last_characters: key.lastCharacters,
      created_at: key.createdAt.getTime(),
      last_used_at: null,
      revoked_at: null,
      name: key.name,
      created_by: key.createdBy,
      scope: key.scope ?? null,
      expires_at: key.expiresAt?.getTime() ?? null,
    });
  }

  /** The holder of a key, also of one that has expired; null when it is unknown or revoked. One query, so a revocation takes effect at once. */
  async holder(hash: string): Promise<KeyHolder | null> {
    const row = await HOLDER.first(this.#db, { hash });
    if (!row) return null;
    return {
      keyId: row.id,
      kind: row.kind,
      accountId: row.account_id,
      plan: row.plan,
      lastUsedAt: date(row.last_used_at),
      scope: row.scope,
      expiresAt: date(row.expires_at),
      suspendedBy: row.suspended_by,
    };
  }

  /** Null when it is unknown or revoked. In a transaction, nobody can revoke it until that ends. */
  async hold(
    hash: string,
  ): Promise<Pick<ListedKey, 'id' | 'accountId' | 'name' | 'lastCharacters' | 'expiresAt'> | null> {
    const row = await HELD.first(this.#db, { hash });
    if (!row) return null;
    const { id, account_id: accountId, name, last_characters: lastCharacters } = row;
    return { id, accountId, name, lastCharacters, expiresAt: date(row.expires_at) };
  }

  /** Oldest first, revoked ones too. */
  async list(accountId: string, limit: number): Promise<ListedKey[]> {
    const rows = await this.#db<Row>('keys')
      .where({ account_id: accountId })
      .orderBy(['created_at', 'id'])
      .limit(limit);
    return rows.map(listed);
  }

  /** One page, newest first, revoked ones too. */
  async page(accountId: string, page: PageRequest): Promise<ListPage<ListedKey>> {
    return mapPage(await newestPageOf<Row>(this.#db('keys').where({ account_id: accountId }), page), listed);
  }

  /** Null also for another account's key. */
  async find(accountId: string, id: string): Promise<ListedKey | null> {
    const row = await this.#db<Row>('keys').where({ id, account_id: accountId }).first();
    return row ? listed(row) : null;
  }

  async touch(id: string, now: Date): Promise<void> {
    await this.#db<Row>('keys').where({ id }).update({ last_used_at: now.getTime() });
  }

  /** Of any account: for the command line, and for whoever has found it in their own. */
  async findAny(id: string): Promise<ListedKey | null> {
    const row = await this.#db<Row>('keys').where({ id }).first();
    return row ? listed(row) : null;
  }

  /** False when there is no such key, or it was revoked before. */
  async revoke(id: string, now: Date): Promise<boolean> {
    const open = this.#db<Row>('keys').where({ id }).whereNull('revoked_at');
    return (await open.update({ revoked_at: now.getTime() })) > 0;
  }
}

const date = (at: number | null) => (at === null ? null : new Date(at));

const listed = (row: Row): ListedKey => ({
  id: row.id,
  accountId: row.account_id,
  kind: row.kind,
  lastCharacters: row.last_characters,
  createdAt: new Date(row.created_at),
  name: row.name,
  createdBy: row.created_by,
  scope: row.scope,
  expiresAt: date(row.expires_at),
  lastUsedAt: date(row.last_used_at),
  revokedAt: date(row.revoked_at),
});
