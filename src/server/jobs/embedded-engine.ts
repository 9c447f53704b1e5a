// The engine for one server on a database of its own: polls the database, and does the work in this process.

import type { ClaimedDelivery } from '#server/storage/deliveries.ts';
import type { Storage } from '#server/storage/storage.ts';
import { EmbeddedQueue } from './embedded-queue.ts';
import type { Engine, EngineOptions, Maintenance } from './engine.ts';
import { FetchLoop } from './fetch-loop.ts';
import { SENDING, type Send, type WebhookQueue } from './webhook-queue.ts';

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
