// The work that no request waits for: jobs, webhooks, and what is removed in time. One interface, two engines.

import { isPostgresUrl } from '#storage/database.ts';
import type { Storage } from '#storage/storage.ts';
import type { DoJob, JobQueue } from './job-queue.ts';
import type { Send, WebhookQueue } from './webhook-queue.ts';

/** What is done now and then, by one of all nodes. */
export interface Upkeep {
  start(): Promise<void>;
  /** Begins nothing more; what is under way stops at its next step. */
  drain(patience: number): Promise<void>;
}

/**
 * Nothing is done before each part is started, and jobs and webhooks can be added from the beginning: a node that is to
 * leave the work to others starts none of them.
 */
export interface Engine extends AsyncDisposable {
  readonly jobs: JobQueue;
  readonly webhooks: WebhookQueue;
  readonly upkeep: Upkeep;
}

export interface EngineOptions {
  /** A `postgres:` URL, or SQLite's file. */
  readonly database: string;
  readonly storage: Storage;
  /** Whether no other server works on the database. */
  readonly alone: boolean;
  /** Whether jobs that need a browser are left to others. */
  readonly withoutBrowser: boolean;
  /** How many jobs run at the same time. */
  readonly concurrency: number;
  /** Unique to this process, and never used again. */
  readonly worker: string;
  readonly clock: () => Date;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly doJob: DoJob;
  readonly send: Send;
  /** Removes what is past its time; `signal` stops it between two steps. */
  readonly sweep: (signal: AbortSignal) => Promise<void>;
  /** What went wrong without a job or a delivery to blame, or was not recorded. */
  readonly onError: (error: unknown, part: string) => void;
  readonly onWarning: (message: string) => void;
}

/** @throws Error when the database cannot be reached */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  if (isPostgresUrl(options.database)) return (await import('./boss/boss-engine.ts')).openBossEngine(options);
  return (await import('./embedded-engine.ts')).embeddedEngine(options);
}
