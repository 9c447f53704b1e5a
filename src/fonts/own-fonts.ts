// Font files that are somebody's own beside the catalogue: as plain data, and as libraries that are kept by a key.

import { Coverage } from '#core/fonts/coverage.ts';
import type { AvailableFace } from '#core/fonts/match-face.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { FontLibrary } from './font-library.ts';

/** A face as it can be stored, and handed to another thread. */
export interface FontRecord extends Omit<AvailableFace, 'coverage'> {
  /** As `Coverage` writes itself. */
  readonly coverage: string;
}

/** Libraries in memory, by the length of what their fonts cover, characters. */
const CAPACITY = 8_000_000;

export class OwnFonts {
  readonly #library: FontLibrary;
  readonly #extended = new LruCache<string, FontLibrary>(CAPACITY);

  /** @param library what everybody may use */
  constructor(library: FontLibrary) {
    this.#library = library;
  }

  /**
   * The library with somebody's own faces, which win over equal ones.
   *
   * @param key equal keys, equal faces; '' when there are none
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
