// Keeps what was used last, up to a total weight. For values that never change under their key.

export class WeightedCache<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly weight: number }>();
  readonly #capacity: number;
  #weight = 0;

  /** @param capacity the largest sum of weights, in the caller's unit */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    // A Map keeps the order of insertion: what is used moves to the end, what is first was not used for longest.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** A value heavier than the whole cache is not kept. */
  set(key: string, value: T, weight: number): void {
    this.delete(key);
    if (weight > this.#capacity) return;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
