// Bands that were encoded before give the same file as encoding all of them, whatever changed in between.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BandCache } from '#draw/encoders/png/band-cache.ts';
import type { Band } from '#draw/encoders/png/band-encoder.ts';
import { encodePng } from '#draw/encoders/png/encode-png.ts';
import type { Raster } from '#draw/images/raster.ts';

const WIDTH = 400;
const HEIGHT = 1400;

/** A cache that counts what it finds. */
class Counted implements BandCache {
  readonly #bands = new Map<string, Band>();
  found = 0;

  get(key: string): Band | undefined {
    const kept = this.#bands.get(key);
    if (kept) this.found++;
    return kept;
  }

  set(key: string, value: Band): void {
    this.#bands.set(key, value);
  }

  get size(): number {
    return this.#bands.size;
  }
}

function withDigests({ width, height, pixels }: Raster): Raster {
  const digests = new Uint8Array(16 * height);
  for (let y = 0; y < height; y++) {
    const row = pixels.subarray(4 * width * y, 4 * width * (y + 1));
    digests.set(createHash('md5').update(row).digest(), 16 * y);
  }
  return { width, height, pixels, digests };
}

const KINDS = ['flat', 'steps', 'photo', 'faint'] as const;

/** Rows of a kind, the same ones for the same seed. */
function paint(pixels: Uint8Array, kind: (typeof KINDS)[number], from: number, to: number, seed: number): void {
  for (let y = from; y < to; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const at = 4 * (y * WIDTH + x);
      const noise = Math.imul(x + 31 * y + 977 * seed, 2_654_435_761) >>> 24;
      if (kind === 'flat') pixels.set([seed, 40, 200, 255], at);
      if (kind === 'steps') pixels.set([(x >> 4) * 9, (y >> 3) & 255, seed, 255], at);
      if (kind === 'photo') pixels.set([noise, (x * y) & 255, seed, 255], at);
      if (kind === 'faint') pixels.set([seed & 127, x & 127, 3, 128], at);
    }
  }
}

const stretch = fc.record({
  kind: fc.constantFrom(...KINDS),
  from: fc.integer({ min: 0, max: HEIGHT - 1 }),
  rows: fc.integer({ min: 1, max: HEIGHT }),
  seed: fc.integer({ min: 1, max: 3 }),
});

test('the same files, in any order of changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stretch, { minLength: 2, maxLength: 6 }), async (changes) => {
      const cache = new Counted();
      const raster = { width: WIDTH, height: HEIGHT, pixels: new Uint8Array(4 * WIDTH * HEIGHT) };
      paint(raster.pixels, 'steps', 0, HEIGHT, 1);
      for (const { kind, from, rows, seed } of changes) {
        paint(raster.pixels, kind, from, Math.min(HEIGHT, from + rows), seed);
        const plain = await encodePng(raster);
        expect(Buffer.compare(await encodePng(withDigests(raster), cache), plain)).toBe(0);
        // Now every band is known.
        expect(Buffer.compare(await encodePng(withDigests(raster), cache), plain)).toBe(0);
      }
    }),
    { numRuns: 10, seed: 1 },
  );
});

test('only the bands that changed, and the one below, are encoded again', async () => {
  const cache = new Counted();
  const raster = { width: WIDTH, height: HEIGHT, pixels: new Uint8Array(4 * WIDTH * HEIGHT) };
  paint(raster.pixels, 'photo', 0, HEIGHT, 1);
  await encodePng(withDigests(raster), cache);
  const count = cache.size;
  expect(count).toBeGreaterThan(5);
  paint(raster.pixels, 'photo', 300, 302, 2);
  await encodePng(withDigests(raster), cache);
  expect(cache.size - count).toBeGreaterThan(0);
  expect(cache.size - count).toBeLessThanOrEqual(2);
  expect(cache.found).toBe(count - (cache.size - count));
});
