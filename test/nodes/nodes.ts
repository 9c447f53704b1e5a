// Starts several server processes on one PostgreSQL database and one folder, like replicas behind a load balancer.

import type { EngineOptions } from '#server/jobs/engine.ts';
import { openEngine } from '#server/jobs/open-engine.ts';
import { openServices, type Services } from '#server/services.ts';
import { newId, newWorkerName } from '../../src/base/ids.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { newDatabase } from '../server/storage/new-database.ts';
import { type ServerProcess, startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export interface Nodes extends AsyncDisposable {
  readonly servers: ServerProcess[];
  readonly services: Services;
  /** The environment variables of each server. */
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly database: string;
  /** Starts one more server, which is disposed of with the others. */
  readonly add: (env?: Readonly<Record<string, string>>) => Promise<ServerProcess>;
}

export interface NodesAsked {
  readonly count: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly tables?: 'empty' | 'migrated';
  /** The URL of a database to use instead of a new one on the run's server. */
  readonly url?: string;
}

/** Starts all servers at the same time. */
export async function startNodes({ count, env = {}, tables = 'migrated', url }: NodesAsked): Promise<Nodes> {
  // `using` alone would dispose of the servers on return, and more are added later.
  const parts = new AsyncDisposableStack();
  await using _unlessStarted = { [Symbol.asyncDispose]: async () => void (isStarted || (await parts.disposeAsync())) };
  let isStarted = false;
  const folder = parts.use(await temporaryFolder());
  const database = url
    ? { location: url, env: { DATABASE_URL: url } }
    : parts.use(await newDatabase(folder.path, tables));
  const all = { ...database.env, PLATEN_SHARED_FILES: 'true', LOG_LEVEL: 'info', ...env };
  const servers: ServerProcess[] = [];
  const add = async (more: Readonly<Record<string, string>> = {}) => {
    const server = parts.use(await startProcess(folder.path, { ...all, ...more }));
    servers.push(server);
    return server;
  };
  const started = await Promise.allSettled(Array.from({ length: count }, () => add()));
  for (const one of started) if (one.status === 'rejected') throw one.reason;
  const services = parts.use(await openServices(loadConfig({ PLATEN_DATA: folder.path, ...all })));
  isStarted = true;
  return {
    servers,
    services,
    env: all,
    folder: folder.path,
    database: database.location,
    add,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Adds jobs of one account all at once, like a server that only accepts jobs. */
export async function enterJobs(
  { services: { storage }, database }: Pick<Nodes, 'services' | 'database'>,
  { id: accountId, template }: { readonly id: string; readonly template: string },
  count: number,
): Promise<void> {
  await using engine = await openEngine(idleEngine({ database, storage }));
  const jobs = Array.from({ length: count }, () => ({
    id: newId('rnd'),
    accountId,
    kind: 'render' as const,
    output: 'png' as const,
    request: { template: `${template}@1`, modifications: {}, output: 'png' },
    webhookUrl: null,
    metered: false,
    createdAt: storage.clock(),
  }));
  await storage.transaction((stores) => engine.jobs.add(stores, jobs));
}

/** Options for an engine that is never started, or whose jobs do nothing. */
export function idleEngine({ database, storage }: Pick<EngineOptions, 'database' | 'storage'>): EngineOptions {
  return {
    database,
    storage,
    alone: false,
    withoutBrowser: false,
    concurrency: 1,
    worker: newWorkerName(),
    clock: storage.clock,
    random: Math.random,
    doJob: async () => null,
    send: async () => {
      throw new Error('Nothing is to be sent.');
    },
    sweep: async () => {},
    erase: async () => {},
    onError: (error) => {
      throw error;
    },
    onWarning: () => {},
  };
}

/** Runs `work` for 0 … count − 1, at most `runToEnd` at a time. */
export async function forEach<T>(count: number, runToEnd: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const run = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, runToEnd) }, run));
  return results;
}
