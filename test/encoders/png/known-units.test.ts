import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Rect, Size } from '#core/geometry.ts';
import type { Part } from '#encoders/part.ts';
import { type Band, BandEncoder } from '#encoders/png/band-encoder.ts';
import { encodePng } from '#encoders/png/encode-png.ts';
import type { Raster } from '#images/raster.ts';
import { readPng } from './read-png.ts';

/** Noise of some amplitude with calm places in it, translucent where `alpha` says so. */
function paint(seed: number, x: number, y: number, alpha: number): number {
  const tile = Math.imul(Math.floor(x / 41) + 7 * Math.floor(y / 23) + seed, 2_654_435_761) >>> 29;
  const mask = seed < 5 ? 0x070707 : 0x7f3f7f;
  const grain = (Math.imul(x + 31 * seed, 2_654_435_761) ^ Math.imul(y + seed, 40_503)) & mask;
  return (alpha << 24) | (tile === 0 ? 0x203040 : (x & 63) * 0x010101 + grain);
}

/** The ground, and what else each picture shows in some rectangles. */
function picture({ width, height }: Size, alpha: number, rects: readonly Rect[], seed: number): Raster {
  const pixels = new Uint32Array(width * height);
  const whole = { x: 0, y: 0, width, height };
  for (const [who, over] of [[1, whole] as const, ...rects.map((rect) => [seed, rect] as const)]) {
    for (let y = Math.max(0, over.y); y < Math.min(height, over.y + over.height); y++) {
      for (let x = Math.max(0, over.x); x < Math.min(width, over.x + over.width); x++) {
        pixels[y * width + x] = paint(who, x, y, alpha);
      }
    }
  }
  return { width, height, pixels: new Uint8Array(pixels.buffer) };
}

const size = fc.record({ width: fc.integer({ min: 1, max: 400 }), height: fc.integer({ min: 1, max: 220 }) });
/** Some reach over the picture's edge. */
const rect = fc.record({
  x: fc.integer({ min: -30, max: 400 }),
  y: fc.integer({ min: -30, max: 220 }),
  width: fc.integer({ min: 0, max: 130 }),
  height: fc.integer({ min: 0, max: 90 }),
});
const cover = fc.record({ rects: fc.array(rect, { maxLength: 4 }), seed: fc.integer({ min: 2, max: 9 }) });

test('pictures on one ground have the same bytes as each by itself', () =>
  fc.assert(
    fc.asyncProperty(
      size,
      fc.array(cover, { minLength: 2, maxLength: 5 }),
      fc.constantFrom(255, 255, 128),
      async (canvas, covers, alpha) => {
        const parts = new Map<string, Part>();
        for (const { rects, seed } of covers) {
          const raster = picture(canvas, alpha, rects, seed);
          const file = await encodePng(raster, { covered: rects, parts });
          expect(Buffer.compare(file, await encodePng(raster))).toBe(0);
          if (alpha === 255) expectPixels(file, raster);
        }
      },
    ),
    { numRuns: 60, seed: 3 },
  ));

function expectPixels(file: Uint8Array, { pixels }: Raster): void {
  const shown = readPng(file).pixels;
  expect(
    Buffer.compare(
      shown,
      pixels.filter((_, at) => at % 4 !== 3),
    ),
  ).toBe(0);
}

const CANVAS = { width: 400, height: 60 };
const corner: Rect = { x: 0, y: 0, width: 50, height: 10 };

/** The only band of a picture, as somebody encodes it who knows what another has shown. */
function encodeAfter(meant: Raster, read: Raster, covered: readonly Rect[]): Band | null {
  const units = new BandEncoder(meant, 3, { covered, parts: [] }).encode(0)?.units;
  return new BandEncoder(read, 3, { covered, parts: [units ?? undefined] }).encode(0);
}

const alone = (raster: Raster) => new BandEncoder(raster, 3, null).encode(0)?.bytes;

test('units that stay are copied, whatever stands there', () => {
  const meant = picture(CANVAS, 255, [], 1);
  const read = picture(CANVAS, 255, [{ x: 150, y: 40, width: 200, height: 15 }], 2);
  expect(encodeAfter(meant, read, [corner])?.bytes).toEqual(alone(meant));
});

test('they are not where another code is the better one', () => {
  const meant = picture(CANVAS, 255, [], 1);
  const covered = [{ x: 0, y: 0, width: 400, height: 40 }];
  const loud = picture(CANVAS, 255, covered, 9);
  const band = encodeAfter(meant, loud, covered);
  expect(band?.bytes).toEqual(alone(loud));
  // What was of no use gives way, though no more of it was covered.
  expect(band?.units).not.toBe(null);
});

test('of the bands that show a ground, the one that shows most of it is kept', async () => {
  const parts = new Map<string, Part>();
  const known: (number | undefined)[] = [];
  for (const width of [150, 60, 100, 0, 20]) {
    const covered = [{ ...corner, x: 5, y: 5, width }];
    await encodePng(picture(CANVAS, 255, covered, 3), { covered, parts });
    known.push((parts.get('png 3 0 units') as (Part & { covered: number }) | undefined)?.covered);
  }
  // Ten rows and the one below them, of three units and then of two.
  expect(known).toEqual([33, 22, 22, 11, 11]);
});
