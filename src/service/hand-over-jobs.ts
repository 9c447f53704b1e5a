// Makes jobs that were moved from another database known to what drives the jobs of this one.
//
// Rows are all that the queue reads (storage/jobs.ts), so those that waited wait on; those that a stopped server was working
// on are taken from it. An engine with a table of its own is to be told of each here.

import type { Storage } from '#storage/storage.ts';

/**
 * For a database that no server works on yet. It may be called again after a kill: what was handed over stays so.
 *
 * @returns how many jobs there are that are not over
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
