// Jobs that pg-boss hands out, on PostgreSQL: which comes first, who does them, and what pg-boss lacks of them.
//
// An account's jobs take turns with those of others by start-time fair queueing (Goyal, Vin, Cheng, SIGCOMM 1996): a job's
// turn is one after the account's last that waits, or the turn that is on when none of its waits. Lower turns come first,
// so ten thousand jobs of one account are ten thousand turns long, and another's first job belongs to the next of them.

import { type Database, lock, rowsOf } from './database.ts';
import { type ClaimedJob, claimedFrom, type NewJob, newJobColumns } from './jobs.ts';
import type { RenderRow } from './render-row.ts';

/** Of the column; whoever is that far behind is served in order of arrival. */
const LAST_TURN = 2 ** 31 - 1;

/** Rows that one statement inserts: PostgreSQL binds at most 65,535 values. */
const CHUNK = 500;

/** The turn that the account's next job gets. */
const NEXT_TURN = `
  SELECT coalesce(
    (SELECT max(turn) + 1 FROM renders WHERE account_id = ? AND turn IS NOT NULL),
    (SELECT min(turn) FROM renders WHERE turn IS NOT NULL),
    0
  ) AS turn`;

/** Jobs that are not over and that pg-boss has no entry for: jobs/boss/open-boss.ts says how ids are made. */
const WITHOUT_ENTRY = `
  SELECT id, turn, needs_browser FROM renders
  WHERE claimable_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM pgboss.job
    WHERE name = 'jobs' AND state < 'completed' AND job.id = encode(substring(sha256(renders.id::bytea) FOR 16), 'hex')::uuid
  ) LIMIT ?`;

/** What became of jobs that were handed out. */
export interface Begun {
  /** Begun now. */
  readonly begun: readonly ClaimedJob[];
  /** The ids of those that were on the way on a node that lost them: to be begun by `beginAgain`. */
  readonly lost: readonly string[];
}

export interface JobWithoutEntry {
  readonly id: string;
  /** Null when it was begun before. */
  readonly turn: number | null;
  readonly needsBrowser: boolean;
}

export class EnteredJobStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Stores jobs of one account; returns the turn of each. To be called in a transaction. */
  async insert(jobs: readonly NewJob[]): Promise<number[]> {
    const [first] = jobs;
    if (!first) return [];
    await lock(this.#db, `turns of ${first.accountId}`);
    const [{ turn } = { turn: 0 }] = await rowsOf<{ turn: number }>(this.#db, NEXT_TURN, [first.accountId]);
    const turns = jobs.map((_, index) => Math.min(LAST_TURN, turn + index));
    const rows = jobs.map((job, index) => ({ ...newJobColumns(job), turn: turns[index] }));
    for (let from = 0; from < rows.length; from += CHUNK) {
      await this.#db('renders').insert(rows.slice(from, from + CHUNK));
    }
    return turns;
  }

  /** Begins those of the jobs that wait. An attempt is counted here, so that one that kills its worker is counted too. */
  async begin(ids: readonly string[], worker: string): Promise<Begun> {
    if (ids.length === 0) return { begun: [], lost: [] };
    const rows: RenderRow[] = await this.#db('renders')
      .whereIn('id', ids)
      .where({ status: 'queued' })
      .update({ status: 'processing', attempt: this.#db.raw('attempt + 1'), worker, turn: null })
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
   * Begins a job that its worker lost. If that worker lost several, its death is blamed on none of them but the last:
   * their attempt is not counted. Null when the job is over. To be called in a transaction.
   */
  async beginAgain(id: string, worker: string): Promise<ClaimedJob | null> {
    const found: RenderRow | undefined = await this.#db('renders').where({ id }).forUpdate().first();
    if (found?.status !== 'processing') return (await this.begin([id], worker)).begun[0] ?? null;
    const others = await this.#db('renders')
      .where({ status: 'processing', worker: found.worker })
      .whereNotNull('claimable_at')
      .whereNot({ id })
      .first('id');
    // From one's own hands it is another attempt in any case: the two must not be taken for each other.
    const isBlameless = others !== undefined && found.worker !== worker;
    const [row]: RenderRow[] = await this.#db('renders')
      .where({ id })
      .update({ attempt: this.#db.raw(isBlameless ? 'attempt' : 'attempt + 1'), worker })
      .returning('*');
    return row ? claimedFrom(row) : null;
  }

  /** The ids of all jobs that are being worked on. */
  async onTheWay(): Promise<string[]> {
    return this.#db('renders').where({ status: 'processing' }).whereNotNull('claimable_at').pluck('id');
  }

  /**
   * Up to `limit` jobs that are not over and that pg-boss does not know: moved here from another database, restored
   * without its tables, or accepted by an older version.
   */
  async withoutEntry(limit: number): Promise<JobWithoutEntry[]> {
    const rows = await rowsOf<Pick<RenderRow, 'id' | 'needs_browser'> & { turn: number | null }>(
      this.#db,
      WITHOUT_ENTRY,
      [limit],
    );
    return rows.map(({ id, turn, needs_browser }) => ({ id, turn, needsBrowser: needs_browser !== 0 }));
  }
}
