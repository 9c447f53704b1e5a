// The engine for one server on a database of its own: polls the database, and does the work in this process.

import type { ClaimedDelivery } from '#server/storage/deliveries.ts';
import type { ClaimedJob, JobStore, NewJob } from '#server/storage/jobs.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import type { DoJob, Engine, EngineOptions, JobQueue, Maintenance } from './engine.ts';
import { retryAt, SENDING, type Send, type WebhookQueue } from './engine.ts';
import { FetchLoop } from './fetch-loop.ts';

const SWEEP_EVERY = 60 * 60 * 1000;
const ERASE_EVERY = 60 * 1000;

export function embeddedEngine(options: EngineOptions): Engine {
  const { storage, doJob, send, onError } = options;
  return {
    jobs: new EmbeddedQueue({ ...options, jobs: storage.jobs, onError: (error) => onError(error, 'job queue') }, doJob),
    webhooks: new EmbeddedWebhooks({ ...options, onError: (error) => onError(error, 'webhooks') }, send),
    maintenance: maintainRegularly(options),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Sweeps at the start and every hour, and erases at the start and every minute. */
function maintainRegularly({ sweep, erase, onError }: EngineOptions): Maintenance {
  const stop = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const running = new Map<string, Promise<void>>();
  const run = (part: string, work: EngineOptions['sweep']) => {
    if (running.has(part)) return;
    const done = work(stop.signal).catch((error) => onError(error, part));
    running.set(part, done);
    void done.then(() => running.delete(part));
  };
  return {
    async start() {
      for (const [part, work, every] of [
        ['sweep', sweep, SWEEP_EVERY] as const,
        ['erase', erase, ERASE_EVERY] as const,
      ]) {
        timers.push(setInterval(() => run(part, work), every));
        run(part, work);
      }
    },
    async drain() {
      for (const timer of timers) clearInterval(timer);
      stop.abort();
      await Promise.all(running.values());
    },
  };
}

// Sends the webhooks of one machine: claims due deliveries from the database. Accounts take turns.

/** An attempt takes 15 s at most; one without an outcome after this time died with its process, ms. */
const LOST_AFTER = 30_000;

interface EmbeddedWebhooksOptions {
  /** A database whose webhooks no other process sends. */
  readonly storage: Storage;
  readonly clock: () => Date;
  /** Called with errors, whether or not they belong to a delivery. */
  readonly onError: (error: unknown) => void;
}

export class EmbeddedWebhooks implements WebhookQueue {
  readonly #options: EmbeddedWebhooksOptions;
  readonly #loop: FetchLoop<ClaimedDelivery>;

  constructor(options: EmbeddedWebhooksOptions, send: Send) {
    this.#options = options;
    const { storage, clock, onError } = options;
    this.#loop = new FetchLoop({
      concurrency: SENDING.concurrency,
      inRounds: true,
      fetch: (limit) => {
        const now = clock();
        return storage.deliveries.claim(now, new Date(now.getTime() + LOST_AFTER), { ...SENDING, limit });
      },
      perform: async (delivery) => {
        const { attempt, next } = await send(delivery);
        await storage.deliveries.record(delivery, attempt, next);
      },
      release: async (delivery) => void (await storage.deliveries.release(delivery, clock())),
      onError,
    });
  }

  /** Nothing to do: the row says when it is due. */
  async add(): Promise<void> {}

  async start(): Promise<void> {
    const { storage, clock } = this.#options;
    // The database is locked for this server, so any previous sender is dead.
    await storage.deliveries.releaseAll(clock());
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  async drain(patience: number): Promise<void> {
    await this.#loop.drain(patience);
  }

  /** Sends due deliveries until none is left. */
  async sendDue(): Promise<void> {
    await this.#loop.pass();
  }
}

// The job queue of one machine: runs the jobs claimed from the database.
//
// It claims no more than it can start at once, so that waiting jobs stay in the database. A heartbeat renews the lease
// of each running job; a job whose lease is lost runs to its end, but the fence voids its result. Jobs that were
// running when the process died are started first and alone, so that if one of them was the cause, it is known which.
// Otherwise accounts take turns, one job each.

/** How long a claim holds without a heartbeat, ms: after this another worker replaces one that died or hangs. */
export const LEASE = 30_000;
const HEARTBEAT = 10_000;
/** How long jobs run one at a time after a crash at most, ms: all are to be started within 31 s of it. */
const CAREFUL = 15_000;

interface EmbeddedQueueOptions {
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
  readonly #loop: FetchLoop<ClaimedJob>;
  /** Ids of the jobs that were running when the previous process died. */
  readonly #suspects = new Set<string>();
  /** Until when they run one at a time (`performance.now()`). */
  #carefulUntil = 0;
  /** The account whose job was claimed last. */
  #lastAccount = '';

  constructor(options: EmbeddedQueueOptions, doJob: DoJob) {
    this.#options = options;
    this.#doJob = doJob;
    const { concurrency, jobs, clock, onError } = options;
    this.#loop = new FetchLoop({
      concurrency,
      fetch: (limit) => this.#claim(limit),
      perform: (job) => this.#run(job),
      renewal: {
        every: HEARTBEAT,
        renew: async (running) => {
          for (const job of running) await jobs.renew(job, this.#leaseEnd()).catch(onError);
        },
      },
      release: async (job) => void (await jobs.handBack(job, clock())),
      onError,
    });
  }

  async add({ jobs }: Stores, added: readonly NewJob[]): Promise<void> {
    await jobs.insertAll(added);
  }

  /** Nothing to do: the row records the end. */
  async ended(): Promise<void> {}

  async start(): Promise<void> {
    await this.#takeBack();
    this.#carefulUntil = performance.now() + CAREFUL;
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  get free(): number {
    return this.#loop.free;
  }

  /** Renews the leases of the running jobs. */
  async heartbeat(): Promise<void> {
    await this.#loop.renew();
  }

  async drain(patience: number): Promise<void> {
    await this.#loop.drain(patience);
  }

  /** The database is locked for this server, so no other process can be working on a job. */
  async #takeBack(): Promise<void> {
    const { jobs, clock, random } = this.#options;
    const now = clock();
    const abandoned = await jobs.takeBack(now, (attempt) => retryAt(attempt, now, random));
    for (const id of abandoned) this.#suspects.add(id);
  }

  async #claim(limit: number): Promise<readonly ClaimedJob[]> {
    const { jobs, worker, clock, withoutBrowser = false } = this.#options;
    if (performance.now() >= this.#carefulUntil) this.#suspects.clear();
    const running = [...this.#loop.held].map(({ id }) => id);
    const most = this.#suspects.size > 0 ? 1 - running.length : limit;
    if (most <= 0) return [];
    const order = { after: this.#lastAccount, first: [...this.#suspects], withoutBrowser, running };
    const claimed = await jobs.claim(worker, most, clock(), this.#leaseEnd(), order);
    this.#lastAccount = claimed.at(-1)?.accountId ?? this.#lastAccount;
    return claimed;
  }

  #leaseEnd(): Date {
    return new Date(this.#options.clock().getTime() + LEASE);
  }

  async #run(job: ClaimedJob): Promise<void> {
    const { jobs } = this.#options;
    try {
      const again = await this.#doJob(job);
      if (again?.counts) await jobs.retry(job, again.at);
      else if (again) await jobs.handBack(job, again.at);
    } finally {
      this.#suspects.delete(job.id);
    }
  }
}
