// Finds the bands of a picture that were encoded before: when a template is drawn with other words, two thirds of its
// bands usually look the same.
//
// A band is recognised by the digests of the rows that it depends on. Templates in rotation with other words take 1.2 to
// 1.5 times less processor time; where nothing recurs, the digests cost 3 to 5 % more.

import { hash } from 'node:crypto';
import type { Raster } from '#images/raster.ts';
import type { Band, BandEncoder, PixelForm } from './band-encoder.ts';

export interface KeptBand {
  readonly band: Band;
  /** Whether it is encoded as a drawing, on which the next band depends. */
  readonly isDrawn: boolean;
}

/** A cache of bounded size; it may forget. */
export interface BandCache {
  get(key: string): KeptBand | undefined;
  set(key: string, value: KeptBand, bytes: number): void;
}

/** Approximate bytes of an entry beyond the band's own. */
const NOTED = 300;

export class KeptBands {
  readonly #cache: BandCache;
  readonly #keys: readonly string[];
  readonly #drawn: readonly boolean[];
  /** The bands by index, as far as they are known. */
  readonly known: readonly (Band | undefined)[];

  /** @param digests of the raster's rows */
  constructor(cache: BandCache, encoder: BandEncoder, { width, height }: Raster, digests: Uint8Array, form: PixelForm) {
    const perRow = digests.length / height;
    const keys: string[] = [];
    const drawn: boolean[] = [];
    const known: (Band | undefined)[] = [];
    const picture = `${width} ${typeof form === 'string' ? form : hash('sha256', form.slots, 'base64')}`;
    for (let i = 0; i < encoder.count; i++) {
      const { from, to } = encoder.rowsOf(i);
      // The rows of a band are predicted from, or matched with, the row above.
      const rows = digests.subarray(perRow * Math.max(0, from - 1), perRow * to);
      const place = `${i === 0} ${to === height} ${i > 0 && drawn[i - 1]}`;
      const key = hash('sha256', Buffer.concat([Buffer.from(`${picture} ${place} `), rows]), 'base64');
      const kept = cache.get(key);
      keys.push(key);
      known.push(kept?.band);
      drawn.push(kept?.isDrawn ?? encoder.isDrawn(i));
    }
    this.#cache = cache;
    this.#keys = keys;
    this.#drawn = drawn;
    this.known = known;
  }

  /** Keeps the bands that were not known. */
  keep(bands: readonly Band[]): void {
    for (const [i, band] of bands.entries()) {
      if (this.known[i]) continue;
      this.#cache.set(this.#keys[i] ?? '', { band, isDrawn: this.#drawn[i] ?? false }, NOTED + band.bytes.length);
    }
  }
}
