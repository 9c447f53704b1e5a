// A map that forgets what was not asked for longest, once its entries weigh too much together: the one cache of all
// rooms, for values that never change under their key.

export class LruCache<Key, Value> {
  readonly #capacity: number;
  // A Map iterates in the order of insertion: the first entry is the one unused for longest.
  readonly #entries = new Map<Key, { readonly value: Value; readonly weight: number }>();
  #weight = 0;

  /** @param capacity the greatest total weight; an entry weighs 1 unless `set` says otherwise */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** An entry heavier than all together may be is not kept, and pushes nothing out. */
  set(key: Key, value: Value, weight = 1): void {
    this.#forget(key);
    if (weight > this.#capacity) return;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    // The search for the oldest passes over every entry that was ever moved to the end: it is made only where it must.
    if (this.#weight <= this.#capacity) return;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity) break;
      this.#forget(oldest);
    }
  }

  #forget(key: Key): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
