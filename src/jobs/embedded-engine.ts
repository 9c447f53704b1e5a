// The engine for one server on a database of its own: polls the database, and does the work in this process.

import { EmbeddedQueue } from './embedded-queue.ts';
import { EmbeddedWebhooks } from './embedded-webhooks.ts';
import type { Engine, EngineOptions, Maintenance } from './engine.ts';

const SWEEP_EVERY = 60 * 60 * 1000;

export function embeddedEngine(options: EngineOptions): Engine {
  const { storage, doJob, send, onError } = options;
  return {
    jobs: new EmbeddedQueue({ ...options, jobs: storage.jobs, onError: (error) => onError(error, 'job queue') }, doJob),
    webhooks: new EmbeddedWebhooks({ ...options, onError: (error) => onError(error, 'webhooks') }, send),
    maintenance: sweepRegularly(options),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Sweeps at the start and every hour. */
function sweepRegularly({ sweep, onError }: EngineOptions): Maintenance {
  const stop = new AbortController();
  let sweeping: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    sweeping = sweep(stop.signal).catch((error) => onError(error, 'sweep'));
  };
  return {
    async start() {
      timer = setInterval(run, SWEEP_EVERY);
      run();
    },
    async drain() {
      clearInterval(timer);
      stop.abort();
      await sweeping;
    },
  };
}
