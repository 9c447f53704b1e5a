// Stores batches: renders that were requested together and are fetched as one file.

import type { Knex } from 'knex';
import { atomically, type Database, isPostgres } from './database.ts';
import { type ListPage, mapPage, newestPageOf, type PageRequest, placePageOf } from './page.ts';
import { type RenderRow, warningsOf } from './render-row.ts';

export const ARCHIVES = ['zip', 'pdf'] as const;
export type Archive = (typeof ARCHIVES)[number];

export interface Batch {
  readonly id: string;
  readonly accountId: string;
  readonly templateId: string;
  /** What it was made from, such as a file's name; null where that was not said. */
  readonly name: string | null;
  readonly archive: Archive;
  /** A sheet of labels as JSON; null = pages are as they were rendered. */
  readonly sheet: string | null;
  /** The address that is called when all its renders have finished; null = none. */
  readonly webhookUrl: string | null;
  readonly createdAt: Date;
}

/** One render of a batch. */
export interface BatchRow {
  readonly renderId: string;
  /** File name in the archive, without the extension. */
  readonly name: string;
}

/** With the state of the render; nulls when the render is gone. */
export interface BatchRowState extends BatchRow {
  /** From 0 up. */
  readonly place: number;
  readonly status: RenderRow['status'] | null;
  readonly output: RenderRow['output'] | null;
  /** Bytes. */
  readonly size: number | null;
  readonly error: string | null;
  readonly warnings: readonly string[];
}

/** A file of a batch. */
export interface BatchFileRow extends BatchRow {
  readonly output: RenderRow['output'];
  /** Bytes. */
  readonly size: number;
}

/** How many rows are in which state; the others wait or are under way. */
export interface BatchCounts {
  readonly total: number;
  /** Rows whose file is kept. */
  readonly done: number;
  /** Those of them that have warnings. */
  readonly warned: number;
  /** Rows that failed, or whose file is no longer kept. */
  readonly failed: number;
}

/** The batch that a render belongs to. */
export interface BatchOfRender {
  readonly id: string;
  readonly name: string | null;
  /** The row of the render, from 0 up. */
  readonly place: number;
}

export const ROW_FILTERS = ['failed', 'warned'] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

interface Row {
  id: string;
  account_id: string;
  template_id: string;
  name: string | null;
  archive: Archive;
  sheet: string | null;
  webhook_url: string | null;
  created_at: number;
}

interface ItemRow {
  bulk_id: string;
  place: number;
  render_id: string;
  name: string;
}

type JoinedRow = ItemRow & { [Column in 'status' | 'output' | 'size' | 'error']: RenderRow[Column] | null } & Pick<
    RenderRow,
    'warnings'
  >;

/** Rows per insert statement: SQLite binds at most 32,766 values, PostgreSQL 65,535. */
const CHUNK = 500;

const DONE = "status = 'done' AND size IS NOT NULL";
const FAILED = "(status IS NULL OR status = 'error' OR (status = 'done' AND size IS NULL))";

