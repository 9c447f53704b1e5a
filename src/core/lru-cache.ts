// A cache that evicts the least recently used entries when their total weight exceeds its capacity.
//
// For values that never change under their key; it is used throughout the code.

/** A link of a ring in order of use: the head's `newer` is the oldest entry, its `older` the newest. */
interface Link<Key, Value> {
  older: Link<Key, Value>;
  newer: Link<Key, Value>;
}

interface Entry<Key, Value> extends Link<Key, Value> {
  readonly key: Key;
  readonly value: Value;
  weight: number;
}

export class LruCache<Key, Value> {
  readonly #capacity: number;
  readonly #entries = new Map<Key, Entry<Key, Value>>();
  // The order of use. The map's own order would do, but finding its first entry skips all deleted ones each time: with
  // 20,000 entries that took twice as long as shaping the cached words.
  readonly #head: Link<Key, Value>;
  #weight = 0;

  /** @param capacity the maximum total weight; an entry weighs 1 unless `set` is given another weight */
  constructor(capacity: number) {
    this.#capacity = capacity;
    const head = {} as Link<Key, Value>;
    head.older = head;
    head.newer = head;
    this.#head = head;
  }

  /** The number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** The total weight of the entries. */
  get weight(): number {
    return this.#weight;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    unlink(entry);
    this.#link(entry);
    return entry.value;
  }

  /** An entry heavier than the capacity is not kept, and evicts nothing. */
  set(key: Key, value: Value, weight = 1): void {
    const replaced = this.#entries.get(key);
    if (replaced) this.#forget(replaced);
    if (weight > this.#capacity) return;
    const entry: Entry<Key, Value> = { key, value, weight, older: this.#head, newer: this.#head };
    this.#entries.set(key, entry);
    this.#link(entry);
    this.#weight += weight;
    this.#evict();
  }

  /** Weighs every entry again, for values that grow while they are cached. Does not change the order of use. */
  reweigh(weightOf: (value: Value) => number): void {
    let total = 0;
    for (const entry of this.#entries.values()) {
      entry.weight = weightOf(entry.value);
      total += entry.weight;
    }
    this.#weight = total;
    this.#evict();
  }

  #evict(): void {
    while (this.#weight > this.#capacity) this.#forget(this.#head.newer as Entry<Key, Value>);
  }

  /** Adds an entry as the newest. */
  #link(entry: Entry<Key, Value>): void {
    const head = this.#head;
    entry.older = head.older;
    entry.newer = head;
    head.older.newer = entry;
    head.older = entry;
  }

  #forget(entry: Entry<Key, Value>): void {
    unlink(entry);
    this.#entries.delete(entry.key);
    this.#weight -= entry.weight;
  }
}

function unlink<Key, Value>(entry: Entry<Key, Value>): void {
  const { older, newer } = entry;
  older.newer = newer;
  newer.older = older;
  // An entry that is gone, and that the collector takes for old, would keep the next one until its next full run, and that
  // one the next.
  entry.older = entry;
  entry.newer = entry;
}
