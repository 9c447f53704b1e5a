// Stores bulks: renders that were requested together and are fetched as one file.

import { atomically, type Database } from './database.ts';
import type { RenderRow } from './render-row.ts';

export const ARCHIVES = ['zip', 'pdf'] as const;
export type Archive = (typeof ARCHIVES)[number];

export interface Bulk {
  readonly id: string;
  readonly accountId: string;
  readonly templateId: string;
  readonly archive: Archive;
  readonly createdAt: Date;
}

/** One render of a bulk. */
export interface BulkRow {
  readonly renderId: string;
  /** File name in the archive, without the extension. */
  readonly name: string;
}

/** With the state of the render; nulls when the render is gone. */
export interface BulkRowState extends BulkRow {
  readonly status: RenderRow['status'] | null;
  readonly output: RenderRow['output'] | null;
  /** Bytes. */
  readonly size: number | null;
  readonly error: string | null;
}

interface Row {
  id: string;
  account_id: string;
  template_id: string;
  archive: Archive;
  created_at: number;
}

interface ItemRow {
  bulk_id: string;
  place: number;
  render_id: string;
  name: string;
}

/** Rows per insert statement: SQLite binds at most 32,766 values, PostgreSQL 65,535. */
const CHUNK = 500;

export class BulkStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert(bulk: Bulk, rows: readonly BulkRow[]): Promise<void> {
    await atomically(this.#db, async (tx) => {
      await tx<Row>('bulks').insert({
        id: bulk.id,
        account_id: bulk.accountId,
        template_id: bulk.templateId,
        archive: bulk.archive,
        created_at: bulk.createdAt.getTime(),
      });
      const items = rows.map(({ renderId, name }, place) => ({ bulk_id: bulk.id, place, render_id: renderId, name }));
      for (let from = 0; from < items.length; from += CHUNK) {
        await tx<ItemRow>('bulk_rows').insert(items.slice(from, from + CHUNK));
      }
    });
  }

  /** Null also for another account's bulk. */
  async find(accountId: string, id: string): Promise<Bulk | null> {
    const row = await this.#db<Row>('bulks').where({ id, account_id: accountId }).first();
    if (!row) return null;
    const { account_id, template_id, archive, created_at } = row;
    return { id, accountId: account_id, templateId: template_id, archive, createdAt: new Date(created_at) };
  }

  /** In the order of the request. */
  async rows(id: string): Promise<BulkRowState[]> {
    const rows: (ItemRow & Partial<Pick<RenderRow, 'status' | 'output' | 'size' | 'error'>>)[] = await this.#db(
      'bulk_rows',
    )
      .leftJoin('renders', 'renders.id', 'bulk_rows.render_id')
      .where('bulk_rows.bulk_id', id)
      .orderBy('place')
      .select('render_id', 'name', 'status', 'output', 'size', 'error');
    return rows.map(({ render_id, name, status, output, size, error }) => ({
      renderId: render_id,
      name,
      status: status ?? null,
      output: output ?? null,
      size: size ?? null,
      error: error ?? null,
    }));
  }

  async deleteCreatedBefore(time: Date): Promise<void> {
    await this.#db<Row>('bulks').where('created_at', '<', time.getTime()).delete();
  }
}
