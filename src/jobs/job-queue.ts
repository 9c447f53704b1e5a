// What drives the jobs: an engine that stores them, hands them out, has them done, and gives back what it cannot finish.
//
// The rows are the truth (storage/jobs.ts), so an engine loses nothing by being killed. There are two: embedded-queue.ts
// for one server on SQLite, and boss/boss-queue.ts, which is pg-boss, for any number of them on PostgreSQL.

import type { ClaimedJob, NewJob } from '#storage/jobs.ts';
import type { Stores } from '#storage/storage.ts';

/** A job that is to be tried again. */
export interface Again {
  readonly at: Date;
  /** Whether the attempt counts; else it is as if it had not been begun. */
  readonly counts: boolean;
}

/**
 * Does a job and records how it ended (`null`), or says when it is to be tried again. Whatever it throws was not recorded,
 * and the job is begun again when its lease has ended.
 */
export type DoJob = (job: ClaimedJob) => Promise<Again | null>;

export interface JobQueue {
  /** How many jobs more this server could begin at once. */
  readonly free: number;
  /** Stores jobs of one account, in the transaction that accepts them. Whoever commits it calls `wake`. */
  add(stores: Stores, jobs: readonly NewJob[]): Promise<void>;
  /** Takes note, in the transaction that records how a job ended. */
  ended(stores: Stores, job: ClaimedJob): Promise<void>;
  /** Begins to do jobs. A server that only accepts them never calls it. */
  start(): Promise<void>;
  /** Says that a job may be waiting. Only a hint: one that is lost costs a moment, not the job. */
  wake(): void;
  /** Begins no more jobs, lets what runs finish for up to `patience` ms, and hands back the rest. */
  drain(patience: number): Promise<void>;
}
