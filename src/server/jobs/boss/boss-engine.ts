// Runs the jobs, webhooks and maintenance of several servers on one PostgreSQL, by pg-boss.

import { endsWithin } from '#base/concurrency/deadline.ts';
import type { ClaimedDelivery } from '#server/storage/deliveries.ts';
import type { ClaimedJob, NewJob } from '#server/storage/jobs.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import {
  type Again,
  type DoJob,
  type Engine,
  type EngineOptions,
  type JobQueue,
  SENDING,
  type Send,
  type WebhookQueue,
} from '../engine.ts';
import { FetchLoop } from '../fetch-loop.ts';
import {
  type Boss,
  entryId,
  type Held,
  openBoss,
  type QueueEntry,
  type QueueName,
  TOUCHED_EVERY,
} from './open-boss.ts';

/** Cron expressions in UTC: every hour, and every minute. pg-boss checks them twice a minute. */
const SWEEP_AT = '17 * * * *';
const EVERY_MINUTE = '* * * * *';

export async function openBossEngine(options: EngineOptions): Promise<Engine> {
  await using parts = new AsyncDisposableStack();
  const { database, storage, doJob, send, sweep, erase, onError, onWarning } = options;
  const report = (part: string) => (error: unknown) => onError(error, part);
  const boss = parts.use(await openBoss({ url: database, onError: report('pg-boss'), onWarning }));
  const jobs = new BossQueue({ ...options, boss, onError: report('job queue') }, doJob);
  const webhooks = new BossWebhooks({ ...options, boss, onError: report('webhooks') }, send);
  const enterMissing = async () => {
    await jobs.enterMissing();
    await webhooks.enterMissing();
  };
  const duties = {
    sweep: { cron: SWEEP_AT, perform: sweep },
    missing: { cron: EVERY_MINUTE, perform: enterMissing },
    erase: { cron: EVERY_MINUTE, perform: erase },
  };
  const maintenance = new BossMaintenance({ boss, storage, duties, onError: report('maintenance') });
  const queues: Readonly<Record<QueueName, { wake(): void }>> = { jobs, webhooks, maintenance };
  parts.use(await boss.listen((queue) => queues[queue]?.wake()));
  const opened = parts.move();
  return { jobs, webhooks, maintenance, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

// Runs scheduled duties on one of all nodes: pg-boss's cron enters each, and the first node to fetch it runs it.

interface Duty {
  /** Cron expression with five fields, in UTC. */
  readonly cron: string;
  /**
   * @param signal stops between two steps
   */
  readonly perform: (signal: AbortSignal) => Promise<void>;
}

interface BossMaintenanceOptions {
  readonly boss: Boss;
  readonly storage: Storage;
  readonly duties: Readonly<Record<string, Duty>>;
  readonly onError: (error: unknown) => void;
}

class BossMaintenance {
  readonly #options: BossMaintenanceOptions;
  readonly #stop = new AbortController();
  readonly #loop: FetchLoop<Held>;

  constructor(options: BossMaintenanceOptions) {
    this.#options = options;
    const { boss, storage, onError } = options;
    this.#loop = new FetchLoop({
      concurrency: 1,
      fetch: (limit) => boss.fetch(storage, 'maintenance', { limit }),
      perform: (held) => this.#perform(held),
      renewal: { every: TOUCHED_EVERY, renew: (held) => boss.touch('maintenance', held) },
      release: (held) => boss.giveBack(storage, 'maintenance', [held]),
      onError,
    });
  }

  async start(): Promise<void> {
    const { boss, duties } = this.#options;
    for (const [name, { cron }] of Object.entries(duties)) await boss.schedule('maintenance', name, cron);
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  async drain(patience: number): Promise<void> {
    this.#stop.abort();
    await this.#loop.drain(patience);
  }

  /** A duty that fails is repeated at its next scheduled time. */
  async #perform(held: Held): Promise<void> {
    const { boss, storage, duties, onError } = this.#options;
    const { key } = held.data as { readonly key: string };
    await duties[key]?.perform(this.#stop.signal).catch(onError);
    await boss.complete(storage, 'maintenance', [held.id]);
  }
}

// Sends the webhooks of any number of servers on one PostgreSQL: pg-boss has one entry per attempt, due at its time.
//
// The outcome of an attempt and the entry of the next one are recorded in one transaction. An attempt whose node died
// is repeated.

/** The priority of entries that are to be fetched next (DeliveryStore.chooseEntries). */
const CHOSEN = 1;

interface BossWebhooksOptions {
  readonly boss: Boss;
  readonly storage: Storage;
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
}

class BossWebhooks implements WebhookQueue {
  readonly #options: BossWebhooksOptions;
  readonly #send: Send;
  readonly #loop: FetchLoop<Held>;

  constructor(options: BossWebhooksOptions, send: Send) {
    this.#options = options;
    this.#send = send;
    const { boss, storage, onError } = options;
    this.#loop = new FetchLoop({
      concurrency: SENDING.concurrency,
      fetch: (limit) =>
        storage.transaction(async (stores) => {
          // Serialised, since nodes that count the running attempts at the same time would together exceed the limits.
          await boss.lock(stores, 'deliveries');
          // pg-boss itself limits by host only.
          await stores.deliveries.chooseEntries({ ...SENDING, limit });
          return boss.fetch(stores, 'webhooks', { limit, perGroup: SENDING.perHost, minPriority: CHOSEN });
        }),
      perform: (held) => this.#perform(held),
      inRounds: true,
      renewal: { every: TOUCHED_EVERY, renew: (held) => boss.touch('webhooks', held) },
      release: (held) => storage.transaction((stores) => boss.giveBack(stores, 'webhooks', [held])),
      onError,
    });
  }

  async add(stores: Stores, { id, claim, url, dueAt }: ClaimedDelivery): Promise<void> {
    const { boss, clock } = this.#options;
    const entry = {
      id: entryId(`${id} ${claim}`),
      data: { delivery: id, claim },
      priority: 0,
      delay: Math.max(0, (dueAt?.getTime() ?? 0) - clock().getTime()),
      group: new URL(url).hostname,
    };
    await boss.add(stores, 'webhooks', [entry]);
  }

  async start(): Promise<void> {
    await this.enterMissing();
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  async drain(patience: number): Promise<void> {
    await this.#loop.drain(patience);
  }

  /** Enters open deliveries that pg-boss does not have. */
  async enterMissing(): Promise<void> {
    const { storage, boss } = this.#options;
    await boss.enterMissing(storage, 'webhooks', async (stores, most) => {
      const missing = await stores.deliveries.withoutEntry(most);
      for (const delivery of missing) {
        // One that pg-boss has as completed.
        await boss.remove(stores, 'webhooks', [entryId(`${delivery.id} ${delivery.claim}`)]);
        await this.add(stores, delivery);
      }
      return missing.length;
    });
  }

  async #perform(held: Held): Promise<void> {
    const { storage, boss } = this.#options;
    const { delivery: id, claim } = held.data as { readonly delivery: string; readonly claim: number };
    const delivery = await storage.deliveries.find(id);
    // False when it was sent again by hand, or the previous holder has recorded its outcome.
    const isDue = delivery?.claim === claim && delivery.dueAt !== null;
    const sent = isDue ? await this.#send(delivery) : null;
    await storage.transaction(async (stores) => {
      const next = isDue && sent ? await stores.deliveries.record(delivery, sent.attempt, sent.next) : null;
      if (next && next.dueAt !== null) await this.add(stores, next);
      await boss.complete(stores, 'webhooks', [held.id]);
    });
  }
}

