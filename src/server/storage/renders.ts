// Stores renders: one row for a job and its asset, typed as a union by status.
//
// Impossible rows (done without a size, failed without a message) do not type-check.

import { type Database, isPostgres } from './database.ts';
import { type ListPage, mapPage, newestPageOf, type PageRequest } from './page.ts';
import {
  type AskedRender,
  askedColumns,
  baseColumns,
  baseOf,
  type RenderBase,
  type RenderRow,
  warningsColumn,
  warningsOf,
} from './render-row.ts';
import { Statement } from './statement.ts';
import type { Stored } from './stored-bytes.ts';
import type { UsageUnit } from './usage.ts';

export interface DoneRender extends RenderBase {
  readonly status: 'done';
  /** The asset's length in bytes; 0 once it has expired. */
  readonly size: number;
  /** The asset's SHA-256 in base64; null for assets from before it was stored. */
  readonly digest: string | null;
  /** What was odd: bounded, as `warningSentences` makes it. */
  readonly warnings: readonly string[];
  readonly finishedAt: Date;
}

interface FailedRender extends RenderBase {
  readonly status: 'error';
  /** One public sentence. */
  readonly error: string;
  readonly finishedAt: Date;
}

export interface OpenRender extends RenderBase {
  readonly status: 'queued' | 'processing';
}

export type Render = OpenRender | DoneRender | FailedRender;

/** A render with its request. */
export type ListedRender = Render & { readonly asked: AskedRender };

/** Filter of a list; null = any. */
export interface RenderFilter {
  readonly status: RenderRow['status'] | null;
  readonly kind: RenderRow['kind'] | null;
  readonly output: RenderRow['output'] | null;
  readonly templateId: string | null;
  /** Only renders of this batch; absent or null = any. */
  readonly batchId?: string | null;
  /** Only renders of these templates; absent or null = any. */
  readonly templateIds?: readonly string[] | null;
  /** Only finished renders with warnings. */
  readonly withWarnings?: boolean;
}

/** For a render whose caller gives no request to store. */
const NOT_KEPT: AskedRender = { template: null, values: null };

function fromRow(row: RenderRow): Render {
  const base = baseOf(row);
  if (row.status === 'queued' || row.status === 'processing') return { ...base, status: row.status };
  const finishedAt = new Date(row.finished_at ?? row.created_at);
  if (row.status === 'done') {
    const { size, digest } = row;
    return { ...base, status: 'done', size: size ?? 0, digest, warnings: warningsOf(row), finishedAt };
  }
  return { ...base, status: 'error', error: row.error ?? '', finishedAt };
}

type Inserted = Pick<
  RenderRow,
  | 'id'
  | 'account_id'
  | 'kind'
  | 'output'
  | 'created_at'
  | 'status'
  | 'size'
  | 'digest'
  | 'error'
  | 'finished_at'
  | 'template_id'
  | 'template_version'
  | 'asked'
  | 'metadata'
  | 'warnings'
> & { period: string | null };

const INSERTED = [
  ...([
    'id',
    'account_id',
    'kind',
    'output',
    'created_at',
    'status',
    'size',
    'digest',
    'error',
    'finished_at',
  ] as const),
  ...(['template_id', 'template_version', 'asked', 'metadata', 'warnings', 'period'] as const),
] satisfies readonly (keyof Inserted)[];

const INSERT = new Statement<Inserted>((db, row) =>
  db('metered_renders').insert(Object.fromEntries(INSERTED.map((name) => [name, row[name]]))),
);

/**
 * The same for the holder of an API key, if that is valid and its account active; nothing otherwise. One statement holds
 * both until it has committed, as `Keys.permit` does. A bare parameter would make SQLite compile it anew for every value, as
 * `accounts` has an index with a condition, which the value might fulfil.
 */
const INSERT_BY_KEY = new Statement<Inserted & { key: string; now: number }, Pick<RenderRow, 'id'>>((db, row) => {
  const values = INSERTED.map(() => '?').join(', ');
  const locked = isPostgres(db) ? 'FOR SHARE OF keys, accounts' : '';
  const sql = `INSERT INTO metered_renders (${INSERTED.join(', ')}) SELECT ${values}
    FROM keys JOIN accounts ON accounts.id = keys.account_id
    WHERE keys.hash = CAST(? AS text) AND keys.revoked_at IS NULL
      AND (keys.expires_at IS NULL OR keys.expires_at > CAST(? AS bigint))
      AND accounts.suspended_by IS NULL AND accounts.deleted_at IS NULL ${locked}
    RETURNING id`;
  return db.raw(sql, [...INSERTED.map((name) => row[name]), row.key, row.now]);
}, true);

