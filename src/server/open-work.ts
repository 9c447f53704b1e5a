// Opens what a server does in the background: jobs, webhooks and maintenance.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Observer, observed } from '#base/trace.ts';
import type { Config } from '#server/config/config.ts';
import type { Engine } from '#server/jobs/engine.ts';
import { openEngine } from '#server/jobs/open-engine.ts';
import type { Log } from '#server/observability/log.ts';
import { newRequestId } from '#server/observability/trace-context.ts';
import { eraseDeleted } from '#server/service/accounts/erasure.ts';
import { sweep } from '#server/service/files/retention.ts';
import { doJob, type JobContext } from '#server/service/jobs/do-job.ts';
import { jobWork } from '#server/service/jobs/job-work.ts';
import { sendWebhook, type WebhookTransport } from '#server/service/jobs/webhooks.ts';
import type { ScreenshotContext } from '#server/service/pages/screenshot.ts';
import type { RenderContext } from '#server/service/rendering/render.ts';
import type { RenderStorage } from '#server/service/rendering/render-storage.ts';
import type { Variants } from '#server/service/rendering/variants.ts';
import type { BlobStore } from '#server/storage/blobs.ts';
import { DRAIN_TIME } from './listen.ts';
import type { Services } from './services.ts';

/** What the work is done with. */
export interface WorkContext extends Pick<ScreenshotContext, 'pages' | 'pageFilesOf'> {
  readonly services: Services;
  readonly rendering: RenderContext;
  readonly renderStorage: RenderStorage;
  readonly variants: Variants;
  readonly assetBlobs: BlobStore;
  readonly webhookTransport: WebhookTransport;
  /** This process, to others on the same database. */
  readonly worker: string;
  readonly random: () => number;
  readonly observer: Observer;
  /** Told how long a job waited for its first attempt, ms. */
  readonly onStarted: (ms: number) => void;
  readonly address: () => string;
}

/** @param parts closes the engine, after its work has ended */
export async function openWork(
  config: Config,
  log: Log,
  parts: AsyncDisposableStack,
  ctx: WorkContext,
): Promise<BackgroundWork> {
  const { services, rendering, variants, assetBlobs, random, observer, address } = ctx;
  const { storage, clock, images, fonts } = services;
  const { alone, roles, assetTtl, auditTtl } = config;
  const sending = { secrets: storage.secrets, transport: ctx.webhookTransport, clock, random, log, observer };
  const kept = { storage, assetBlobs, assetTtl, auditTtl, uploads: [images, fonts], variants, clock };
  const blobs = { assets: assetBlobs, images: images.blobs, fonts: fonts.blobs };
  const engine = parts.use(
    await openEngine({
      database: config.database,
      storage,
      alone,
      withoutBrowser: !roles.has('browser'),
      concurrency: config.jobConcurrency,
      worker: ctx.worker,
      clock,
      random,
      doJob: (job) => {
        if (job.attempt === 1) ctx.onStarted(Math.max(0, clock().getTime() - job.createdAt.getTime()));
        const begun = { requestId: newRequestId(), clientRequestId: null, traceparent: null, tracestate: null };
        const operation = { kind: 'job', job: job.id, attempt: job.attempt } as const;
        return observed(observer, operation, job.trace ?? begun, () => doJob(jobs, job));
      },
      send: (delivery) => sendWebhook(sending, delivery),
      sweep: (signal) => sweep(kept, signal),
      erase: (signal) => eraseDeleted({ storage, blobs, variants, log }, signal),
      onError: (err, part) => log.error({ err }, part),
      onWarning: (message) => log.warn(message),
    }),
  );
  const jobs: JobContext = {
    storage,
    assets: rendering.assets,
    work: jobWork(rendering, ctx, ctx.renderStorage),
    queue: engine.jobs,
    webhooks: engine.webhooks,
    clock,
    random,
    log,
    address,
  };
  return new BackgroundWork(engine, roles.has('worker'), log);
}

/** Pause between attempts to start processing jobs, ms. */
const BUSY_PAUSE = 1_000;

/** Begins and ends jobs, webhooks and maintenance. */
export class BackgroundWork {
  /** Its queues take what is to be done. */
  readonly engine: Engine;
  readonly #isWorker: boolean;
  readonly #log: Log;
  #ends: Promise<unknown> | null = null;
  #isStopping = false;

  /** @param isWorker whether the server does jobs and sends webhooks */
  constructor(engine: Engine, isWorker: boolean, log: Log) {
    this.engine = engine;
    this.#isWorker = isWorker;
    this.#log = log;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Jobs that could begin at once. */
  get freeSlots(): number {
    return this.#isWorker ? this.engine.jobs.free : 0;
  }

  /** @param withJobs whether jobs begin too, or later by `beginJobs` */
  async begin(withJobs: boolean): Promise<void> {
    const { jobs, webhooks, maintenance } = this.engine;
    if (this.#isWorker && withJobs) await jobs.start();
    if (this.#isWorker) await webhooks.start();
    await maintenance.start();
  }

  /** Retries however long the database is busy: the server is running already, so this is no failed start. */
  async beginJobs(): Promise<void> {
    while (this.#isWorker && !this.#isStopping) {
      try {
        return await this.engine.jobs.start();
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
    const { jobs, webhooks, maintenance } = this.engine;
    this.#ends ??= Promise.all([jobs, webhooks, maintenance].map((part) => part.drain(DRAIN_TIME)));
    await this.#ends;
  }
}
