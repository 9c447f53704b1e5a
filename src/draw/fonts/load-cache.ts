// A cache of values that are expensive to load: concurrent requests share one load, and values are kept up to a
// capacity.

import { SingleFlight } from '#base/concurrency/single-flight.ts';
import { LruCache } from '#core/lru-cache.ts';

export class LoadCache<Value> {
  readonly #kept: LruCache<string, Value>;
  readonly #loading = new SingleFlight<Value>();
  readonly #sizeOf: (value: Value) => number;

  /** @param sizeOf size of a value, in the unit of `capacity` */
  constructor(capacity: number, sizeOf: (value: Value) => number) {
    this.#kept = new LruCache(capacity);
    this.#sizeOf = sizeOf;
  }

  /** Weighs the values again, if their sizes change, and evicts those used least recently beyond the capacity. */
  reweigh(): void {
    this.#kept.reweigh(this.#sizeOf);
  }

  /** The value, if it is cached. */
  kept(key: string): Value | undefined {
    return this.#kept.get(key);
  }

  /** The cached value, or the one that `load` returns. Failures are not cached. */
  async get(key: string, load: () => Promise<Value>): Promise<Value> {
    const kept = this.kept(key);
    if (kept !== undefined) return kept;
    return this.#loading.run(key, async () => {
      const value = await load();
      this.#kept.set(key, value, this.#sizeOf(value));
      return value;
    });
  }
}
