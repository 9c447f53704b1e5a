// Jobs: renders that wait or are worked on. The row is the truth, whatever wakes a worker.
//
// A job is claimed for a time, its lease, and may be claimed by another when that ends. Everything that a worker writes
// about it is fenced by worker and attempt: who lost the lease changes nothing any more.

import type { Output } from '#output/formats.ts';
import { atomically, type Database } from './database.ts';
import type { Render } from './renders.ts';

export interface NewJob {
  readonly id: string;
  readonly accountId: string;
  readonly kind: Render['kind'];
  readonly output: Output;
  /** What to do; plain JSON. It may hold what is secret (cookies of a page), and is forgotten at the job's end. */
  readonly request: unknown;
  readonly webhookUrl: string | null;
  /** Whether a unit of usage is set aside for it. */
  readonly metered: boolean;
  readonly createdAt: Date;
}

/** A job in a worker's hands. */
export interface ClaimedJob extends NewJob {
  readonly worker: string;
  /** From 1 up; counted when it is claimed, so that a job that kills its worker is counted too. */
  readonly attempt: number;
}

interface Row {
  id: string;
  account_id: string;
  kind: Render['kind'];
  status: Render['status'];
  output: Output;
  size: number | null;
  error: string | null;
  request: string | null;
  webhook_url: string | null;
  metered: number;
  attempt: number;
  worker: string | null;
  claimable_at: number | null;
  created_at: number;
  finished_at: number | null;
}

const fromRow = (row: Row): ClaimedJob => ({
  id: row.id,
  accountId: row.account_id,
  kind: row.kind,
  output: row.output,
  request: JSON.parse(row.request ?? 'null'),
  webhookUrl: row.webhook_url,
  metered: row.metered !== 0,
  createdAt: new Date(row.created_at),
  worker: row.worker ?? '',
  attempt: row.attempt,
});

export class JobStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert(job: NewJob): Promise<void> {
    await this.#db<Row>('renders').insert({
      id: job.id,
      account_id: job.accountId,
      kind: job.kind,
      status: 'queued',
      output: job.output,
      request: JSON.stringify(job.request),
      webhook_url: job.webhookUrl,
      metered: Number(job.metered),
      claimable_at: job.createdAt.getTime(),
      created_at: job.createdAt.getTime(),
    });
  }

  /** Takes up to `limit` jobs whose turn has come, the oldest first, among them those whose lease has ended. */
  async claim(worker: string, limit: number, now: Date, leaseUntil: Date): Promise<ClaimedJob[]> {
    const ripe = this.#db<Row>('renders')
      .where('claimable_at', '<=', now.getTime())
      // The oldest, not the first to be ripe: a job that is tried again does not queue again behind all others.
      .orderBy('created_at')
      .limit(limit)
      .select('id');
    const rows: Row[] = await this.#db<Row>('renders')
      .whereIn('id', ripe)
      .update({
        status: 'processing',
        attempt: this.#db.raw('attempt + 1'),
        worker,
        claimable_at: leaseUntil.getTime(),
      })
      .returning('*');
    return rows.map(fromRow).sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  }

  /** Extends a lease; false when it was lost. */
  async renew(job: ClaimedJob, leaseUntil: Date): Promise<boolean> {
    return (await this.#held(job).update({ claimable_at: leaseUntil.getTime() })) > 0;
  }

  /** Ends a job as done; false, and nothing changed, when the lease was lost. */
  async finish(job: ClaimedJob, size: number, now: Date): Promise<boolean> {
    const ended = { status: 'done', size, request: null, claimable_at: null, finished_at: now.getTime() } as const;
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
      const abandoned = () => tx<Row>('renders').where({ status: 'processing' });
      const found: Pick<Row, 'id' | 'attempt'>[] = await abandoned().select('id', 'attempt');
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
    return this.#db<Row>('renders').where({ id, worker, attempt, status: 'processing' });
  }
}
