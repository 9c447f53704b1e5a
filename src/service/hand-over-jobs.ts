// Makes jobs that were moved from another database known to what drives the jobs of this one.
//
// A row is the truth: what waited waits on, and what a stopped server was working on is taken from it. pg-boss has a queue of
// its own, into which its upkeep enters each row that it lacks (jobs/boss/), as soon as a server starts.

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
