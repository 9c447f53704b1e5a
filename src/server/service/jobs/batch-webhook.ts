// Announces a batch whose last item has ended, to the URL that was given with the batch.
//
// The delivery is created in the transaction that ends that item, as that of a job is.

import type { ClaimedDelivery } from '#server/storage/deliveries.ts';
import type { Stores } from '#server/storage/storage.ts';
import { batchRecord } from './batch-record.ts';
import { progressOf } from './bulks.ts';
import { announce } from './webhooks.ts';

/**
 * @param renderId of an item that this transaction has ended
 * @param address of this server
 * @returns null = the batch is not over, or has no webhook; or the render is of no batch
 */
export async function announceBatch(
  { bulks, deliveries }: Pick<Stores, 'bulks' | 'deliveries'>,
  renderId: string,
  address: string,
  now: Date,
): Promise<ClaimedDelivery | null> {
  const bulk = await bulks.endedWith(renderId);
  if (!bulk) return null;
  const batch = await progressOf(bulks, bulk);
  const error = batch.isReady ? null : (batch.errors[0]?.error ?? 'Every item failed.');
  const status = batch.isReady ? 'done' : 'error';
  return announce(
    deliveries,
    bulk,
    { id: bulk.id, status, result: null, error, batch: batchRecord(batch, address) },
    now,
  );
}
