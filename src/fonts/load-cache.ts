// Values that cost time to load and memory to keep: loaded once however many ask at once, kept while there is room.

import { LruCache } from '#core/lru-cache.ts';

export class LoadCache<Value> {
  readonly #kept: LruCache<string, Value>;
  readonly #loading = new Map<string, Promise<Value>>();
  readonly #sizeOf: (value: Value) => number;

  /** @param sizeOf what a value takes up, in the unit of `capacity` */
  constructor(capacity: number, sizeOf: (value: Value) => number) {
    this.#kept = new LruCache(capacity);
    this.#sizeOf = sizeOf;
  }

  /** The value, if it is in memory already. */
  kept(key: string): Value | undefined {
    return this.#kept.get(key);
  }

  /** The kept value, or the one that `load` brings. A failure is not kept. */
  async get(key: string, load: () => Promise<Value>): Promise<Value> {
    const kept = this.kept(key);
    if (kept !== undefined) return kept;
    const loading = this.#loading.get(key);
    if (loading) return loading;

    const promise = load();
    this.#loading.set(key, promise);
    try {
      const value = await promise;
      this.#kept.set(key, value, this.#sizeOf(value));
      return value;
    } finally {
      this.#loading.delete(key);
    }
  }
}
