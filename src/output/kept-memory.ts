// What rasters and pages are made from, kept between renders: one bound for all of it, in bytes, and a name for each kind.
//
// By S3-FIFO (Yang et al., "FIFO queues are all you need for cache eviction", SOSP 2023): a value starts in a small queue
// and stays only if it is asked for there, so that a thousand templates that come once push out nothing that is in use.
// Values never change under their key, so that whoever finds one may use it without asking how old it is.

interface Entry {
  readonly kind: Kind;
  readonly key: string;
  readonly value: unknown;
  readonly bytes: number;
  /** How often it was asked for since it last stood at the head of a queue, at most MOST_USES. */
  uses: number;
}

interface Kind {
  readonly name: string;
  readonly entries: Map<string, Entry>;
}

/** What new values may take of the whole. */
const SMALL_SHARE = 0.1;
const MOST_USES = 3;
/** Keys that are remembered after their values have gone from the small queue. */
const MOST_GHOSTS = 20_000;

/** About what an entry costs beside its pixels. */
const OVERHEAD = 200;

export class KeptMemory {
  #limit: number;
  readonly #kinds = new Map<string, Kind>();
  // Oldest first. Who finds a value only marks it.
  readonly #small = new Set<Entry>();
  readonly #main = new Set<Entry>();
  /** Kinds and keys of what was tried in vain: whoever comes back is wanted. */
  readonly #ghosts = new Set<string>();
  #smallBytes = 0;
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
        entry.uses = Math.min(MOST_USES, entry.uses + 1);
        return entry.value as T;
      },
      set: (key, value, bytes) => this.#set({ kind, key, value, bytes: bytes + OVERHEAD, uses: 0 }),
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
    if (this.#ghosts.delete(ghostOf(entry))) this.#main.add(entry);
    else {
      this.#small.add(entry);
      this.#smallBytes += bytes;
    }
    this.#count(kind, bytes);
    this.#evict();
  }

  #delete(entry: Entry): void {
    this.#main.delete(entry);
    this.#leaveSmall(entry);
    entry.kind.entries.delete(entry.key);
    this.#count(entry.kind, -entry.bytes);
  }

  #leaveSmall(entry: Entry): void {
    if (this.#small.delete(entry)) this.#smallBytes -= entry.bytes;
  }

  #count({ name }: Kind, bytes: number): void {
    this.#bytes += bytes;
    this.#bytesByKind.set(name, (this.#bytesByKind.get(name) ?? 0) + bytes);
  }

  #evict(): void {
    while (this.#bytes > this.#limit) {
      if (this.#main.size === 0 || this.#smallBytes > SMALL_SHARE * this.#limit) this.#evictFromSmall();
      else this.#evictFromMain();
    }
  }

  /** Down to its share: whoever was asked for stays, in the main queue. */
  #evictFromSmall(): void {
    for (const oldest of this.#small) {
      if (oldest.uses > 0) {
        oldest.uses = 0;
        this.#leaveSmall(oldest);
        this.#main.add(oldest);
      } else {
        this.#delete(oldest);
        this.#remember(oldest);
      }
      if (this.#bytes <= this.#limit || this.#smallBytes <= SMALL_SHARE * this.#limit) return;
    }
  }

  #evictFromMain(): void {
    for (const oldest of this.#main) {
      if (oldest.uses === 0) {
        this.#delete(oldest);
        if (this.#bytes <= this.#limit) return;
        continue;
      }
      oldest.uses -= 1;
      this.#main.delete(oldest);
      this.#main.add(oldest);
    }
  }

  #remember(entry: Entry): void {
    this.#ghosts.add(ghostOf(entry));
    if (this.#ghosts.size <= MOST_GHOSTS) return;
    for (const oldest of this.#ghosts) {
      this.#ghosts.delete(oldest);
      return;
    }
  }
}

const ghostOf = ({ kind, key }: Entry) => `${kind.name} ${key}`;

const MEBIBYTE = 1024 * 1024;

/** Everything that the back ends keep. The composition root sets its size. */
export const keptMemory = new KeptMemory(128 * MEBIBYTE);
