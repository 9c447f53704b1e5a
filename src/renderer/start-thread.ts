// Starts a thread that may be ended at any moment, its own start included.

import { type ResourceLimits, Worker } from 'node:worker_threads';

interface StartOptions {
  /** A structured clone of it is the thread's `workerData`. */
  readonly workerData?: unknown;
  readonly resourceLimits: ResourceLimits;
}

/** @param module what the thread runs; of its graph only libraries that thread-entry.ts knows may wait while they load */
export function startThread(module: URL, options: StartOptions): Worker {
  return new Worker(new URL('./thread-entry.ts', import.meta.url), { ...options, argv: [module.href] });
}
