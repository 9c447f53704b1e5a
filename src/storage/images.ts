// Uploaded images: whose they are and what they are. Their bytes are in a blob store, under their id.

import type { Database } from './database.ts';

export interface Image {
  readonly id: string;
  readonly accountId: string;
  /** `png`, `jpeg`, …: what the bytes are, whatever the upload called them. */
  readonly format: string;
  /** Bytes. */
  readonly size: number;
  readonly createdAt: Date;
}

interface Row {
  id: string;
  account_id: string;
  format: string;
  size: number;
  created_at: number;
}

export class ImageStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert(image: Image): Promise<void> {
    await this.#db<Row>('images').insert({
      id: image.id,
      account_id: image.accountId,
      format: image.format,
      size: image.size,
      created_at: image.createdAt.getTime(),
    });
  }

  /** Null also when it belongs to another account. */
  async find(accountId: string, id: string): Promise<Image | null> {
    const row = await this.#db<Row>('images').where({ id, account_id: accountId }).first();
    if (!row) return null;
    return {
      id: row.id,
      accountId: row.account_id,
      format: row.format,
      size: row.size,
      createdAt: new Date(row.created_at),
    };
  }
}
