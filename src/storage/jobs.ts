// Jobs: renders that wait or are worked on. The row is the truth, whatever wakes a worker.
//
// The embedded engine claims a job for a time, its lease, and another may when that ends; what pg-boss hands out is begun
// in entered-jobs.ts. Everything that a worker writes about a job is fenced by worker and attempt: who lost it changes
// nothing any more.

import type { Trace } from '../trace.ts';
import { atomically, type Database } from './database.ts';
import { type Asked, askedColumns, baseColumns, baseOf, type RenderBase, type RenderRow } from './render-row.ts';
import type { DoneRender } from './renders.ts';
import { parseTrace } from './trace-column.ts';

export interface NewJob extends RenderBase {
  /** What to do; plain JSON. It may hold what is secret (cookies of a page), and is forgotten at the job's end. */
  readonly request: unknown;
  readonly webhookUrl: string | null;
  /** Whether a unit of usage is set aside for it. */
  readonly metered: boolean;
  /** What stays of the request when it is over. */
  readonly asked?: Asked;
  /** Whether only a server with a browser can do it. */
  readonly needsBrowser?: boolean;
  /** What asked for it. */
  readonly trace?: Trace | null;
}

/** A job in a worker's hands. */
export interface ClaimedJob extends NewJob {
  readonly worker: string;
  /** From 1 up; counted when it is claimed, so that a job that kills its worker is counted too. */
  readonly attempt: number;
}

/** Whose turn it is to have jobs claimed. */
export interface Turn {
  /** The account that had it last; '' = nobody yet. Turns go round by the accounts' ids. */
  readonly after: string;
  /** Jobs that go before all others. */
  readonly first: readonly string[];
  /** Leaves out those that need a browser. */
  readonly withoutBrowser?: boolean;
}

export const claimedFrom = (row: RenderRow): ClaimedJob => ({
  ...baseOf(row),
  request: JSON.parse(row.request ?? 'null'),
  webhookUrl: row.webhook_url,
  metered: row.metered !== 0,
  trace: parseTrace(row.trace),
  worker: row.worker ?? '',
  attempt: row.attempt,
});

/** The row of a job that waits. */
export const newJobColumns = (job: NewJob) => ({
  ...baseColumns(job),
  ...(job.asked ? askedColumns(job.asked) : {}),
  status: 'queued' as const,
  request: JSON.stringify(job.request),
  webhook_url: job.webhookUrl,
  metered: Number(job.metered),
  needs_browser: Number(job.needsBrowser ?? false),
  trace: job.trace ? JSON.stringify(job.trace) : null,
  claimable_at: job.createdAt.getTime(),
});

export class JobStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert(job: NewJob): Promise<void> {
    await this.#db<RenderRow>('renders').insert(newJobColumns(job));
  }

  /**
   * Takes up to `limit` jobs whose time has come, among them those whose lease has ended: one of each account in turn,
   * so that who has many does not keep the others waiting; of one account the oldest first.
   */
  async claim(worker: string, limit: number, now: Date, leaseUntil: Date, turn: Turn): Promise<ClaimedJob[]> {
    return atomically(this.#db, async (tx) => {
      const claimed: ClaimedJob[] = [];
      while (claimed.length < limit) {
        const id = await nextRipe(tx, now, { ...turn, after: claimed.at(-1)?.accountId ?? turn.after });
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

  /** Ends a job as done; false, and nothing changed, when the lease was lost. */
  async finish(job: ClaimedJob, asset: Pick<DoneRender, 'size' | 'digest'>, now: Date): Promise<boolean> {
    const { size, digest } = asset;
    const ended = {
      status: 'done',
      size,
      digest,
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

  /** Lets a job wait for another attempt; false when the lease was lost. */
  async retry(job: ClaimedJob, at: Date): Promise<boolean> {
    return (await this.#held(job).update({ status: 'queued', worker: null, claimable_at: at.getTime() })) > 0;
  }

  /** Gives a job back as if it had not been begun; false when the lease was lost. */
  async handBack(job: ClaimedJob, at: Date): Promise<boolean> {
    const waits = { status: 'queued', worker: null, claimable_at: at.getTime() } as const;
    return (await this.#held(job).update({ ...waits, attempt: this.#db.raw('attempt - 1') })) > 0;
  }

  /**
   * Takes all jobs from whoever works on them, and returns their ids. For whoever knows that no worker lives.
   *
   * A death with several jobs on the way is blamed on none of them: their attempt is not counted. One that was alone
   * waits as after any failed attempt.
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
  { after, first, withoutBrowser = false }: Turn,
): Promise<string | undefined> {
  // The oldest, not the first to be ripe: a job that is tried again does not queue again behind all others.
  const ripe = () => {
    const query = db<RenderRow>('renders')
      .where('claimable_at', '<=', now.getTime())
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
