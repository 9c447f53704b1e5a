// What is not kept for ever: finished jobs, the log of webhooks, assets past their time, files that no render owns.
//
// A file that no render owns is what one left that was killed, or failed, between writing and committing. It is given
// an hour, so that none is taken from a render that is about to commit; a job owns its file until it has failed.

import type { BlobStore } from '#storage/blobs.ts';
import type { Storage } from '#storage/storage.ts';
import type { Log } from '../log.ts';
import { JOB_KEPT } from './assets.ts';

export interface RetentionContext {
  readonly storage: Storage;
  /** Of the assets, each named by its render's id. */
  readonly assetBlobs: BlobStore;
  /** How long assets are kept, ms; null = for ever. */
  readonly assetTtl: number | null;
  readonly clock: () => Date;
}

const ORPHANED_AFTER = 60 * 60 * 1000;
const SWEEP_EVERY = 60 * 60 * 1000;
/** Files that are looked up at once. */
const BATCH = 500;

/** @param signal stops it between two steps */
export async function sweep(ctx: RetentionContext, signal: AbortSignal): Promise<void> {
  const { storage, assetBlobs, assetTtl, clock } = ctx;
  const before = (age: number) => new Date(clock().getTime() - age);
  await storage.renders.deleteFinishedBefore('error', before(JOB_KEPT));
  await storage.deliveries.deleteCreatedBefore(before(JOB_KEPT));
  // A done render is the row of its asset, and stays as long as that.
  if (assetTtl !== null) await storage.renders.deleteFinishedBefore('done', before(Math.max(assetTtl, JOB_KEPT)));

  let old: string[] = [];
  const removeOrphans = async () => {
    const owned = await storage.renders.owners(old.map(renderId));
    for (const name of old) if (!owned.has(renderId(name))) await assetBlobs.delete(name);
    old = [];
  };
  for await (const { name, age } of assetBlobs.entries()) {
    if (signal.aborted) return;
    if (assetTtl !== null && age > assetTtl) await assetBlobs.delete(name);
    else if (age > ORPHANED_AFTER) old.push(name);
    if (old.length >= BATCH) await removeOrphans();
  }
  await removeOrphans();
}

const renderId = (name: string) => name.replace(/\..*$/, '');

/** Sweeps now and every hour. Disposing stops it, and waits for the sweep under way. */
export function sweepRegularly(ctx: RetentionContext, log: Log): AsyncDisposable {
  const stop = new AbortController();
  let sweeping: Promise<void> = Promise.resolve();
  const run = () => {
    sweeping = sweep(ctx, stop.signal).catch((err) => log.error({ err }, 'what is past its time was not removed'));
  };
  const timer = setInterval(run, SWEEP_EVERY);
  run();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      stop.abort();
      await sweeping;
    },
  };
}
