// Stores uploaded fonts: their owners, and what was read from the files. The bytes are in a blob store, under the
// font's id.

import type { Database } from './database.ts';
import { Statement } from './statement.ts';

/** What font matching needs to know of a file without opening it. */
export interface FontFacts {
  /** The same for the same file. */
  readonly face: string;
  readonly family: string;
  readonly weight: number;
  /** OS/2 usWidthClass: 1 to 9. */
  readonly width: number;
  readonly style: 'normal' | 'italic';
  /** By tag; empty for a static font. */
  readonly axes: Readonly<Record<string, { readonly min: number; readonly initial: number; readonly max: number }>>;
  /** The code points, as serialised by the font library. */
  readonly coverage: string;
}

export interface Font extends FontFacts {
  readonly id: string;
  readonly accountId: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 in base64; null for uploads from before it was stored. */
  readonly digest: string | null;
  readonly createdAt: Date;
}

interface Row {
  id: string;
  account_id: string;
  face: string;
  size: number;
  digest: string | null;
  created_at: number;
  deleted_at: number | null;
}

const NEWEST_FIRST = 'created_at DESC, id DESC';

const IDS = new Statement<{ accountId: string }, Pick<Row, 'id'>>((db, { accountId }) =>
  db('fonts').where({ account_id: accountId }).whereNull('deleted_at').orderByRaw(NEWEST_FIRST).select('id'),
);

export class FontStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert({ id, accountId, size, digest, createdAt, ...facts }: Font): Promise<void> {
    const face = JSON.stringify(facts satisfies FontFacts);
    await this.#db<Row>('fonts').insert({
      id,
      account_id: accountId,
      face,
      size,
      digest,
      created_at: createdAt.getTime(),
    });
  }

  /** Ids only, newest first: enough to notice that a font was added or removed. */
  async ids(accountId: string): Promise<string[]> {
    const rows = await IDS.rows(this.#db, { accountId });
    return rows.map(({ id }) => id);
  }

  /** Newest first. */
  async list(accountId: string): Promise<Font[]> {
    const rows = await this.#db<Row>('fonts')
      .where({ account_id: accountId })
      .whereNull('deleted_at')
      .orderByRaw(NEWEST_FIRST);
    return rows.map(fromRow);
  }

  /** Null also when it belongs to another account. */
  async find(accountId: string, id: string): Promise<Font | null> {
    const row = await this.#present(accountId, id).first();
    return row ? fromRow(row) : null;
  }

  /** Those of the ids that are fonts, including those whose deletion can still be undone. */
  async owners(ids: readonly string[]): Promise<Set<string>> {
    return new Set(await this.#db<Row>('fonts').whereIn('id', ids).pluck('id'));
  }

  /** False when the account has no such font. */
  async delete(accountId: string, id: string): Promise<boolean> {
    return (await this.#present(accountId, id).delete()) > 0;
  }

  /** Hides a font from every list and look-up; false when the account has no such font. */
  async markDeleted(accountId: string, id: string, now: Date): Promise<boolean> {
    return (await this.#present(accountId, id).update({ deleted_at: now.getTime() })) > 0;
  }

  /** Restores a font that was hidden since then; false when there is none. */
  async undelete(accountId: string, id: string, since: Date): Promise<boolean> {
    const found = this.#db<Row>('fonts')
      .where({ id, account_id: accountId })
      .where('deleted_at', '>=', since.getTime());
    return (await found.update({ deleted_at: null })) > 0;
  }

  /** Deletes fonts that were hidden before then; returns their number. Their files are orphans from then on. */
  async deleteMarkedBefore(time: Date): Promise<number> {
    return this.#db<Row>('fonts').where('deleted_at', '<', time.getTime()).delete();
  }

  #present(accountId: string, id: string) {
    return this.#db<Row>('fonts').where({ id, account_id: accountId }).whereNull('deleted_at');
  }
}

const fromRow = (row: Row): Font => ({
  ...(JSON.parse(row.face) as FontFacts),
  id: row.id,
  accountId: row.account_id,
  size: row.size,
  digest: row.digest,
  createdAt: new Date(row.created_at),
});
