// Runs a claimed job: draws the bytes, stores the asset, and records the outcome in one transaction.
//
// The transaction covers the job's state, its unit of usage, its webhook and that of a batch it is the last item of, and is fenced by the job's lease. Even if
// a server is killed or a job is run twice, the job ends once, is counted once and is announced once.

import { AppError, OUR_FAULT } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';
import type { Drawing } from '#draw/renderer/renderer.ts';
import type { Again, JobQueue, WebhookQueue } from '#server/jobs/engine.ts';
import { retryAt } from '#server/jobs/engine.ts';
import type { Log } from '#server/observability/log.ts';
import type { ClaimedDelivery } from '#server/storage/deliveries.ts';
import type { ClaimedJob, JobAsset } from '#server/storage/jobs.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import { jobUnit } from '../accounts/quota.ts';
import type { Assets } from '../files/assets.ts';
import { digestOf } from '../files/checked-files.ts';
import { shownMetadata } from '../rendering/metadata.ts';
import { shownWarnings, warningSentences } from '../rendering/warnings.ts';
import { batchRecord, progressOf } from './batches.ts';
import { announce, type CompletionEvent } from './webhooks.ts';

/** Draws what a job's request asks for. Only the jobs of test keys are not metered, and marked so. */
type JobWork = (job: Pick<ClaimedJob, 'accountId' | 'request' | 'metered'>) => Promise<Drawing>;

export interface JobContext {
  readonly storage: Storage;
  readonly assets: Assets;
  readonly work: Readonly<Record<ClaimedJob['kind'], JobWork>>;
  readonly queue: Pick<JobQueue, 'ended'>;
  readonly webhooks: Pick<WebhookQueue, 'add' | 'wake'>;
  readonly clock: () => Date;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly log: Log;
  /** Of this server, as clients reach it. */
  readonly address: () => string;
}

const MAX_ATTEMPTS = 3;
/** How long a busy server costs no attempt, ms: after that, the job itself may be what no server has room for. */
const PATIENCE = 24 * 60 * 60 * 1000;

/**
 * @returns when to retry; null when the job has ended
 * @throws only when the outcome could not be recorded
 */
export async function doJob(ctx: JobContext, job: ClaimedJob): Promise<Again | null> {
  if (job.attempt > MAX_ATTEMPTS) {
    // The outcome of the last attempt was never recorded: it ended with its process, as earlier attempts may have.
    await fail(ctx, job, `The server stopped ${MAX_ATTEMPTS} times during this job; it is not tried again.`);
    return null;
  }
  try {
    const { bytes, diagnostics } = await ctx.work[job.kind](job);
    // What another worker has stored since then is not replaced: its size and digest are in the row.
    if (!(await ctx.storage.jobs.isHeld(job))) {
      warnOfLostLease(ctx, job);
      return null;
    }
    await ctx.assets.write(job, bytes);
    const warnings = warningSentences(diagnostics);
    await finish(ctx, job, { size: bytes.length, digest: await digestOf(bytes), warnings });
    return null;
  } catch (error) {
    return settle(ctx, job, error);
  }
}

async function finish(ctx: JobContext, job: ClaimedJob, asset: JobAsset): Promise<void> {
  const { id } = job;
  const told = { ...shownMetadata(job.metadata), ...shownWarnings(asset.warnings) };
  await end(
    ctx,
    job,
    { id, status: 'done', result: ctx.assets.result(job), error: null, ...told },
    async ({ jobs, usage }) => {
      if (!(await jobs.finish(job, asset, ctx.clock()))) return false;
      if (job.metered) await usage.commit(jobUnit(job));
      return true;
    },
  );
}

async function fail(ctx: JobContext, job: ClaimedJob, error: string): Promise<void> {
  const { id } = job;
  await end(
    ctx,
    job,
    { id, status: 'error', result: null, error, ...shownMetadata(job.metadata) },
    async ({ jobs, usage }) => {
      if (!(await jobs.fail(job, error, ctx.clock()))) return false;
      if (job.metered) await usage.release(id);
      return true;
    },
  );
}

/**
 * @param record writes the outcome; returns false when another server has the job by now
 */
async function end(
  ctx: JobContext,
  job: ClaimedJob,
  completion: CompletionEvent,
  record: (stores: Stores) => Promise<boolean>,
): Promise<void> {
  let isAnnounced = false;
  const recorded = await ctx.storage.transaction(async (stores) => {
    if (!(await record(stores))) return false;
    await ctx.queue.ended(stores, job);
    const deliveries = [
      await announce(stores.deliveries, job, completion, ctx.clock()),
      await announceBatch(stores, job.id, ctx.address(), ctx.clock()),
    ];
    for (const delivery of deliveries) if (delivery) await ctx.webhooks.add(stores, delivery);
    isAnnounced = deliveries.some((delivery) => delivery !== null);
    return true;
  });
  const { log } = ctx;
  if (recorded) log.info({ job: job.id, status: completion.status, attempt: job.attempt }, 'job');
  else warnOfLostLease(ctx, job);
  if (recorded && isAnnounced) ctx.webhooks.wake();
}

function warnOfLostLease({ log }: JobContext, { id, attempt }: ClaimedJob): void {
  log.warn({ job: id, attempt }, 'a job ended after its lease, and was left to its new worker');
}

/** Fails the job, or returns when to retry it where that may help. */
async function settle(ctx: JobContext, job: ClaimedJob, error: unknown): Promise<Again | null> {
  const isBusy = error instanceof AppError && (error.code === 'overloaded' || error.code === 'no_browser');
  if (isBusy && ctx.clock().getTime() - job.createdAt.getTime() < PATIENCE) {
    // Not the job's fault: it was not begun, or there was no room for its result.
    return { at: retryAt(1, ctx.clock(), ctx.random), counts: false };
  }
  if (!isBusy && isFinal(error)) {
    await fail(ctx, job, error.message);
    return null;
  }
  ctx.log.error({ err: error, job: job.id, attempt: job.attempt }, 'job failed');
  if (job.attempt < MAX_ATTEMPTS) return { at: retryAt(job.attempt, ctx.clock(), ctx.random), counts: true };
  await fail(ctx, job, error instanceof AppError ? error.message : OUR_FAULT);
  return null;
}

/** Whether the same request would fail again in the same way. */
function isFinal(error: unknown): error is Error {
  return error instanceof ValidationError || (error instanceof AppError && error.code !== 'render_failed');
}

// Announces a batch whose last item has ended, to the URL that was given with the batch.
//
// The delivery is created in the transaction that ends that item, as that of a job is.

/**
 * @param renderId of an item that this transaction has ended
 * @param address of this server
 * @returns null = the batch is not over, or has no webhook; or the render is of no batch
 */
async function announceBatch(
  { batches, deliveries }: Pick<Stores, 'batches' | 'deliveries'>,
  renderId: string,
  address: string,
  now: Date,
): Promise<ClaimedDelivery | null> {
  const ended = await batches.endedWith(renderId);
  if (!ended) return null;
  const batch = await progressOf(batches, ended);
  const error = batch.isReady ? null : (batch.errors[0]?.error ?? 'Every item failed.');
  const status = batch.isReady ? 'done' : 'error';
  const told = { id: batch.id, status, result: null, error, batch: batchRecord(batch, address) } as const;
  return announce(deliveries, ended, told, now);
}
