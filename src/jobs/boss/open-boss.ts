// pg-boss, with the queues that we have in it. It lives in the database, in a schema of its own, and keeps there what is
// to be done, by whom it is being done, and when it was last heard of.
//
// What waits is entered in our own transactions, and finished in them: `stores` of a transaction stand for the database.

import { createHash } from 'node:crypto';
import { type JobInsert, PgBoss } from 'pg-boss';
import type { Stores } from '#storage/storage.ts';

export type QueueName = 'jobs' | 'webhooks' | 'upkeep';
const QUEUES: readonly QueueName[] = ['jobs', 'webhooks', 'upkeep'];

const HOUR = 60 * 60;

/**
 * In seconds. A node is missed HEARTBEAT after its last sign of life, at the next look, which one of all nodes takes once
 * MONITORED have passed since the last. Every node asks each SUPERVISED whether it is time: at 5, looks were up to 8 apart.
 */
const HEARTBEAT = 20;
const MONITORED = 5;
const SUPERVISED = 2;
/** Between two signs of life, ms. */
export const TOUCHED_EVERY = 5_000;
/** Between two looks for what is due and was not announced by a NOTIFY, ms: retries, what a killed node left. */
export const POLL = 1_000;

const QUEUE_OPTIONS = {
  notify: true,
  heartbeatSeconds: HEARTBEAT,
  // Our rows decide how often a job is tried: pg-boss also counts attempts that died with their node through no fault.
  retryLimit: 1_000_000,
  retryDelay: 0,
  expireInSeconds: HOUR,
  // It would delete what waits for longer than two weeks.
  retentionSeconds: 365 * 24 * HOUR,
  deleteAfterSeconds: HOUR,
} as const;

const BOSS_OPTIONS = {
  application_name: 'platen jobs',
  // For heartbeats, supervision and cron: what is on the way of a request runs on our own connections.
  max: 3,
  connectionTimeoutMillis: 5_000,
  query_timeout: 60_000,
  keepAlive: true,
  superviseIntervalSeconds: SUPERVISED,
  monitorIntervalSeconds: MONITORED,
  maintenanceIntervalSeconds: HOUR,
  // A backlog is told by /metrics.
  warningQueueSize: 1_000_000_000,
} as const;

/** As pg-boss names it (plans.js, notifyChannelSql), of its schema `pgboss`. */
const CHANNEL = `pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`;

/** What pg-boss knows of something that is to be done. */
export interface Entry {
  readonly id: string;
  readonly data: object;
  /** The higher, the sooner; of equals the older. */
  readonly priority: number;
  /** ms from now on */
  readonly delay?: number;
  readonly group?: string;
}

/** An entry in this process's hands. */
export interface Held {
  readonly id: string;
  readonly data: object;
  readonly priority: number;
  readonly group: string | null;
  /** How often it was handed out before: by it pg-boss knows us from whoever gets it after us. */
  readonly retryCount: number;
}

export interface FetchOptions {
  readonly limit: number;
  /** How many of one group may run at a time, on all nodes together. */
  readonly perGroup?: number;
  /** Groups that are left to others. */
  readonly others?: readonly string[];
}

export interface BossOptions {
  /** A `postgres:` URL, of a session: not through a pooler in transaction mode. */
  readonly url: string;
  readonly onError: (error: unknown) => void;
  readonly onWarning: (message: string) => void;
}

export class Boss implements AsyncDisposable {
  readonly #boss: PgBoss;

  /** Use `openBoss`. */
  constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** Holds the lock of that name until the transaction ends, and waits for whichever node has it. */
  async lock(stores: Stores, name: string): Promise<void> {
    await stores.executeSql('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`platen ${name}`]);
  }

  /** Enters what is to be done; what is entered already stays as it is. */
  async add(stores: Stores, queue: QueueName, entries: readonly Entry[]): Promise<void> {
    const jobs = entries.map(
      ({ id, data, priority, delay = 0, group }): JobInsert => ({
        id,
        data,
        priority,
        ...(delay > 0 ? { startAfter: String(delay / 1_000) } : {}),
        ...(group === undefined ? {} : { group: { id: group } }),
      }),
    );
    if (jobs.length > 0) await this.#boss.insert(queue, jobs, { db: stores });
  }

  /** Takes what is due. It is ours until it is completed or given back, or no sign of life has come for 20 s. */
  async fetch(stores: Stores, queue: QueueName, { limit, perGroup, others = [] }: FetchOptions): Promise<Held[]> {
    const found = await this.#boss.fetch<object>(queue, {
      batchSize: limit,
      includeMetadata: true,
      ...(perGroup === undefined ? {} : { groupConcurrency: perGroup }),
      ...(others.length === 0 ? {} : { ignoreGroups: [...others] }),
      db: stores,
    });
    return found.map(({ id, data, priority, groupId, retryCount }) => {
      return { id, data, priority, group: groupId ?? null, retryCount };
    });
  }

  /** Gives a sign of life for what is held. */
  async touch(queue: QueueName, held: readonly Held[]): Promise<void> {
    if (held.length > 0) await this.#boss.touch(queue, [...held]);
  }

  /** Says that it is over, whoever has it by now. */
  async complete(stores: Stores, queue: QueueName, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#boss.complete(queue, [...ids], null, { db: stores, includeQueued: true });
  }

  /** Lets others have what is held, at once; by its id whoever holds it. */
  async giveBack(stores: Stores, queue: QueueName, held: readonly Held[] | readonly string[]): Promise<void> {
    if (held.length > 0) await this.#boss.fail(queue, [...held] as Held[] | string[], null, { db: stores });
  }

  /** Forgets it. */
  async remove(stores: Stores, queue: QueueName, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#boss.deleteJob(queue, [...ids], { db: stores });
  }

  /** Calls when something was added to a queue, by whichever node; and for all after the connection was lost. */
  async listen(onAdded: (queue: QueueName) => void): Promise<AsyncDisposable> {
    const { listen } = this.#boss.getDb();
    if (!listen) throw new Error('pg-boss has no connection of its own.');
    const handle = await listen.call(
      this.#boss.getDb(),
      CHANNEL,
      (queue) => onAdded(queue as QueueName),
      () => {
        for (const queue of QUEUES) onAdded(queue);
      },
    );
    return { [Symbol.asyncDispose]: () => handle.close() };
  }

  /** Has an entry added to a queue at the times of a cron expression, once for all nodes. */
  async schedule(queue: QueueName, key: string, cron: string): Promise<void> {
    await this.#boss.schedule(queue, cron, { key }, { key });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#boss.stop({ graceful: false, timeout: 1_000 });
  }
}

/**
 * Opens it, and makes or updates its tables; of nodes that start together one does.
 *
 * @throws Error when the database cannot be reached
 */
export async function openBoss({ url, onError, onWarning }: BossOptions): Promise<Boss> {
  const boss = new PgBoss({ ...BOSS_OPTIONS, connectionString: url });
  boss.on('error', onError);
  boss.on('warning', ({ message }) => onWarning(message));
  const opened = new Boss(boss);
  try {
    await boss.start();
    for (const queue of QUEUES) await boss.createQueue(queue, QUEUE_OPTIONS);
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
  return opened;
}

/** The id that pg-boss knows something of ours by: storage/entered-jobs.ts says the same in SQL. */
export function entryId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
