// Stores jobs: renders that wait or are being processed. The rows are authoritative, whatever wakes a worker.
//
// The embedded engine claims a job with a lease, after whose end another worker may claim it. Jobs that pg-boss
// dispatches are started in pg-boss-jobs.ts. Every write of a worker is fenced by worker and attempt: a worker that
// lost its job changes nothing any more.

import type { Trace } from '#base/trace.ts';
import { ACTIVE } from './accounts.ts';
import { atomically, type Database } from './database.ts';
import {
  type AskedRender,
  askedColumns,
  baseColumns,
  baseOf,
  type RenderBase,
  type RenderRow,
  warningsColumn,
} from './render-row.ts';
import type { DoneRender } from './renders.ts';

export interface NewJob extends RenderBase {
  /** The work as plain JSON. It may hold secrets (cookies of a page), and is deleted when the job ends. */
  readonly request: unknown;
  /** The same as JSON, where it was too long to be written at once. */
  readonly requestText?: string;
  readonly webhookUrl: string | null;
  /** Whether a unit of usage is reserved for it. */
  readonly metered: boolean;
  /** The part of the request that is kept after the job has ended. */
  readonly asked?: AskedRender;
  /** Whether only a server with a browser can do it. */
  readonly needsBrowser?: boolean;
  /** The trace of the request that asked for it. */
  readonly trace?: Trace | null;
}

/** The outcome of a job that is done. */
export type JobAsset = Pick<DoneRender, 'size' | 'digest' | 'warnings'>;

/** A job that a worker holds. */
export interface ClaimedJob extends NewJob {
  /** JSON: as of `AskedRender`. */
  readonly metadata: string | null;
  readonly worker: string;
  /** From 1 up. Counted when it is claimed, so that a job that kills its worker is counted too. */
  readonly attempt: number;
}

/** The state of the round robin over accounts. */
export interface ClaimOrder {
  /** The account served last; '' = none yet. The order is that of the accounts' ids. */
  readonly after: string;
  /** Ids of jobs to claim before all others. */
  readonly first: readonly string[];
  /** Leaves out jobs that need a browser. */
  readonly withoutBrowser?: boolean;
  /** Ids of jobs that the worker is doing: not to be claimed, even if the clock has jumped beyond their leases. */
  readonly running?: readonly string[];
}

export const claimedFrom = (row: RenderRow): ClaimedJob => ({
  ...baseOf(row),
  request: JSON.parse(row.request ?? 'null'),
  webhookUrl: row.webhook_url,
  metered: row.metered !== 0,
  trace: parseTrace(row.trace),
  metadata: row.metadata,
  worker: row.worker ?? '',
  attempt: row.attempt,
});

/** The row of a waiting job. */
export const newJobColumns = (job: NewJob) => ({
  ...baseColumns(job),
  ...(job.asked ? askedColumns(job.asked) : {}),
  status: 'queued' as const,
  request: job.requestText ?? JSON.stringify(job.request),
  webhook_url: job.webhookUrl,
  metered: Number(job.metered),
  needs_browser: Number(job.needsBrowser ?? false),
  trace: job.trace ? JSON.stringify(job.trace) : null,
  claimable_at: job.createdAt.getTime(),
});

/** Jobs per insert statement: building it takes some milliseconds of the calling thread. */
const CHUNK = 100;