// The job queue of any number of servers on one PostgreSQL: pg-boss gives each job to one node, lower start tags first.
//
// A job is entered in the transaction that accepts it, started in the one that fetches it, and completed in the one
// that records its end, so that pg-boss and the rows never disagree. Jobs of a node without a heartbeat for 20 s are
// dispatched again. Each of them is then run alone, so that if one of them crashed the node, it is known which.

/**
 * How long a job that its node lost waits at most to be alone, ms: all are to be started within 31 s of the node's
 * death.
 */
const ALONE_WITHIN = 3_000;
/** The pg-boss group of jobs that need a browser. */
const OF_BROWSERS = 'browser';

interface BossQueueOptions {
  readonly boss: Boss;
  readonly storage: Storage;
  /** Whether no other server works on this database: then no other process can hold a job at the start. */
  readonly alone: boolean;
  /** Whether jobs that need a browser are left to other servers. */
  readonly withoutBrowser: boolean;
  /** Number of jobs that run at the same time. */
  readonly concurrency: number;
  /** Unique to this process, never reused. */
  readonly worker: string;
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
}

interface HeldJob extends Held {
  readonly renderId: string;
  /** Null while it waits to run alone. */
  job: ClaimedJob | null;
}

class BossQueue implements JobQueue {
  readonly #options: BossQueueOptions;
  readonly #doJob: DoJob;
  readonly #loop: FetchLoop<HeldJob>;
  /** Ends when the last of the jobs that run alone has ended. */
  #aloneUntil: Promise<unknown> = Promise.resolve();
  /**
   * Number of ordinary jobs running, number of lost jobs to run alone, and the promise that resolves when none of the
   * former runs.
   */
  #running = 0;
  #lost = 0;
  #whenIdle = Promise.withResolvers<void>();

