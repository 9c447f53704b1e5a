// Finds the bands of a picture that were encoded before: when a template is drawn with other words, two thirds of its
// bands usually look the same.
//
// A band is recognised by the digests of the rows that it depends on. Templates in rotation with other words take 1.2 to
// 1.5 times less processor time; where nothing recurs, the digests cost 3 to 5 % more.

import { hash } from 'node:crypto';
import type { Band, BandEncoder } from './band-encoder.ts';

/** A cache of bounded size; it may forget. */
export interface BandCache {
  get(key: string): Band | undefined;
  set(key: string, band: Band, bytes: number): void;
}

/** Approximate bytes of an entry beyond the band's own. */
const NOTED = 300;

export class BandMemory {
  readonly #cache: BandCache;
  /** What each band depends on, but for the way in which the band above is encoded. */
  readonly #rows: readonly string[];
  /** The bands by index, as far as they are known. */
  readonly known: readonly (Band | undefined)[];

  /** @param digests of the raster's rows */
  constructor(cache: BandCache, encoder: BandEncoder, digests: Uint8Array) {
    const { raster, form } = encoder;
    const { width, height } = raster;
    const perRow = digests.length / height;
    const picture = `${width} ${'colors' in raster ? hash('sha256', raster.colors, 'base64') : form}`;
    this.#cache = cache;
    this.#rows = Array.from({ length: encoder.count }, (_, i) => {
      const { from, to } = encoder.rowsOf(i);
      const place = Buffer.from(`${picture} ${i === 0} ${to === height} `);
      // The rows of a band are predicted from, or matched with, the row above.
      const rows = digests.subarray(perRow * Math.max(0, from - 1), perRow * to);
      return hash('sha256', Buffer.concat([place, rows]), 'base64');
    });
    const known: (Band | undefined)[] = [];
    for (let i = 0; i < encoder.count; i++) {
      const below = { drawn: cache.get(this.#key(i, true)), other: cache.get(this.#key(i, false)) };
      if (below.drawn || below.other) {
        const isBelowDrawn = i > 0 && (known[i - 1]?.isDrawn ?? encoder.isDrawn(i - 1));
        known.push(isBelowDrawn ? below.drawn : below.other);
      } else known.push(undefined);
    }
    this.known = known;
  }

  /** Keeps the bands that were not known. */
  keep(bands: readonly Band[]): void {
    for (const [i, band] of bands.entries()) {
      if (this.known[i]) continue;
      this.#cache.set(this.#key(i, bands[i - 1]?.isDrawn ?? false), band, NOTED + band.bytes.length);
    }
  }

  #key(index: number, isBelowDrawn: boolean): string {
    return `${this.#rows[index]} ${isBelowDrawn}`;
  }
}
