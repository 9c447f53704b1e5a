// The job queue of one machine: p-queue runs the jobs claimed from the database.
//
// It claims no more than it can start at once, so that waiting jobs stay in the database. A heartbeat renews the lease
// of each running job; a job whose lease is lost runs to its end, but the fence voids its result. Jobs that were
// running when the process died are started first and alone, so that if one of them was the cause, it is known which.
// Otherwise accounts take turns, one job each.

import PQueue from 'p-queue';
import { endsWithin } from '#base/concurrency/deadline.ts';
import type { ClaimedJob, JobStore, NewJob } from '#server/storage/jobs.ts';
import type { Stores } from '#server/storage/storage.ts';
import { retryAt } from './backoff.ts';
import type { DoJob, JobQueue } from './job-queue.ts';

/** How long a claim holds without a heartbeat, ms: after this another worker replaces one that died or hangs. */
export const LEASE = 30_000;
const HEARTBEAT = 10_000;
/** Poll interval for jobs without a `wake`, mostly retries, ms. */
const POLL = 1_000;
/** How long jobs run one at a time after a crash at most, ms: all are to be started within 31 s of it. */
const CAREFUL = 15_000;

export interface EmbeddedQueueOptions {
  /** Of a database whose jobs no other process works on. */
  readonly jobs: JobStore;
  /** True where jobs that need a browser are left to other servers. */
  readonly withoutBrowser?: boolean;
  /** Number of jobs that run at the same time. */
  readonly concurrency: number;
  /** Unique to this process, never reused. */
  readonly worker: string;
  readonly clock: () => Date;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  /** Called with errors that belong to no job, or that were not recorded. */
  readonly onError: (error: unknown) => void;
}

export class EmbeddedQueue implements JobQueue {
  readonly #options: EmbeddedQueueOptions;
  readonly #doJob: DoJob;
  readonly #work: PQueue;
  readonly #running = new Set<ClaimedJob>();
  /** Ids of the jobs that were running when the previous process died. */
  readonly #suspects = new Set<string>();
  readonly #timers: NodeJS.Timeout[] = [];
  #started = false;
  #stopped = false;
  /** The account whose job was claimed last. */
  #lastAccount = '';
  /** The current claim, and whether `wake` was called meanwhile. */
  #claiming: Promise<void> | null = null;
  #wakened = false;

  constructor(options: EmbeddedQueueOptions, doJob: DoJob) {
    this.#options = options;
    this.#doJob = doJob;
    this.#work = new PQueue({ concurrency: options.concurrency });
  }

  async add({ jobs }: Stores, added: readonly NewJob[]): Promise<void> {
    await jobs.insertAll(added);
  }

  /** Nothing to do: the row records the end. */
  async ended(): Promise<void> {}

  async start(): Promise<void> {
    await this.#takeBack();
    if (this.#stopped) return;
    this.#started = true;
    this.#timers.push(
      setTimeout(() => this.#suspects.clear(), CAREFUL),
      setInterval(() => this.wake(), POLL),
      setInterval(() => void this.heartbeat(), HEARTBEAT),
    );
    this.wake();
  }

  wake(): void {
    if (this.#stopped || !this.#started) return;
    this.#wakened = true;
    this.#claiming ??= this.#claim()
      .catch(this.#options.onError)
      .finally(() => {
        this.#claiming = null;
      });
  }

  /** Number of further jobs that could run. */
  get free(): number {
    return this.#options.concurrency - this.#running.size;
  }

  /** Renews the leases of the running jobs. */
  async heartbeat(): Promise<void> {
    for (const job of this.#running) {
      await this.#options.jobs.renew(job, this.#leaseEnd()).catch(this.#options.onError);
    }
  }

  async drain(patience: number): Promise<void> {
    this.#stopped = true;
    await this.#claiming;
    await endsWithin(patience, this.#work.onIdle());
    for (const timer of this.#timers) clearTimeout(timer);
    const { jobs, clock, onError } = this.#options;
    for (const job of this.#running) await jobs.handBack(job, clock()).catch(onError);
  }

  /** The database is locked for this server, so no other process can be working on a job. */
  async #takeBack(): Promise<void> {
    const { jobs, clock, random } = this.#options;
    const now = clock();
    const abandoned = await jobs.takeBack(now, (attempt) => retryAt(attempt, now, random));
    for (const id of abandoned) this.#suspects.add(id);
  }

  async #claim(): Promise<void> {
    const { jobs, concurrency, worker, clock, withoutBrowser = false } = this.#options;
    while (this.#wakened && !this.#stopped) {
      this.#wakened = false;
      const free = (this.#suspects.size > 0 ? 1 : concurrency) - this.#running.size;
      if (free <= 0) return;
      const running = [...this.#running].map(({ id }) => id);
      const order = { after: this.#lastAccount, first: [...this.#suspects], withoutBrowser, running };
      for (const job of await jobs.claim(worker, free, clock(), this.#leaseEnd(), order)) {
        this.#lastAccount = job.accountId;
        this.#running.add(job);
        void this.#work.add(() => this.#run(job));
      }
    }
  }

  #leaseEnd(): Date {
    return new Date(this.#options.clock().getTime() + LEASE);
  }

  async #run(job: ClaimedJob): Promise<void> {
    try {
      const again = await this.#doJob(job);
      if (again?.counts) await this.#options.jobs.retry(job, again.at);
      else if (again) await this.#options.jobs.handBack(job, again.at);
    } catch (error) {
      this.#options.onError(error);
    }
    this.#running.delete(job);
    this.#suspects.delete(job.id);
    this.wake();
  }
}
