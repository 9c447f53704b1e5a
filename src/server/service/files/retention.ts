// Deletes what has expired: finished jobs, webhook deliveries, the audit log, ended review links, old assets, and files
// without a row. Indexes templates that an older server saved.

import type { BlobStore } from '#server/storage/blobs.ts';
import type { Storage } from '#server/storage/storage.ts';
import { REVIEW_KEPT } from '../templates/reviews.ts';
import { UNDO_FOR } from '../templates/templates.ts';
import { JOB_KEPT } from './assets.ts';
import { removeOrphans } from './orphans.ts';

export interface RetentionContext {
  readonly storage: Storage;
  /** Blobs of the assets, each named by its render's id. */
  readonly assetBlobs: BlobStore;
  /** How long assets are kept, ms; null = for ever. */
  readonly assetTtl: number | null;
  /** How long the audit log is kept, ms. */
  readonly auditTtl: number;
  /** The images and fonts of accounts. */
  readonly uploads: readonly { removeOrphans(signal: AbortSignal): Promise<void> }[];
  readonly variants: { sweep(signal: AbortSignal): Promise<void> };
  readonly clock: () => Date;
}

/** Rows per statement: a statement that deletes millions would block others, or exceed the database's limit of time. */
const AT_ONCE = 500;
/** Documents of up to 4 MiB that are read at once. */
const DOCUMENTS_AT_ONCE = 20;
/** How long an expired lease is kept, ms. */
const LAPSED_KEPT = 60 * 60 * 1000;

/**
 * @param signal stops between two steps
 */
export async function sweep(ctx: RetentionContext, signal: AbortSignal): Promise<void> {
  const { storage, assetBlobs, assetTtl, auditTtl, uploads, variants, clock } = ctx;
  const before = (age: number) => new Date(clock().getTime() - age);
  const { renders, deliveries } = storage;
  await inBatches(signal, () => renders.deleteFinishedBefore('error', before(JOB_KEPT), AT_ONCE));
  await inBatches(signal, () => deliveries.deleteCreatedBefore(before(JOB_KEPT), AT_ONCE));
  await inBatches(signal, () => storage.audit.deleteBefore(before(auditTtl), AT_ONCE));
  await inBatches(signal, () => storage.reviews.deleteEndedBefore(before(REVIEW_KEPT), AT_ONCE));
  await storage.batches.deleteCreatedBefore(before(JOB_KEPT));
  await storage.templates.deleteMarkedBefore(before(UNDO_FOR));
  await inBatches(signal, () => storage.templateMaterials.indexOthers(DOCUMENTS_AT_ONCE), DOCUMENTS_AT_ONCE);
  // Their files are orphans then, which are removed below.
  await storage.images.deleteMarkedBefore(before(UNDO_FOR));
  await storage.fonts.deleteMarkedBefore(before(UNDO_FOR));
  if (assetTtl !== null) {
    // A finished render's row is also its asset's row, and stays as long as the asset.
    const done = before(Math.max(assetTtl, JOB_KEPT));
    await inBatches(signal, () => renders.deleteFinishedBefore('done', done, AT_ONCE));
    // Rows first, since links are looked up by them; a file that is left behind is an orphan.
    await inBatches(signal, async () => {
      const names = await renders.expireAssets(before(assetTtl), AT_ONCE);
      for (const name of names) await assetBlobs.delete(name);
      return names.length;
    });
  }
  // A job owns its file until the job has failed.
  await removeOrphans(assetBlobs, (ids) => renders.owners(ids), signal);
  for (const library of uploads) await library.removeOrphans(signal);
  await variants.sweep(signal);
  await storage.sessions.deleteExpired(clock());
  await storage.knownBrowsers.deleteExpired(clock());
  await storage.leases.deleteLapsedBefore(before(LAPSED_KEPT));
  await storage.signInTries.deleteLapsedBefore(before(LAPSED_KEPT));
}

/** Repeats a statement until it changes fewer than `most` rows. */
async function inBatches(signal: AbortSignal, statement: () => Promise<number>, most = AT_ONCE): Promise<void> {
  while (!signal.aborted && (await statement()) >= most);
}
