// What drives the jobs: something that claims them, has them done, and hands back what it cannot finish.
//
// The rows are the truth (storage/jobs.ts), so a queue loses nothing by being killed. One engine for one machine is in
// embedded-queue.ts; another one, across machines, would implement the same three calls.

import type { ClaimedJob } from '#storage/jobs.ts';

/**
 * Does a job and records how it ended. Whatever it throws was not recorded, and the job is claimed again when its
 * lease ends.
 */
export type DoJob = (job: ClaimedJob) => Promise<void>;

export interface JobQueue {
  /** Takes back what the server before left behind, and begins to claim. */
  start(): Promise<void>;
  /** Says that a job may be waiting. Only a hint: one that is lost costs a moment, not the job. */
  wake(): void;
  /** Stops claiming, lets what runs finish for up to `patience` ms, and hands back the rest. */
  drain(patience: number): Promise<void>;
}
