// Runs the jobs, webhooks and maintenance of several servers on one PostgreSQL, by pg-boss.

import type { ClaimedDelivery } from '#server/storage/deliveries.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import type { Engine, EngineOptions } from '../engine.ts';
import { SENDING, type Send, type WebhookQueue } from '../engine.ts';
import { FetchLoop } from '../fetch-loop.ts';
import { BossQueue } from './boss-queue.ts';
import { type Boss, entryId, type Held, openBoss, type QueueName, TOUCHED_EVERY } from './open-boss.ts';

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
