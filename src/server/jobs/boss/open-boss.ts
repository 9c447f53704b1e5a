// Opens pg-boss and the queues in it. It lives in the database, in a schema of its own, where it stores what is to be
// done, who does it, and the time of the last heartbeat.
//
// Entries are added and completed in our own transactions: the `stores` of a transaction serve as its database
// connection.

import { createHash } from 'node:crypto';
import { type JobInsert, PgBoss } from 'pg-boss';
import type { Storage, Stores } from '#server/storage/storage.ts';

export type QueueName = 'jobs' | 'webhooks' | 'maintenance';
const QUEUES: readonly QueueName[] = ['jobs', 'webhooks', 'maintenance'];

const HOUR = 60 * 60;

/**
 * In seconds. A node is considered dead HEARTBEAT after its last heartbeat, at the next check; one of all nodes checks
 * when MONITORED have passed since the last check. Every node asks every SUPERVISED whether a check is due: at 5,
 * checks were up to 8 apart.
 */
const HEARTBEAT = 20;
const MONITORED = 5;
const SUPERVISED = 2;
/** Interval of heartbeats, ms. */
export const TOUCHED_EVERY = 5_000;

/** Missing entries added per transaction. */
const BATCH = 500;

const QUEUE_OPTIONS = {
  notify: true,
  heartbeatSeconds: HEARTBEAT,
  // Our rows limit the attempts at a job: pg-boss also counts those that ended with their node through no fault of the
  // job.
  retryLimit: 1_000_000,
  retryDelay: 0,
  expireInSeconds: HOUR,
  // By default it would delete entries that wait for longer than two weeks.
  retentionSeconds: 365 * 24 * HOUR,
  deleteAfterSeconds: HOUR,
} as const;

const BOSS_OPTIONS = {
  application_name: 'platen jobs',
  // For heartbeats, supervision and cron: whatever a request waits for uses our own connections.
  max: 3,
  connectionTimeoutMillis: 5_000,
  query_timeout: 60_000,
  keepAlive: true,
  superviseIntervalSeconds: SUPERVISED,
  monitorIntervalSeconds: MONITORED,
  maintenanceIntervalSeconds: HOUR,
  // /metrics reports a backlog.
  warningQueueSize: 1_000_000_000,
} as const;

/** The NOTIFY channel as pg-boss names it (plans.js, notifyChannelSql) for its schema `pgboss`. */
const CHANNEL = `pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`;

/** A queue entry of pg-boss. */
export interface QueueEntry {
  readonly id: string;
  readonly data: object;
  /** Higher is sooner; among equals the older is first. */
  readonly priority: number;
  /** Delay from now, ms. */
  readonly delay?: number;
  readonly group?: string;
}

/** An entry that this process holds. */
export interface Held {
  readonly id: string;
  readonly data: object;
  readonly priority: number;
  readonly group: string | null;
  /** Number of earlier dispatches: distinguishes this holder from later ones. */
  readonly retryCount: number;
}

export interface FetchOptions {
  readonly limit: number;
  /** Maximum entries of one group that run at a time, on all nodes together. */
  readonly perGroup?: number;
  /** Entries of lower priority are left. */
  readonly minPriority?: number;
  /** Groups that are left to other nodes. */
  readonly others?: readonly string[];
}

export interface BossOptions {
  /** A `postgres:` URL with sessions: not through a pooler in transaction mode. */
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

  /** Takes the lock called `name`, waiting if another node has it, and holds it until the transaction ends. */
  async lock(stores: Stores, name: string): Promise<void> {
    await stores.executeSql('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`platen ${name}`]);
  }

  /**
   * Enters what the rows have and the queue lacks, some in each transaction. @param enter enters at most so many, and
   * returns how many it found
   */
  async enterMissing(
    storage: Storage,
    queue: QueueName,
    enter: (stores: Stores, most: number) => Promise<number>,
  ): Promise<void> {
    for (let found = BATCH; found === BATCH; ) {
      found = await storage.transaction(async (stores) => {
        // Otherwise one node would remove what another has just entered and started.
        await this.lock(stores, `missing ${queue}`);
        return enter(stores, BATCH);
      });
    }
  }

  /** Adds entries; existing ones are left as they are. */
  async add(stores: Stores, queue: QueueName, entries: readonly QueueEntry[]): Promise<void> {
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

  /** Fetches due entries. They are held until they are completed or given back, or no heartbeat has come for 20 s. */
  async fetch(
    stores: Stores,
    queue: QueueName,
    { limit, perGroup, minPriority, others = [] }: FetchOptions,
  ): Promise<Held[]> {
    const found = await this.#boss.fetch<object>(queue, {
      batchSize: limit,
      includeMetadata: true,
      ...(perGroup === undefined ? {} : { groupConcurrency: perGroup }),
      ...(minPriority === undefined ? {} : { minPriority }),
      ...(others.length === 0 ? {} : { ignoreGroups: [...others] }),
      db: stores,
    });
    return found.map(({ id, data, priority, groupId, retryCount }) => {
      return { id, data, priority, group: groupId ?? null, retryCount };
    });
  }

  /** Sends a heartbeat for held entries. */
  async touch(queue: QueueName, held: readonly Held[]): Promise<void> {
    if (held.length > 0) await this.#boss.touch(queue, [...held]);
  }

  /** Completes entries, whoever holds them by now. */
  async complete(stores: Stores, queue: QueueName, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#boss.complete(queue, [...ids], null, { db: stores, includeQueued: true });
  }

  /** Gives held entries back for immediate dispatch; entries given by id are taken from any holder. */
  async giveBack(stores: Stores, queue: QueueName, held: readonly Held[] | readonly string[]): Promise<void> {
    if (held.length > 0) await this.#boss.fail(queue, [...held] as Held[] | string[], null, { db: stores });
  }

  /** Deletes entries. */
  async remove(stores: Stores, queue: QueueName, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#boss.deleteJob(queue, [...ids], { db: stores });
  }

  /** Calls `onAdded` when any node has added to a queue, and for all queues after the connection was lost. */
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

  /** Adds an entry to a queue at the times of a cron expression, once for all nodes. */
  async schedule(queue: QueueName, key: string, cron: string): Promise<void> {
    await this.#boss.schedule(queue, cron, { key }, { key });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#boss.stop({ graceful: false, timeout: 1_000 });
  }
}

/**
 * Opens pg-boss, and creates or migrates its tables; of nodes that start together one does.
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

/** The id of an entry in pg-boss; server/storage/pg-boss-jobs.ts computes the same in SQL. */
export function entryId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
