// What an engine of jobs is: it runs jobs, webhooks and maintenance.

import type { Storage } from '#server/storage/storage.ts';
import type { DoJob, JobQueue } from './job-queue.ts';
import type { Send, WebhookQueue } from './webhook-queue.ts';

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
