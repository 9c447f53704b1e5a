// Stores jobs that pg-boss dispatches, on PostgreSQL: their order, their workers, and which of them pg-boss lacks.
//
// Accounts take turns by start-time fair queueing (Goyal, Vin, Cheng, SIGCOMM 1996). A job's start tag is one after the last
// waiting job of its account, or the lowest of all when the account has none waiting. Lower tags come first, so ten
// thousand jobs of one account have ten thousand tags, and another account's first job goes with the next of them.

import { ACTIVE } from './accounts.ts';
import { type Database, lock, queryRows } from './database.ts';
import { type ClaimedJob, claimedFrom, type NewJob, newJobColumns } from './jobs.ts';
import type { RenderRow } from './render-row.ts';

/** Maximum of the column; jobs beyond it are served in order of arrival. */
const LAST_TAG = 2 ** 31 - 1;

/** Rows per insert statement: PostgreSQL binds at most 65,535 values. */
const CHUNK = 500;

/** The start tag of the account's next job. */
const NEXT_TAG = `
  SELECT coalesce(
    (SELECT max(start_tag) + 1 FROM renders WHERE account_id = ? AND start_tag IS NOT NULL),
    (SELECT min(start_tag) FROM renders WHERE start_tag IS NOT NULL),
    0
  ) AS start_tag`;

/** Open jobs, not of suspended accounts, without an entry in pg-boss; server/jobs/boss/open-boss.ts describes how ids are made. */
const WITHOUT_ENTRY = `
  SELECT id, start_tag, needs_browser FROM renders
  WHERE claimable_at IS NOT NULL AND ${ACTIVE} AND NOT EXISTS (
    SELECT 1 FROM pgboss.job
    WHERE name = 'jobs' AND state < 'completed' AND job.id = encode(substring(sha256(renders.id::bytea) FOR 16), 'hex')::uuid
  ) LIMIT ?`;

/** The outcome of starting dispatched jobs. */
export interface Begun {
  /** Jobs started now. */
  readonly begun: readonly ClaimedJob[];
  /** Ids of jobs that were running on a node that lost them, to be started by `beginAgain`. */
  readonly lost: readonly string[];
}

export interface JobWithoutEntry {
  readonly id: string;
  /** Null when it was started before. */
  readonly startTag: number | null;
  readonly needsBrowser: boolean;
}

export class PgBossJobStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Stores jobs of one account and returns the start tag of each. Call in a transaction. */
  async insert(jobs: readonly NewJob[]): Promise<number[]> {
    const [first] = jobs;
    if (!first) return [];
    await lock(this.#db, `start tags of ${first.accountId}`);
    const [{ start_tag } = { start_tag: 0 }] = await queryRows<{ start_tag: number }>(this.#db, NEXT_TAG, [
      first.accountId,
    ]);
    const tags = jobs.map((_, index) => Math.min(LAST_TAG, start_tag + index));
    const rows = jobs.map((job, index) => ({ ...newJobColumns(job), start_tag: tags[index] }));
    for (let from = 0; from < rows.length; from += CHUNK) {
      await this.#db('renders').insert(rows.slice(from, from + CHUNK));
    }
    return tags;
  }

  /**
   * Starts those of the jobs that wait, and whose account is not suspended. The attempt is counted here, so that one that kills its worker is counted too.
   */
  async begin(ids: readonly string[], worker: string): Promise<Begun> {
    if (ids.length === 0) return { begun: [], lost: [] };
    const rows: RenderRow[] = await this.#db('renders')
      .whereIn('id', ids)
      .where({ status: 'queued' })
      .whereRaw(ACTIVE)
      .update({ status: 'processing', attempt: this.#db.raw('attempt + 1'), worker, start_tag: null })
      .returning('*');
    const begun = rows.map(claimedFrom);
    if (begun.length === ids.length) return { begun, lost: [] };
    const lost = await this.#db('renders')
      .whereIn('id', ids)
      .where({ status: 'processing' })
      .whereNotIn(
        'id',
        begun.map(({ id }) => id),
      )
      .pluck('id');
    return { begun, lost };
  }

  /**
   * Restarts a job that its worker lost. If that worker lost several, the attempt is counted only for the last one that
   * is restarted: the worker's death is not blamed on the others. Null when the job has ended. Call in a transaction.
   */
  async beginAgain(id: string, worker: string): Promise<ClaimedJob | null> {
    const found: RenderRow | undefined = await this.#db('renders').where({ id }).forUpdate().first();
    if (found?.status !== 'processing') return (await this.begin([id], worker)).begun[0] ?? null;
    const others = await this.#db('renders')
      .where({ status: 'processing', worker: found.worker })
      .whereNotNull('claimable_at')
      .whereNot({ id })
      .first('id');
    // A job lost by this same worker always counts as another attempt, so that the two attempts are told apart.
    const isBlameless = others !== undefined && found.worker !== worker;
    const [row]: RenderRow[] = await this.#db('renders')
      .where({ id })
      .update({ attempt: this.#db.raw(isBlameless ? 'attempt' : 'attempt + 1'), worker })
      .returning('*');
    return row ? claimedFrom(row) : null;
  }

  /** The ids of all running jobs. */
  async onTheWay(): Promise<string[]> {
    return this.#db('renders').where({ status: 'processing' }).whereNotNull('claimable_at').pluck('id');
  }

  /**
   * Up to `limit` open jobs without an entry in pg-boss: moved here from another database, restored without its tables,
   * or accepted by an older version.
   */
  async withoutEntry(limit: number): Promise<JobWithoutEntry[]> {
    const rows = await queryRows<Pick<RenderRow, 'id' | 'needs_browser'> & { start_tag: number | null }>(
      this.#db,
      WITHOUT_ENTRY,
      [limit],
    );
    return rows.map(({ id, start_tag, needs_browser }) => ({
      id,
      startTag: start_tag,
      needsBrowser: needs_browser !== 0,
    }));
  }
}
