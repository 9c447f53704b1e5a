// A cache for what rasters and pages are made from, kept between renders: one byte limit for all kinds of values, with
// a usage figure per kind.
//
// Evicts by S3-FIFO (Yang et al., "FIFO queues are all you need for cache eviction", SOSP 2023). A value starts in a
// small queue and stays only if it is requested again while there, so that a thousand templates rendered once each
// evict nothing that is in use. The value of a key never changes, so a hit is never stale.

interface Entry {
  readonly kind: Kind;
  readonly key: string;
  readonly value: unknown;
  readonly bytes: number;
  /** Requests since it was last at the head of a queue, at most MOST_USES. */
  uses: number;
}

interface Kind {
  readonly name: string;
  readonly entries: Map<string, Entry>;
}

/** The share of the limit that the small queue may use. */
const SMALL_SHARE = 0.1;
const MOST_USES = 3;
/** Most keys that are remembered after their values were evicted from the small queue. */
const MOST_GHOSTS = 20_000;

/** Approximate bytes of an entry beyond its value. */
const OVERHEAD = 200;

export class ResourceCache {
  #limit: number;
  readonly #kinds = new Map<string, Kind>();
  // Oldest first. A hit only counts a use; it does not reorder the queue.
  readonly #small = new Set<Entry>();
  readonly #main = new Set<Entry>();
  /**
   * Kinds and keys that were evicted from the small queue; if one is set again, it goes straight into the main queue.
   */
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

  /** A view for one kind of value, with its own key space. */
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

  /** Whether a value of this many bytes fits. A larger one would evict everything else, and then itself. */
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

  /** Shrinks the small queue to its share; entries that were requested move to the main queue. */
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

/** The cache that all back ends share. The composition root sets its size. */
export const resourceCache = new ResourceCache(128 * MEBIBYTE);
