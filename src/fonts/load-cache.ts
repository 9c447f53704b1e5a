// Values that cost time to load and memory to keep: loaded once however many ask at once, kept while there is room.

export class LoadCache<Value> {
  readonly #maxBytes: number;
  readonly #sizeOf: (value: Value) => number;
  /** The least recently used first. */
  readonly #kept = new Map<string, { readonly value: Value; readonly bytes: number }>();
  readonly #loading = new Map<string, Promise<Value>>();
  #bytes = 0;

  /** @param sizeOf what a value takes up, bytes; one larger than `maxBytes` is handed out and not kept */
  constructor(maxBytes: number, sizeOf: (value: Value) => number) {
    this.#maxBytes = maxBytes;
    this.#sizeOf = sizeOf;
  }

  /** What the kept values take up, bytes; never more than the bound. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The kept value, or the one that `load` brings. A failure is not kept. */
  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return Promise.resolve(kept.value);
    }
    let loading = this.#loading.get(key);
    if (!loading) {
      loading = load()
        .then((value) => {
          this.#keep(key, value);
          return value;
        })
        .finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
    }
    return loading;
  }

  #keep(key: string, value: Value): void {
    const bytes = this.#sizeOf(value);
    if (bytes > this.#maxBytes) return;
    this.#kept.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= freed;
    }
  }
}
