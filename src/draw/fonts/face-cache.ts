// Opens faces, and keeps them between renders within a limit of memory.
//
// HarfBuzz's copy of a font is freed when its JavaScript object has been collected. V8 does not see that memory and may
// wait for hundreds of megabytes of it, so garbage is collected here when many faces were opened.

import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { limiter } from '#base/concurrency/limiter.ts';
import { SingleFlight } from '#base/concurrency/single-flight.ts';
import { AppError } from '#base/errors.ts';
import { type FaceMatch, faceKey } from '#core/fonts/match-face.ts';
import { LruCache } from '#core/lru-cache.ts';
import { FontFace } from '#core/text/font-face.ts';
import { unwrapWoff } from './woff.ts';

/** Most bytes of the font files of one picture. The largest of the catalogue, for Chinese, has 10 MiB. */
const MOST_FILE_BYTES = 128 * 2 ** 20;
/** How many files are read and opened at once, so that few are in memory when there prove to be too many. */
const AT_ONCE = 4;
/** Garbage is collected when faces of this share of the limit were opened since the last time. */
const SHARE = 1 / 4;

export interface FaceCacheOptions {
  /** Most memory of kept faces, bytes (`FontFace.memory`). */
  readonly limit: number;
  /** Most bytes of the font files of one picture; tests may set fewer. */
  readonly mostFileBytes?: number;
  /** Frees what nothing refers to; tests may replace it. */
  readonly collect?: () => void;
}

/** The faces of one picture, and the bytes of their files. */
export class PictureFaces {
  readonly #keys = new Set<string>();
  #fileBytes = 0;

  get fileBytes(): number {
    return this.#fileBytes;
  }

  add({ key, file }: FontFace): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#fileBytes += file.bytes.length;
  }
}

export class FaceCache {
  readonly #limit: number;
  readonly #mostFileBytes: number;
  readonly #collect: () => void;
  readonly #faces: LoadCache<FontFace>;
  /** Instances of a variable font share the bytes of its file. */
  readonly #files = new Map<string, WeakRef<Uint8Array>>();
  /** Keeps nothing, but shares reads at the same time. */
  readonly #reading = new LoadCache<Uint8Array>(0, () => 1);
  readonly #opening = limiter(AT_ONCE);
  /** Bytes of faces that have not been collected, kept or not. */
  #held = 0;
  #openedSince = 0;
  readonly #collected = new FinalizationRegistry<number>((bytes) => {
    this.#held -= bytes;
  });
  readonly #forgotten = new FinalizationRegistry<string>((path) => {
    if (this.#files.get(path)?.deref() === undefined) this.#files.delete(path);
  });

  constructor({ limit, mostFileBytes = MOST_FILE_BYTES, collect = collectGarbage }: FaceCacheOptions) {
    this.#limit = limit;
    this.#mostFileBytes = mostFileBytes;
    this.#collect = collect;
    this.#faces = new LoadCache(limit, ({ memory }) => memory);
  }

  /** Weighs the faces again, which grow while they are used, and evicts those used least recently beyond the limit. */
  trim(): void {
    this.#faces.reweigh();
  }

  /**
   * The face, synchronously if it is kept.
   *
   * @param picture counts the faces of one picture
   * @throws AppError `invalid_request` when the picture's files are too large together
   */
  open(match: FaceMatch, picture: PictureFaces): FontFace | Promise<FontFace> {
    const key = faceKey(match);
    const kept = this.#faces.kept(key);
    if (kept) {
      this.#count(kept, picture);
      return kept;
    }
    return this.#opening(async () => {
      this.#check(picture);
      const face = await this.#faces.get(key, () => this.#load(match, key));
      this.#count(face, picture);
      return face;
    });
  }

  async #load({ face: { family, weight, style, path }, variations }: FaceMatch, key: string): Promise<FontFace> {
    const bytes = await this.#read(path);
    const face = new FontFace({ key, family, weight: variations.wght ?? weight, style, bytes, variations });
    this.#watch(face);
    return face;
  }

  async #read(path: string): Promise<Uint8Array> {
    const known = this.#files.get(path)?.deref();
    if (known) return known;
    return this.#reading.get(path, async () => {
      // A font that a page brings along is read from its own text.
      const file = path.startsWith('data:')
        ? Buffer.from(path.slice(path.indexOf(',') + 1), 'base64')
        : await readFile(path);
      const bytes = await unwrapWoff(file);
      this.#files.set(path, new WeakRef(bytes));
      this.#forgotten.register(bytes, path);
      return bytes;
    });
  }

  #watch(face: FontFace): void {
    const { memory } = face;
    this.#collected.register(face, memory);
    this.#held += memory;
    this.#openedSince += memory;
    if (this.#held <= this.#limit || this.#openedSince < SHARE * this.#limit) return;
    this.#openedSince = 0;
    this.#collect();
  }

  #count(face: FontFace, picture: PictureFaces): void {
    picture.add(face);
    this.#check(picture);
  }

  #check({ fileBytes }: PictureFaces): void {
    if (fileBytes <= this.#mostFileBytes) return;
    const most = Math.floor(this.#mostFileBytes / 2 ** 20);
    throw new AppError(
      'invalid_request',
      `The font files of the picture have more than ${most} MiB in all; use fewer families, or smaller files.`,
    );
  }
}

let collect: (() => void) | null = null;

/** Runs V8's full garbage collection. Takes some 10 ms for each 100 MB of live objects. */
function collectGarbage(): void {
  if (collect === null) {
    // The function exists in contexts made after the flag was set, and this one is not shared with anything.
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
  }
  collect();
}

// A cache of values that are expensive to load: concurrent requests share one load, and values are kept up to a
// capacity.

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
