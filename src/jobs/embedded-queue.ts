// The job queue of one machine: p-queue does the jobs that it claims from the database.
//
// It claims no more than it can begin at once, so that what waits, waits in the database. Each job that runs is kept
// by a heartbeat; one whose lease is lost goes on to its end, which the fence then makes void. The jobs that were on
// the way when the process died are begun first and alone, so that if one of them was the cause, it is known which.
// Else accounts take turns, one job each.

import PQueue from 'p-queue';
import type { ClaimedJob, JobStore, NewJob } from '#storage/jobs.ts';
import type { Stores } from '#storage/storage.ts';
import { retryAt } from './backoff.ts';
import type { DoJob, JobQueue } from './job-queue.ts';

/** How long a claim holds without a heartbeat, ms: a worker that died or hangs is replaced after this. */
export const LEASE = 30_000;
const HEARTBEAT = 10_000;
/** How often the database is asked for jobs that nobody hinted at: those to be tried again, mostly; ms. */
const POLL = 1_000;
/** How long one job at a time is done after a crash, at most, ms: all are to be begun within 31 s of it. */
const CAREFUL = 15_000;

export interface EmbeddedQueueOptions {
  /** Of a database whose jobs no other process works on. */
  readonly jobs: JobStore;
  /** True where jobs that need a browser are left to others. */
  readonly withoutBrowser?: boolean;
  /** How many jobs run at the same time. */
  readonly concurrency: number;
  /** Unique to this process, and never used again. */
  readonly worker: string;
  readonly clock: () => Date;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  /** What went wrong without a job to blame, or was not recorded. */
  readonly onError: (error: unknown) => void;
}

export class EmbeddedQueue implements JobQueue {
  readonly #options: EmbeddedQueueOptions;
  readonly #doJob: DoJob;
  readonly #work: PQueue;
  readonly #running = new Set<ClaimedJob>();
  /** What was on the way when the process before this one died. */
  readonly #suspects = new Set<string>();
  readonly #timers: NodeJS.Timeout[] = [];
  #started = false;
  #stopped = false;
  /** Whose job was claimed last. */
  #lastAccount = '';
  /** The claim under way, and whether somebody woke us meanwhile. */
  #claiming: Promise<void> | null = null;
  #wakened = false;

  constructor(options: EmbeddedQueueOptions, doJob: DoJob) {
    this.#options = options;
    this.#doJob = doJob;
    this.#work = new PQueue({ concurrency: options.concurrency });
  }

  async add({ jobs }: Stores, added: readonly NewJob[]): Promise<void> {
    for (const job of added) await jobs.insert(job);
  }

  /** Its row says so. */
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

  /** How many jobs more could run. */
  get free(): number {
    return this.#options.concurrency - this.#running.size;
  }

  /** Extends the leases of the jobs that run. */
  async heartbeat(): Promise<void> {
    for (const job of this.#running) {
      await this.#options.jobs.renew(job, this.#leaseEnd()).catch(this.#options.onError);
    }
  }

  async drain(patience: number): Promise<void> {
    this.#stopped = true;
    await this.#claiming;
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, patience);
    await Promise.race([this.#work.onIdle(), timeout.promise]);
    clearTimeout(timer);
    for (const timer of this.#timers) clearTimeout(timer);
    const { jobs, clock, onError } = this.#options;
    for (const job of this.#running) await jobs.handBack(job, clock()).catch(onError);
  }

  /** The database is locked for this server, so nobody lives who could still be working on a job. */
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
      const turn = { after: this.#lastAccount, first: [...this.#suspects], withoutBrowser };
      for (const job of await jobs.claim(worker, free, clock(), this.#leaseEnd(), turn)) {
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