  constructor(options: BossQueueOptions, doJob: DoJob) {
    this.#options = options;
    this.#doJob = doJob;
    const { boss, concurrency, onError } = options;
    this.#loop = new FetchLoop({
      concurrency,
      fetch: (limit) => this.#fetch(limit),
      perform: (held) => this.#perform(held),
      inRounds: true,
      renewal: { every: TOUCHED_EVERY, renew: (held) => boss.touch('jobs', held) },
      release: (held) => this.#release(held),
      onError,
    });
  }

  get free(): number {
    return this.#loop.free;
  }

  async add(stores: Stores, jobs: readonly NewJob[]): Promise<void> {
    const tags = await stores.pgBossJobs.insert(jobs);
    const entries = jobs.map(({ id, needsBrowser = false }, index) => entryOf(id, -(tags[index] ?? 0), needsBrowser));
    await this.#options.boss.add(stores, 'jobs', entries);
  }

  async ended(stores: Stores, { id }: ClaimedJob): Promise<void> {
    await this.#options.boss.complete(stores, 'jobs', [entryId(id)]);
  }

  async start(): Promise<void> {
    await this.enterMissing();
    if (this.#options.alone) await this.#takeBack();
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  async drain(patience: number): Promise<void> {
    await this.#loop.drain(patience);
  }

  /** Enters jobs that pg-boss does not have. */
  async enterMissing(): Promise<void> {
    const { storage, boss } = this.#options;
    await boss.enterMissing(storage, 'jobs', async (stores, most) => {
      const missing = await stores.pgBossJobs.withoutEntry(most);
      const entries = missing.map(({ id, startTag, needsBrowser }) => entryOf(id, -(startTag ?? 0), needsBrowser));
      // Those that pg-boss has as completed.
      await boss.remove(
        stores,
        'jobs',
        entries.map(({ id }) => id),
      );
      await boss.add(stores, 'jobs', entries);
      return missing.length;
    });
  }

  /** Makes pg-boss dispatch the jobs of this server's predecessor again at once. */
  async #takeBack(): Promise<void> {
    const { storage, boss } = this.#options;
    await storage.transaction(async (stores) => {
      await boss.giveBack(stores, 'jobs', (await stores.pgBossJobs.onTheWay()).map(entryId));
    });
  }

  /** Nothing new is started beside a job that runs alone. */
  async #fetch(limit: number): Promise<HeldJob[]> {
    if (this.#lost > 0) return [];
    const { boss, storage, worker, withoutBrowser } = this.#options;
    const others = withoutBrowser ? [OF_BROWSERS] : [];
    return storage.transaction(async (stores) => {
      const fetched = await boss.fetch(stores, 'jobs', { limit, others });
      if (fetched.length === 0) return [];
      const { begun, lost } = await stores.pgBossJobs.begin(fetched.map(renderOf), worker);
      const jobs = new Map(begun.map((job) => [job.id, job]));
      const isLost = new Set(lost);
      const isOver = (held: Held) => !jobs.has(renderOf(held)) && !isLost.has(renderOf(held));
      await boss.complete(
        stores,
        'jobs',
        fetched.filter(isOver).map(({ id }) => id),
      );
      return fetched
        .filter((held) => !isOver(held))
        .map((held) => ({ ...held, renderId: renderOf(held), job: jobs.get(renderOf(held)) ?? null }));
    });
  }

  async #perform(held: HeldJob): Promise<void> {
    if (!held.job) return this.#performAlone(held);
    this.#running += 1;
    try {
      await this.#run(held, held.job);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) {
        this.#whenIdle.resolve();
        this.#whenIdle = Promise.withResolvers();
      }
    }
  }

  async #performAlone(held: HeldJob): Promise<void> {
    const { boss, storage, worker } = this.#options;
    const before = this.#aloneUntil;
    const over = Promise.withResolvers<void>();
    this.#aloneUntil = over.promise;
    this.#lost += 1;
    try {
      await endsWithin(ALONE_WITHIN, Promise.all([before, this.#running > 0 ? this.#whenIdle.promise : null]));
      held.job = await storage.transaction(async (stores) => {
        const job = await stores.pgBossJobs.beginAgain(held.renderId, worker);
        if (!job) await boss.complete(stores, 'jobs', [held.id]);
        return job;
      });
      if (held.job) await this.#run(held, held.job);
    } finally {
      this.#lost -= 1;
      over.resolve();
    }
  }

  async #run(held: HeldJob, job: ClaimedJob): Promise<void> {
    const again = await this.#doJob(job);
    if (again) await this.#again(held, job, again);
  }

  /** Queues a job for its retry time with its former priority, unless another worker holds it by now. */
  async #again({ id, priority, group }: Held, job: ClaimedJob, { at, counts }: Again): Promise<void> {
    const { boss, storage, clock } = this.#options;
    await storage.transaction(async (stores) => {
      const { jobs } = stores;
      const isOurs = counts ? await jobs.retry(job, at) : await jobs.handBack(job, at);
      if (!isOurs) return;
      await boss.remove(stores, 'jobs', [id]);
      const delay = Math.max(0, at.getTime() - clock().getTime());
      await boss.add(stores, 'jobs', [{ ...entryOf(job.id, priority, group === OF_BROWSERS), delay }]);
    });
  }

  async #release(held: HeldJob): Promise<void> {
    const { boss, storage, clock } = this.#options;
    if (held.job) await this.#again(held, held.job, { at: clock(), counts: false });
    else await storage.transaction((stores) => boss.giveBack(stores, 'jobs', [held]));
  }
}

const entryOf = (renderId: string, priority: number, needsBrowser: boolean): QueueEntry => ({
  id: entryId(renderId),
  data: { render: renderId },
  priority,
  ...(needsBrowser ? { group: OF_BROWSERS } : {}),
});

const renderOf = ({ data }: Held): string => (data as { readonly render: string }).render;
