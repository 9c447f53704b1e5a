// What rasters and pages are made from, kept between renders: one bound for all of it, in bytes, and a name for each kind.
//
// Values never change under their key, so that whoever finds one may use it without asking how old it is.

interface Entry {
  readonly kind: Kind;
  readonly key: string;
  readonly value: unknown;
  readonly bytes: number;
  /** Asked for since it last stood at the head of the queue. */
  isUsed: boolean;
}

interface Kind {
  readonly name: string;
  readonly entries: Map<string, Entry>;
}

/** About what an entry costs beside its pixels. */
const OVERHEAD = 200;

export class KeptMemory {
  #limit: number;
  readonly #kinds = new Map<string, Kind>();
  // Oldest first. Who finds a value only marks it: what is marked is spared when it would have to go, and queues again.
  readonly #queue = new Set<Entry>();
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

  /** A view for one kind of value; each has keys of its own. */
  of<T>(name: string): { get(key: string): T | undefined; set(key: string, value: T, bytes: number): void } {
    const kind = this.#kinds.get(name) ?? { name, entries: new Map() };
    this.#kinds.set(name, kind);
    return {
      get: (key) => {
        const entry = kind.entries.get(key);
        if (!entry) return undefined;
        entry.isUsed = true;
        return entry.value as T;
      },
      set: (key, value, bytes) => this.#set({ kind, key, value, bytes: bytes + OVERHEAD, isUsed: false }),
    };
  }

  /** Whether a value of so many bytes can be kept: a larger one would push out all else, and then itself. */
  canHold(bytes: number): boolean {
    return bytes + OVERHEAD <= this.#limit;
  }

  #set(entry: Entry): void {
    const { kind, key, bytes } = entry;
    const before = kind.entries.get(key);
    if (before) this.#delete(before);
    if (bytes > this.#limit) return;
    kind.entries.set(key, entry);
    this.#queue.add(entry);
    this.#count(kind, bytes);
    this.#evict();
  }

  #delete(entry: Entry): void {
    this.#queue.delete(entry);
    entry.kind.entries.delete(entry.key);
    this.#count(entry.kind, -entry.bytes);
  }

  #count({ name }: Kind, bytes: number): void {
    this.#bytes += bytes;
    this.#bytesByKind.set(name, (this.#bytesByKind.get(name) ?? 0) + bytes);
  }

  #evict(): void {
    // The search passes over the place of every entry that is gone: it is made only where it must.
    if (this.#bytes <= this.#limit) return;
    for (const oldest of this.#queue) {
      if (this.#bytes <= this.#limit) return;
      if (!oldest.isUsed) {
        this.#delete(oldest);
        continue;
      }
      oldest.isUsed = false;
      this.#queue.delete(oldest);
      this.#queue.add(oldest);
    }
  }
}

const MEBIBYTE = 1024 * 1024;

/** Everything that the back ends keep. The composition root sets its size. */
export const keptMemory = new KeptMemory(128 * MEBIBYTE);
