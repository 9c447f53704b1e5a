// Jobs: renders that wait or are worked on. The row is the truth, whatever wakes a worker.
//
// A job is claimed for a time, its lease, and may be claimed by another when that ends. Everything that a worker writes
// about it is fenced by worker and attempt: who lost the lease changes nothing any more.

import type { Trace } from '../trace.ts';
import { atomically, type Database, isPostgres } from './database.ts';
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

/** When a job counts as its worker's no more. */
export interface LapsedLease {
  /** Those that ended before `now` … */
  readonly now: Date;
  /** … and after this: what nobody took on since then is claimed like any other job. */
  readonly since: Date;
  /** Leaves out those that need a browser. */
  readonly withoutBrowser?: boolean;
}

/** Whose turn it is to have jobs claimed. */
export interface Turn {
  /** The account that had it last; '' = nobody yet. Turns go round by the accounts' ids. */
  readonly after: string;
  /** Jobs that go before all others. */
  readonly first: readonly string[];
  /** Where given, jobs whose lease ended after it are left to `claimLapsed`. */
  readonly lapsedSince?: Date;
  /** Leaves out those that need a browser. */
  readonly withoutBrowser?: boolean;
}

const fromRow = (row: RenderRow): ClaimedJob => ({
  ...baseOf(row),
  request: JSON.parse(row.request ?? 'null'),
  webhookUrl: row.webhook_url,
  metered: row.metered !== 0,
  trace: parseTrace(row.trace),
  worker: row.worker ?? '',
  attempt: row.attempt,
});

export class JobStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert(job: NewJob): Promise<void> {
    await this.#db<RenderRow>('renders').insert({
      ...baseColumns(job),
      ...(job.asked ? askedColumns(job.asked) : {}),
      status: 'queued',
      request: JSON.stringify(job.request),
      webhook_url: job.webhookUrl,
      metered: Number(job.metered),
      needs_browser: Number(job.needsBrowser ?? false),
      trace: job.trace ? JSON.stringify(job.trace) : null,
      claimable_at: job.createdAt.getTime(),
    });
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
        if (row) claimed.push(fromRow(row));
      }
      return claimed;
    });
  }

  /** Whether a worker has lost a job, so that all but one thing at a time should stop. */
  async hasLapsed(lease: LapsedLease): Promise<boolean> {
    return (await lapsed(this.#db, lease).first('id')) !== undefined;
  }

  /**
   * Takes one job whose worker lost it. If that worker lost several, its death is blamed on none of them but the last: their
   * attempt is not counted.
   */
  async claimLapsed(worker: string, lease: LapsedLease, leaseUntil: Date): Promise<ClaimedJob | null> {
    return atomically(this.#db, async (tx) => {
      const query = lapsed(tx, lease).orderBy(['created_at', 'id']).first('id', 'worker');
      const found = await (isPostgres(tx) ? query.forUpdate().skipLocked() : query);
      if (!found) return null;
      const others = await tx<RenderRow>('renders')
        .where({ status: 'processing', worker: found.worker })
        .whereNot({ id: found.id })
        .first('id');
      const [row]: RenderRow[] = await tx<RenderRow>('renders')
        .where({ id: found.id })
        .update({
          // From one's own hands it is another attempt in any case: the two must not be taken for each other.
          attempt: tx.raw(others && found.worker !== worker ? 'attempt' : 'attempt + 1'),
          worker,
          claimable_at: leaseUntil.getTime(),
        })
        .returning('*');
      return row ? fromRow(row) : null;
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

  /** Lets a job wait for another attempt. */
  async retry(job: ClaimedJob, at: Date): Promise<void> {
    await this.#held(job).update({ status: 'queued', worker: null, claimable_at: at.getTime() });
  }

  /** Gives a job back as if it had not been begun. */
  async handBack(job: ClaimedJob, at: Date): Promise<void> {
    await this.#held(job).update({
      status: 'queued',
      attempt: this.#db.raw('attempt - 1'),
      worker: null,
      claimable_at: at.getTime(),
    });
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

const lapsed = (db: Database, { now, since, withoutBrowser = false }: LapsedLease) => {
  const query = db<RenderRow>('renders')
    .where({ status: 'processing' })
    .where('claimable_at', '<=', now.getTime())
    .where('claimable_at', '>', since.getTime());
  return withoutBrowser ? query.whereRaw('NOT needs_browser') : query;
};

/** The id of the job to claim next. */
async function nextRipe(
  db: Database,
  now: Date,
  { after, first, lapsedSince, withoutBrowser = false }: Turn,
): Promise<string | undefined> {
  // The oldest, not the first to be ripe: a job that is tried again does not queue again behind all others.
  const ripe = () => {
    const query = db<RenderRow>('renders')
      .where('claimable_at', '<=', now.getTime())
      .orderBy(['account_id', 'created_at'])
      .first('id');
    if (lapsedSince) {
      query.where((of) => of.where('status', 'queued').orWhere('claimable_at', '<=', lapsedSince.getTime()));
    }
    if (withoutBrowser) query.whereRaw('NOT needs_browser');
    // What another node is about to claim is not ours.
    return isPostgres(db) ? query.forUpdate().skipLocked() : query;
  };
  const found =
    (first.length > 0 ? await ripe().whereIn('id', first) : undefined) ??
    (await ripe().where('account_id', '>', after)) ??
    (await ripe());
  return found?.id;
}
