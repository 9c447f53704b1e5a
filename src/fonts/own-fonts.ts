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

export class OwnFonts {
  readonly #library: FontLibrary;
  readonly #extended = new LruCache<string, FontLibrary>(CAPACITY);

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
    if (known) return known;
    const own = await faces();
    const extended = this.#library.with(own.map((face) => ({ ...face, coverage: Coverage.parse(face.coverage) })));
    const weight = own.reduce((sum, { coverage }) => sum + coverage.length, 0);
    this.#extended.set(key, extended, weight);
    return extended;
  }
}
