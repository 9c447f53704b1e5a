// Font files of one account in addition to the catalogue: as plain data, and as libraries cached by key.

import { Coverage } from '#core/fonts/coverage.ts';
import type { AvailableFace } from '#core/fonts/match-face.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { FontLibrary } from './font-library.ts';

/** A face as plain data that can be stored and sent to another thread. */
export interface FontRecord extends Omit<AvailableFace, 'coverage'> {
  /** Serialised by `Coverage`. */
  readonly coverage: string;
}

/** Capacity of cached libraries, counted in characters of their fonts' serialised coverage. */
const CAPACITY = 8_000_000;
/** How often the faces of a cached library are asked for again, ms. */
const RENEWED_EVERY = 60_000;

interface Extended {
  readonly library: FontLibrary;
  /** When its faces were last asked for. */
  renewed: number;
}

export class OwnFonts {
  readonly #library: FontLibrary;
  readonly #extended = new LruCache<string, Extended>(CAPACITY);

  /** @param library the fonts that everyone may use */
  constructor(library: FontLibrary) {
    this.#library = library;
  }

  /**
   * The library with additional faces, which take precedence over equal ones.
   *
   * @param key equal for equal faces; '' when there are none
   */
  async libraryOf(key: string, faces: () => Promise<readonly FontRecord[]>): Promise<FontLibrary> {
    if (key === '') return this.#library;
    const known = this.#extended.get(key);
    if (known) {
      // Faces are files, of which a server with S3 keeps local copies for as long as they are asked for.
      if (performance.now() > known.renewed + RENEWED_EVERY) {
        known.renewed = performance.now();
        await faces();
      }
      return known.library;
    }
    const own = await faces();
    const library = this.#library.with(own.map((face) => ({ ...face, coverage: Coverage.parse(face.coverage) })));
    const weight = own.reduce((sum, { coverage }) => sum + coverage.length, 0);
    this.#extended.set(key, { library, renewed: performance.now() }, weight);
    return library;
  }
}
