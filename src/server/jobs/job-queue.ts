// The interface of a job queue: an engine that stores jobs, dispatches and runs them, and returns those it cannot
// finish.
//
// The rows are authoritative (server/storage/jobs.ts), so an engine that is killed loses nothing. There are two:
// embedded-queue.ts for one server on SQLite, and boss/boss-queue.ts, using pg-boss, for any number of servers on
// PostgreSQL.

import type { ClaimedJob, NewJob } from '#server/storage/jobs.ts';
import type { Stores } from '#server/storage/storage.ts';

/** A job that is to be retried. */
export interface Again {
  readonly at: Date;
  /** Whether the attempt counts; otherwise the job is treated as if it had not been started. */
  readonly counts: boolean;
}

/**
 * Runs a job and records its end (returns `null`), or returns when to retry it. If it throws, nothing was recorded, and
 * the job is started again when its lease has ended.
 */
export type DoJob = (job: ClaimedJob) => Promise<Again | null>;

export interface JobQueue {
  /** Number of jobs that this server could start now. */
  readonly free: number;
  /** Stores jobs of one account, in the transaction that accepts them. Call `wake` after it has committed. */
  add(stores: Stores, jobs: readonly NewJob[]): Promise<void>;
  /** Called in the transaction that records the end of a job. */
  ended(stores: Stores, job: ClaimedJob): Promise<void>;
  /** Starts processing jobs. A server that only accepts them never calls it. */
  start(): Promise<void>;
  /** Announces that a job may be waiting. Only a hint: losing it costs a moment, not the job. */
  wake(): void;
  /** Starts no more jobs, lets running ones finish for up to `patience` ms, and returns the rest to the queue. */
  drain(patience: number): Promise<void>;
}
