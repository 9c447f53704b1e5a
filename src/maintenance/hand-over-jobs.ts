// Prepares jobs that were moved from another database for the queue of this one.
//
// The rows are authoritative: queued jobs stay queued, and leases of stopped servers are released. pg-boss has a queue
// of its own; its maintenance (jobs/boss/) enters every row that is missing there as soon as a server starts.

import type { Storage } from '#storage/storage.ts';

/**
 * For a database that no server works on yet. Idempotent: may be called again after a kill.
 *
 * @returns the number of jobs that have not ended
 */
export async function handOverJobs(storage: Storage): Promise<number> {
  const now = storage.clock();
  return storage.transaction(async ({ jobs, deliveries, renders }) => {
    await jobs.takeBack(now, () => now);
    await deliveries.releaseAll(now);
    const { queued, processing } = await renders.countOpen();
    return queued + processing;
  });
}
