// Detects changes to the data that authorises requests: keys, accounts, templates, secrets.
//
// With this, what was read of them can be cached and still be right for the next request, whichever process makes a
// change: triggers count (migrations/first-release/server.ts). Concurrent callers share one query, and none is needed where the
// dialect knows that nobody has committed anything.

import { coalesceNext } from '#base/concurrency/coalesce-next.ts';
import { LruCache } from '#core/lru-cache.ts';
import { type CommitCheck, commitsOf, type Database, execute } from './database.ts';

export class StorageChanges {
  readonly #look: () => Promise<void>;
  readonly #commits: CommitCheck | undefined;
  #seen: unknown = null;
  #count = 0;

  constructor(db: Database) {
    const query = () => execute(db, { sql: 'SELECT number FROM change_count', method: 'select' });
    const commits = commitsOf(db);
    this.#commits = commits;
    this.#look = coalesceNext(async () => {
      const { response } = await (commits ? commits.look(query) : query());
      const [{ number } = {}] = response as { number?: unknown }[];
      if (number !== this.#seen) this.#count += 1;
      this.#seen = number;
    });
  }

  /**
   * A number that rises with each change. Data that was read after the call is valid as long as the same number is
   * returned.
   *
   * @throws AppError `overloaded`
   */
  async current(): Promise<number> {
    if (!this.#commits?.isNone) await this.#look();
    return this.#count;
  }
}

/**
 * What was read of the data whose changes are counted, as long as nothing changes. A request looks at the count once, when
 * it has arrived, and all that it reads is as of then.
 */
export class Remembered<Value> {
  readonly #changes: Pick<StorageChanges, 'current'>;
  readonly #kept: LruCache<string, { readonly value: Value; readonly at: number }>;

  /** @param most values in memory */
  constructor(changes: Pick<StorageChanges, 'current'>, most: number) {
    this.#changes = changes;
    this.#kept = new LruCache(most);
  }

  /**
   * @param asOf the count when the request had arrived; absent = looks now
   * @param read called unless the value is known; null is not remembered, as what is added is not counted
   */
  async get(key: string, asOf: number | undefined, read: () => Promise<Value | null>): Promise<Value | null> {
    const at = asOf ?? (await this.#changes.current());
    const known = this.#kept.get(key);
    if (known?.at === at) return known.value;
    const value = await read();
    if (value !== null) this.#kept.set(key, { value, at });
    return value;
  }
}
