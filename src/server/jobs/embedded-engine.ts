// The engine for one server on a database of its own: polls the database, and does the work in this process.

import { EmbeddedQueue } from './embedded-queue.ts';
import { EmbeddedWebhooks } from './embedded-webhooks.ts';
import type { Engine, EngineOptions, Maintenance } from './engine.ts';

const SWEEP_EVERY = 60 * 60 * 1000;
const ERASE_EVERY = 60 * 1000;

export function embeddedEngine(options: EngineOptions): Engine {
  const { storage, doJob, send, onError } = options;
  return {
    jobs: new EmbeddedQueue({ ...options, jobs: storage.jobs, onError: (error) => onError(error, 'job queue') }, doJob),
    webhooks: new EmbeddedWebhooks({ ...options, onError: (error) => onError(error, 'webhooks') }, send),
    maintenance: maintainRegularly(options),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Sweeps at the start and every hour, and erases at the start and every minute. */
function maintainRegularly({ sweep, erase, onError }: EngineOptions): Maintenance {
  const stop = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const running = new Map<string, Promise<void>>();
  const run = (part: string, work: EngineOptions['sweep']) => {
    if (running.has(part)) return;
    const done = work(stop.signal).catch((error) => onError(error, part));
    running.set(part, done);
    void done.then(() => running.delete(part));
  };
  return {
    async start() {
      for (const [part, work, every] of [
        ['sweep', sweep, SWEEP_EVERY] as const,
        ['erase', erase, ERASE_EVERY] as const,
      ]) {
        timers.push(setInterval(() => run(part, work), every));
        run(part, work);
      }
    },
    async drain() {
      for (const timer of timers) clearInterval(timer);
      stop.abort();
      await Promise.all(running.values());
    },
  };
}
