// What an engine of jobs is: it runs jobs, webhooks and maintenance.

import type { ClaimedDelivery, Delivery, DeliveryAttempt } from '#server/storage/deliveries.ts';
import type { ClaimedJob, NewJob } from '#server/storage/jobs.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';

/** Scheduled work, done by one of all nodes. */
export interface Maintenance {
  start(): Promise<void>;
  /** Starts nothing more; running work stops at its next step. */
  drain(patience: number): Promise<void>;
}

/**
 * Nothing runs before each part is started, but jobs and webhooks can be added from the beginning: a node that leaves
 * the work to others starts no part.
 */
export interface Engine extends AsyncDisposable {
  readonly jobs: JobQueue;
  readonly webhooks: WebhookQueue;
  readonly maintenance: Maintenance;
}

export interface EngineOptions {
  /** A `postgres:` URL, or the path of the SQLite file. */
  readonly database: string;
  readonly storage: Storage;
  /** Whether no other server works on the database. */
  readonly alone: boolean;
  /** Whether jobs that need a browser are left to other servers. */
  readonly withoutBrowser: boolean;
  /** Number of jobs that run at the same time. */
  readonly concurrency: number;
  /** Unique to this process, never reused. */
  readonly worker: string;
  readonly clock: () => Date;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly doJob: DoJob;
  readonly send: Send;
  /** Removes expired data; `signal` stops between two steps. */
  readonly sweep: (signal: AbortSignal) => Promise<void>;
  /** Goes on with erasing what was deleted, for less than a minute; called every minute. */
  readonly erase: (signal: AbortSignal) => Promise<void>;
  /** Called with errors that belong to no job or delivery, or that were not recorded. */
  readonly onError: (error: unknown, part: string) => void;
  readonly onWarning: (message: string) => void;
}

// The interface of a job queue: an engine that stores jobs, dispatches and runs them, and returns those it cannot
// finish.
//
// The rows are authoritative (server/storage/jobs.ts), so an engine that is killed loses nothing. There are two:
// embedded-engine.ts for one server on SQLite, and boss/boss-queue.ts, using pg-boss, for any number of servers on
// PostgreSQL.

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

// The interface of a queue that sends webhooks when they are due. The rows are authoritative (server/storage/deliveries.ts),
// as for jobs.

/**
 * Maximum attempts running at once: in this process, of one account, and to one host. An attempt at a receiver that
 * never answers takes 15 s, so an account may hold only a part of the places. On PostgreSQL, the latter two count the
 * attempts of all nodes.
 */
export const SENDING = { concurrency: 200, perAccount: 50, perHost: 5 } as const;

/** The outcome of an attempt, and what follows from it. */
export interface Sent {
  readonly attempt: DeliveryAttempt;
  readonly next: Pick<Delivery, 'status' | 'attempts' | 'dueAt'>;
}

/** Makes one attempt; if it throws, there was none. */
export type Send = (delivery: Delivery) => Promise<Sent>;

export interface WebhookQueue {
  /** Called in the transaction that makes a delivery due, at its `dueAt`. Call `wake` after it has committed. */
  add(stores: Stores, delivery: ClaimedDelivery): Promise<void>;
  /** Starts sending. */
  start(): Promise<void>;
  /** Announces that a delivery may be due. */
  wake(): void;
  /** Starts no more attempts; running ones have up to `patience` ms to end. */
  drain(patience: number): Promise<void>;
}

// Delays between the attempts at a job.

/** Delays after the first and after the second attempt, ms. */
const DELAYS: readonly number[] = [2_000, 8_000];
/** Relative spread of a delay either way. */
const JITTER = 0.2;

/**
 * When to try again after attempt number `attempt`, from 1 up, which ended at `now`.
 *
 * @param random from 0 up to, but not including, 1
 */
export function retryAt(attempt: number, now: Date, random: () => number): Date {
  const delay = DELAYS[attempt - 1] ?? 0;
  return new Date(now.getTime() + delay * (1 + JITTER * (2 * random() - 1)));
}
