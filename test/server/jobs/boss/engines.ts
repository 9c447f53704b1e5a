// Opens the job engines of several servers on one PostgreSQL, in one process. Tests define what their jobs do.

import type { Engine, EngineOptions } from '#server/jobs/engine.ts';
import { openEngine } from '#server/jobs/open-engine.ts';
import type { NewJob } from '#server/storage/jobs.ts';
import type { Storage } from '#server/storage/storage.ts';
import { idleEngine } from '../../../nodes/nodes.ts';
import { storageUnderTest } from '../../storage/open-storage.ts';

export interface Engines extends AsyncDisposable {
  readonly storage: Storage;
  readonly location: string;
  readonly errors: unknown[];
  open(options?: Partial<EngineOptions>): Promise<Engine>;
  /** Adds a job, as the server does that accepts it. */
  add(engine: Engine, id: string, account?: string): Promise<void>;
  status(id: string): Promise<string | undefined>;
  job(id: string, account?: string): NewJob;
}

export async function openEngines(): Promise<Engines> {
  const parts = new AsyncDisposableStack();
  const { storage, location } = parts.use(await storageUnderTest());
  const errors: unknown[] = [];
  const job = (id: string, accountId = 'acc_a'): NewJob => ({
    id,
    accountId,
    kind: 'render',
    output: 'png',
    request: {},
    webhookUrl: null,
    metered: false,
    createdAt: storage.clock(),
  });
  return {
    storage,
    location,
    errors,
    job,
    async open(options = {}) {
      const engine = await openEngine({
        ...idleEngine({ database: location, storage }),
        onError: (error) => errors.push(error),
        ...options,
      });
      parts.use(engine);
      parts.defer(async () => {
        await Promise.all([engine.jobs, engine.webhooks, engine.maintenance].map((part) => part.drain(0)));
      });
      return engine;
    },
    async add(engine, id, account) {
      await storage.transaction((stores) => engine.jobs.add(stores, [job(id, account)]));
      engine.jobs.wake();
    },
    status: async (id) =>
      ((await storage.renders.find('acc_a', id)) ?? (await storage.renders.find('acc_b', id)))?.status,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}