export class BatchStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert(batch: Batch, rows: readonly BatchRow[]): Promise<void> {
    await atomically(this.#db, async (tx) => {
      await tx<Row>('bulks').insert({
        id: batch.id,
        account_id: batch.accountId,
        template_id: batch.templateId,
        name: batch.name,
        archive: batch.archive,
        sheet: batch.sheet,
        webhook_url: batch.webhookUrl,
        created_at: batch.createdAt.getTime(),
      });
      const items = rows.map(({ renderId, name }, place) => ({ bulk_id: batch.id, place, render_id: renderId, name }));
      for (let from = 0; from < items.length; from += CHUNK) {
        await tx<ItemRow>('bulk_rows').insert(items.slice(from, from + CHUNK));
      }
    });
  }

  /** Null also for another account's batch. */
  async find(accountId: string, id: string): Promise<Batch | null> {
    const row = await this.#db<Row>('bulks').where({ id, account_id: accountId }).first();
    return row ? batchOf(row) : null;
  }

  /**
   * The batch that has a webhook and is over by the end of this render. Call in the transaction that ends it: of renders
   * that end together, the last one finds the batch.
   */
  async endedWith(renderId: string): Promise<Batch | null> {
    const query = this.#db<Row>('bulks')
      .whereNotNull('webhook_url')
      .whereIn('id', this.#db('bulk_rows').where({ render_id: renderId }).select('bulk_id'))
      .first();
    // A render that another transaction ends now is seen once that one has committed, and left the lock.
    const row = await (isPostgres(this.#db) ? query.forUpdate() : query);
    if (!row) return null;
    // Rows end roughly in their order, so the last ones are looked at first.
    const waits = await this.#joined(row.id)
      .whereIn('status', ['queued', 'processing'])
      .orderBy('place', 'desc')
      .first('place');
    return waits ? null : batchOf(row);
  }

  /** Newest first. @param templateId null = of any template */
  async page(accountId: string, templateId: string | null, page: PageRequest): Promise<ListPage<Batch>> {
    const query = this.#db('bulks').where({ account_id: accountId });
    if (templateId !== null) query.where({ template_id: templateId });
    return mapPage(await newestPageOf<Row>(query, page), batchOf);
  }

  async counts(id: string): Promise<BatchCounts> {
    const sum = (condition: string) => this.#db.raw(`coalesce(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0)`);
    const [found]: { [Name in keyof BatchCounts]: number | string }[] = await this.#joined(id).select({
      total: this.#db.raw('count(*)'),
      done: sum(DONE),
      warned: sum(`${DONE} AND warnings IS NOT NULL`),
      failed: sum(FAILED),
    });
    // PostgreSQL gives sums as text.
    const { total = 0, done = 0, warned = 0, failed = 0 } = found ?? {};
    return { total: Number(total), done: Number(done), warned: Number(warned), failed: Number(failed) };
  }

  /** In the order of the request. @param filter null = all */
  async rows(id: string, filter: RowFilter | null, page: PageRequest): Promise<ListPage<BatchRowState>> {
    const query = this.#joined(id).select(
      ...['place', 'render_id', 'bulk_rows.name', 'status', 'output', 'size', 'error', 'warnings'],
    );
    if (filter === 'failed') query.whereRaw(FAILED);
    if (filter === 'warned') query.whereRaw(DONE).whereNotNull('warnings');
    return mapPage(await placePageOf<JoinedRow>(query, page, 'place'), (row) => ({
      place: row.place,
      renderId: row.render_id,
      name: row.name,
      status: row.status,
      output: row.output,
      size: row.size,
      error: row.error,
      warnings: warningsOf(row),
    }));
  }

  /** The files that are kept, in the order of the request. */
  async files(id: string): Promise<BatchFileRow[]> {
    const rows: JoinedRow[] = await this.#joined(id)
      .whereRaw(DONE)
      .orderBy('place')
      .select('render_id', 'bulk_rows.name', 'output', 'size');
    return rows.map(({ render_id, name, output, size }) => ({
      renderId: render_id,
      name,
      output: output ?? 'png',
      size: size ?? 0,
    }));
  }

  /** The batches of these renders, by their ids. */
  async ofRenders(renderIds: readonly string[]): Promise<Map<string, BatchOfRender>> {
    const rows: { render_id: string; place: number; id: string; name: string | null }[] = await this.#db('bulk_rows')
      .join('bulks', 'bulks.id', 'bulk_rows.bulk_id')
      .whereIn('render_id', renderIds)
      .select('render_id', 'place', 'bulks.id', 'bulks.name');
    return new Map(rows.map(({ render_id, ...batch }) => [render_id, batch]));
  }

  async deleteCreatedBefore(time: Date): Promise<void> {
    await this.#db<Row>('bulks').where('created_at', '<', time.getTime()).delete();
  }

  #joined(id: string): Knex.QueryBuilder {
    return this.#db('bulk_rows')
      .leftJoin('renders', 'renders.id', 'bulk_rows.render_id')
      .where('bulk_rows.bulk_id', id);
  }
}

const batchOf = ({ id, account_id, template_id, name, archive, sheet, webhook_url, created_at }: Row): Batch => ({
  ...{ id, name, archive, sheet },
  webhookUrl: webhook_url,
  accountId: account_id,
  templateId: template_id,
  createdAt: new Date(created_at),
});