export class RenderStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Inserts a render and counts its unit of usage, in one statement and so atomically.
   *
   * @param period the month in which it counts; null = free of charge
   */
  async insert(render: Render, period: UsageUnit['period'] | null, asked: AskedRender = NOT_KEPT): Promise<void> {
    await INSERT.run(this.#db, inserted(render, period, asked));
  }

  /**
   * The same unless the API key with this hash has become invalid, or its account suspended: then it inserts nothing, and
   * returns false.
   */
  async insertByKey(
    key: string,
    render: DoneRender,
    period: UsageUnit['period'] | null,
    asked: AskedRender = NOT_KEPT,
  ): Promise<boolean> {
    const now = render.finishedAt.getTime();
    return (await INSERT_BY_KEY.rows(this.#db, { ...inserted(render, period, asked), key, now })).length > 0;
  }

  /** The files of the account's renders. */
  async files(accountId: string): Promise<Stored> {
    const query = this.#db('renders').where({ account_id: accountId });
    const sums = this.#db.raw('count(size) AS count, coalesce(sum(size), 0) AS bytes');
    const row: Stored | undefined = await query.first(sums);
    return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) };
  }

  /** Number of open jobs of all accounts, by status. */
  async countOpen(): Promise<Record<OpenRender['status'], number>> {
    const rows: { status: OpenRender['status']; count: number }[] = await this.#db('renders')
      .whereIn('status', ['queued', 'processing'])
      .groupBy('status')
      .select('status', this.#db.raw('count(*) AS count'));
    return { queued: 0, processing: 0, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) };
  }

  /**
   * When the longest-waiting job of all accounts was accepted; null when none waits.
   *
   * @param ofBrowsers only jobs that need a browser
   */
  async oldestQueued(ofBrowsers = false): Promise<Date | null> {
    const query = this.#db('renders').where({ status: 'queued' }).whereNotNull('claimable_at');
    if (ofBrowsers) query.whereRaw('needs_browser');
    const row: { oldest: number | null } | undefined = await query.first(this.#db.raw('min(created_at) AS oldest'));
    return row?.oldest == null ? null : new Date(row.oldest);
  }

  /** Null also for another account's render. */
  async find(accountId: string, id: string): Promise<Render | null> {
    const row = await this.#db<RenderRow>('renders').where({ id, account_id: accountId }).first();
    return row ? fromRow(row) : null;
  }

  /** Null also for another account's render. */
  async findAsked(accountId: string, id: string): Promise<ListedRender | null> {
    const row = await this.#db<RenderRow>('renders').where({ id, account_id: accountId }).first();
    return row ? listed(row) : null;
  }

  /** One page, newest first. */
  async page(accountId: string, filter: RenderFilter, page: PageRequest): Promise<ListPage<ListedRender>> {
    const query = this.#db('renders').where({ account_id: accountId });
    if (filter.status !== null) query.where({ status: filter.status });
    if (filter.kind !== null) query.where({ kind: filter.kind });
    if (filter.output !== null) query.where({ output: filter.output });
    if (filter.templateId !== null) query.where({ template_id: filter.templateId });
    if (filter.batchId)
      query.whereIn('id', this.#db('bulk_rows').where({ bulk_id: filter.batchId }).select('render_id'));
    if (filter.withWarnings) query.whereNotNull('warnings');
    if (filter.templateIds) query.whereIn('template_id', filter.templateIds);
    return mapPage(await newestPageOf<RenderRow>(query, page), listed);
  }

  /** Those of the ids whose render has an asset, or may still get one. */
  async owners(ids: readonly string[]): Promise<Set<string>> {
    const owning = this.#db<RenderRow>('renders')
      .whereIn('id', ids)
      .where((of) => of.whereNotNull('size').orWhereIn('status', ['queued', 'processing']));
    return new Set(await owning.pluck('id'));
  }

  /**
   * Removes the asset from up to `limit` renders that were done before `time`. Returns the names of the files to
   * delete.
   */
  async expireAssets(time: Date, limit: number): Promise<string[]> {
    const expired = this.#db<RenderRow>('renders')
      .where({ status: 'done' })
      .where('finished_at', '<', time.getTime())
      .whereNotNull('size')
      .limit(limit)
      .select('id');
    const rows = await this.#db<RenderRow>('renders')
      .whereIn('id', expired)
      .update({ size: null, digest: null })
      .returning(['id', 'output']);
    return rows.map(({ id, output }) => `${id}.${output}`);
  }

  /**
   * Deletes a render that has ended. Its unit of usage stays.
   *
   * @returns the render; null when the account has none of that id, or while it is open
   */
  async delete(accountId: string, id: string): Promise<Render | null> {
    const render = await this.find(accountId, id);
    const ended = this.#db<RenderRow>('renders')
      .where({ id, account_id: accountId })
      .whereIn('status', ['done', 'error']);
    return (await ended.delete()) > 0 ? render : null;
  }

  /** Deletes up to `limit` renders that ended with this status before `time`; returns their number. */
  async deleteFinishedBefore(status: 'done' | 'error', time: Date, limit: number): Promise<number> {
    const old = this.#db<RenderRow>('renders')
      .where({ status })
      .where('finished_at', '<', time.getTime())
      .limit(limit)
      .select('id');
    return this.#db<RenderRow>('renders').whereIn('id', old).delete();
  }
}

const inserted = (render: Render, period: UsageUnit['period'] | null, asked: AskedRender): Inserted => ({
  ...baseColumns(render),
  ...askedColumns(asked),
  status: render.status,
  size: render.status === 'done' ? render.size : null,
  digest: render.status === 'done' ? render.digest : null,
  error: render.status === 'error' ? render.error : null,
  warnings: render.status === 'done' ? warningsColumn(render.warnings) : null,
  finished_at: 'finishedAt' in render ? render.finishedAt.getTime() : null,
  period,
});

const listed = (row: RenderRow): ListedRender => ({
  ...fromRow(row),
  asked: {
    template:
      row.template_id === null || row.template_version === null
        ? null
        : { id: row.template_id, version: row.template_version },
    values: row.asked,
    metadata: row.metadata,
  },
});
