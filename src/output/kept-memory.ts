// What rasters and pages are made from, kept between renders: one bound for all of it, in bytes, and a name for each kind.
//
// Values never change under their key, so that whoever finds one may use it without asking how old it is.

interface Entry {
  readonly kind: string;
  readonly value: unknown;
  readonly bytes: number;
}

/** About what an entry costs beside its pixels. */
const OVERHEAD = 200;

export class KeptMemory {
  #limit: number;
  // A Map keeps the order of insertion: what is used moves to the end, what is first was not used for longest.
  readonly #entries = new Map<string, Entry>();
  readonly #bytesByKind = new Map<string, number>();
  #bytes = 0;

  /** @param limit bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes in use, by kind. */
  get bytesByKind(): ReadonlyMap<string, number> {
    return this.#bytesByKind;
  }

  resize(limit: number): void {
    this.#limit = limit;
    this.#evict();
  }

  /** A view for one kind of value; `kind` becomes a part of its keys. */
  of<T>(kind: string): { get(key: string): T | undefined; set(key: string, value: T, bytes: number): void } {
    return {
      get: (key) => this.#get(`${kind} ${key}`) as T | undefined,
      set: (key, value, bytes) => this.#set(`${kind} ${key}`, { kind, value, bytes: bytes + OVERHEAD }),
    };
  }

  #get(key: string): unknown {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  #set(key: string, entry: Entry): void {
    this.#delete(key);
    // It would push out all else, and then itself.
    if (entry.bytes > this.#limit) return;
    this.#entries.set(key, entry);
    this.#count(entry.kind, entry.bytes);
    this.#evict();
  }

  #delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#count(entry.kind, -entry.bytes);
  }

  #count(kind: string, bytes: number): void {
    this.#bytes += bytes;
    this.#bytesByKind.set(kind, (this.#bytesByKind.get(kind) ?? 0) + bytes);
  }

  #evict(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limit) return;
      this.#delete(oldest);
    }
  }
}

const MEBIBYTE = 1024 * 1024;

/** Everything that the back ends keep. The composition root sets its size. */
export const keptMemory = new KeptMemory(128 * MEBIBYTE);
