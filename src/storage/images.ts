// Uploaded images: whose they are and what they are. Their bytes are in a blob store, under their id.

import type { Database } from './database.ts';
import { Statement } from './statement.ts';

export interface Image {
  readonly id: string;
  readonly accountId: string;
  /** `png`, `jpeg`, …: what the bytes are, whatever the upload called them. */
  readonly format: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 in base64; null for what was uploaded before this was kept. */
  readonly digest: string | null;
  /** px of the upright picture; null for what was uploaded before this was kept. */
  readonly width: number | null;
  readonly height: number | null;
  readonly createdAt: Date;
}

interface Row {
  id: string;
  account_id: string;
  format: string;
  size: number;
  digest: string | null;
  width: number | null;
  height: number | null;
  created_at: number;
}

const fromRow = ({ account_id, created_at, ...row }: Row): Image => ({
  ...row,
  accountId: account_id,
  createdAt: new Date(created_at),
});

const BY_ID = new Statement<{ id: string }, Row>((db, { id }) => db('images').where({ id }).first());

export class ImageStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert({ accountId, createdAt, ...image }: Image): Promise<void> {
    await this.#db<Row>('images').insert({ ...image, account_id: accountId, created_at: createdAt.getTime() });
  }

  /** Null also when it belongs to another account than `accountId`; null there = anybody's. */
  async find(accountId: string | null, id: string): Promise<Image | null> {
    const row = await BY_ID.first(this.#db, { id });
    return row && (accountId === null || row.account_id === accountId) ? fromRow(row) : null;
  }

  /** Newest first. */
  async list(accountId: string, limit: number): Promise<Image[]> {
    const rows = await this.#db<Row>('images')
      .where({ account_id: accountId })
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(limit);
    return rows.map(fromRow);
  }

  /** Those of the ids that are an image's. */
  async owners(ids: readonly string[]): Promise<Set<string>> {
    return new Set(await this.#db<Row>('images').whereIn('id', ids).pluck('id'));
  }

  /** False when the account has no such image. */
  async delete(accountId: string, id: string): Promise<boolean> {
    return (await this.#db<Row>('images').where({ id, account_id: accountId }).delete()) > 0;
  }
}