export class JobStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert(job: NewJob): Promise<void> {
    await this.#db<RenderRow>('renders').insert(newJobColumns(job));
  }

  /** Inserts many jobs, a few with each statement. Call in a transaction. */
  async insertAll(jobs: readonly NewJob[]): Promise<void> {
    for (let from = 0; from < jobs.length; from += CHUNK) {
      await this.#db<RenderRow>('renders').insert(jobs.slice(from, from + CHUNK).map(newJobColumns));
    }
  }

  /**
   * Claims up to `limit` jobs that are due, including those whose lease has ended. Accounts take turns, so that one
   * with many jobs does not delay the others; within an account the oldest job comes first. Those of suspended accounts
   * wait.
   */
  async claim(worker: string, limit: number, now: Date, leaseUntil: Date, order: ClaimOrder): Promise<ClaimedJob[]> {
    return atomically(this.#db, async (tx) => {
      const claimed: ClaimedJob[] = [];
      while (claimed.length < limit) {
        const id = await nextRipe(tx, now, { ...order, after: claimed.at(-1)?.accountId ?? order.after });
        if (id === undefined) break;
        const [row]: RenderRow[] = await tx<RenderRow>('renders')
          .where({ id })
          .update({
            status: 'processing',
            attempt: tx.raw('attempt + 1'),
            worker,
            claimable_at: leaseUntil.getTime(),
          })
          .returning('*');
        if (row) claimed.push(claimedFrom(row));
      }
      return claimed;
    });
  }

  /** Extends a lease; false when it was lost. */
  async renew(job: ClaimedJob, leaseUntil: Date): Promise<boolean> {
    return (await this.#held(job).update({ claimable_at: leaseUntil.getTime() })) > 0;
  }

  /** Whether the worker still has the job's lease. */
  async isHeld(job: ClaimedJob): Promise<boolean> {
    return (await this.#held(job).first('id')) !== undefined;
  }

  /** Ends a job as done; false, and nothing changed, when the lease was lost. */
  async finish(job: ClaimedJob, asset: JobAsset, now: Date): Promise<boolean> {
    const { size, digest, warnings } = asset;
    const ended = {
      status: 'done',
      size,
      digest,
      warnings: warningsColumn(warnings),
      request: null,
      claimable_at: null,
      finished_at: now.getTime(),
    } as const;
    return (await this.#held(job).update(ended)) > 0;
  }

  /** Ends a job as failed; false, and nothing changed, when the lease was lost. */
  async fail(job: ClaimedJob, error: string, now: Date): Promise<boolean> {
    const ended = { status: 'error', error, request: null, claimable_at: null, finished_at: now.getTime() } as const;
    return (await this.#held(job).update(ended)) > 0;
  }

  /** Queues a job for another attempt; false when the lease was lost. */
  async retry(job: ClaimedJob, at: Date): Promise<boolean> {
    return (await this.#held(job).update({ status: 'queued', worker: null, claimable_at: at.getTime() })) > 0;
  }

  /** Returns a job to the queue without counting the attempt; false when the lease was lost. */
  async handBack(job: ClaimedJob, at: Date): Promise<boolean> {
    const waits = { status: 'queued', worker: null, claimable_at: at.getTime() } as const;
    return (await this.#held(job).update({ ...waits, attempt: this.#db.raw('attempt - 1') })) > 0;
  }

  /**
   * Returns all running jobs to the queue, and returns their ids. Only when no worker is alive.
   *
   * When a process died with several jobs, its death is blamed on none of them: their attempts are not counted. A
   * job that ran alone waits as after any failed attempt.
   */
  async takeBack(now: Date, retryAt: (attempt: number) => Date): Promise<string[]> {
    return atomically(this.#db, async (tx) => {
      const abandoned = () => tx<RenderRow>('renders').where({ status: 'processing' });
      const found: Pick<RenderRow, 'id' | 'attempt'>[] = await abandoned().select('id', 'attempt');
      const [first, ...others] = found;
      if (!first) return [];
      const blame =
        others.length === 0
          ? { claimable_at: retryAt(first.attempt).getTime() }
          : { claimable_at: now.getTime(), attempt: tx.raw('attempt - 1') };
      await abandoned().update({ status: 'queued', worker: null, ...blame });
      return found.map(({ id }) => id);
    });
  }

  #held({ id, worker, attempt }: ClaimedJob) {
    return this.#db<RenderRow>('renders').where({ id, worker, attempt, status: 'processing' });
  }
}

/** The id of the job to claim next. */
async function nextRipe(
  db: Database,
  now: Date,
  { after, first, withoutBrowser = false, running = [] }: ClaimOrder,
): Promise<string | undefined> {
  // Oldest first rather than first due: a job that is retried does not queue behind all others again.
  const ripe = () => {
    const query = db<RenderRow>('renders')
      .where('claimable_at', '<=', now.getTime())
      .whereNotIn('id', running)
      .whereRaw(ACTIVE)
      .orderBy(['account_id', 'created_at'])
      .first('id');
    return withoutBrowser ? query.whereRaw('NOT needs_browser') : query;
  };
  const found =
    (first.length > 0 ? await ripe().whereIn('id', first) : undefined) ??
    (await ripe().where('account_id', '>', after)) ??
    (await ripe());
  return found?.id;
}

/** Parses the column `trace` of jobs and deliveries: JSON that another node, of any version, may have written. */
export function parseTrace(text: string | null): Trace | null {
  if (text === null) return null;
  const { requestId, clientRequestId, traceparent, tracestate }: Partial<Trace> = JSON.parse(text);
  return {
    requestId: requestId ?? '',
    clientRequestId: clientRequestId ?? null,
    traceparent: traceparent ?? null,
    tracestate: tracestate ?? null,
  };
}
