// Begins and ends what a server does beside answering: jobs, webhooks and maintenance.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '#server/jobs/engine.ts';
import type { Log } from '#server/observability/log.ts';
import { DRAIN_TIME } from './listen.ts';

/** Pause between attempts to start processing jobs, ms. */
const BUSY_PAUSE = 1_000;

export class BackgroundWork {
  readonly #engine: Engine;
  readonly #isWorker: boolean;
  readonly #log: Log;
  #ends: Promise<unknown> | null = null;
  #isStopping = false;

  /** @param isWorker whether the server does jobs and sends webhooks */
  constructor(engine: Engine, isWorker: boolean, log: Log) {
    this.#engine = engine;
    this.#isWorker = isWorker;
    this.#log = log;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Jobs that could begin at once. */
  get freeSlots(): number {
    return this.#isWorker ? this.#engine.jobs.free : 0;
  }

  /** @param withJobs whether jobs begin too, or later by `beginJobs` */
  async begin(withJobs: boolean): Promise<void> {
    const { jobs, webhooks, maintenance } = this.#engine;
    if (this.#isWorker && withJobs) await jobs.start();
    if (this.#isWorker) await webhooks.start();
    await maintenance.start();
  }

  /** Retries however long the database is busy: the server is running already, so this is no failed start. */
  async beginJobs(): Promise<void> {
    while (this.#isWorker && !this.#isStopping) {
      try {
        return await this.#engine.jobs.start();
      } catch (err) {
        this.#log.error({ err }, 'jobs cannot be begun');
        await sleep(BUSY_PAUSE);
      }
    }
  }

  /** Lets load balancers notice, before anything is stopped. */
  announceStop(): void {
    this.#isStopping = true;
  }

  /** Begins nothing more, and waits for what runs, for at most `DRAIN_TIME`. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const { jobs, webhooks, maintenance } = this.#engine;
    this.#ends ??= Promise.all([jobs, webhooks, maintenance].map((part) => part.drain(DRAIN_TIME)));
    await this.#ends;
  }
}
