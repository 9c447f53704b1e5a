// Starts a thread that may safely be terminated at any moment, even while it starts.

import { type ResourceLimits, Worker } from 'node:worker_threads';

interface StartOptions {
  /** A structured clone of it is the thread's `workerData`. */
  readonly workerData?: unknown;
  readonly resourceLimits: ResourceLimits;
}

/** @param module run by the thread; in its graph, only the libraries of thread-entry.ts may have a top-level await */
export function startThread(module: URL, options: StartOptions): Worker {
  return new Worker(new URL('./thread-entry.ts', import.meta.url), { ...options, argv: [module.href] });
}
