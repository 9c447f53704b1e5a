import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Rect, Size } from '#core/geometry.ts';
import { encodeJpeg } from '#encoders/jpeg/encode-jpeg.ts';
import { StripEncoder } from '#encoders/jpeg/strip-encoder.ts';
import type { Part } from '#encoders/part.ts';
import type { Raster } from '#images/raster.ts';

/** Flat, noisy or translucent, by tiles that are no units. */
function paint(seed: number, x: number, y: number): number {
  const tile = Math.imul(Math.floor(x / 37) + 7 * Math.floor(y / 29) + seed, 2_654_435_761) >>> 29;
  const grain = (Math.imul(x + 31 * seed, 2_654_435_761) ^ Math.imul(y + seed, 40_503)) & 0x3f3f3f;
  return tile < 3 ? 0xff204060 + 0x90000 * tile : tile < 6 ? 0xff000000 + grain : 0x80000000 + grain;
}

/** The ground, and what else each picture shows in some rectangles. */
function picture({ width, height }: Size, rects: readonly Rect[], seed: number): Raster {
  const pixels = new Uint32Array(width * height);
  for (const [who, over] of [
    [1, { x: 0, y: 0, width, height }] as const,
    ...rects.map((rect) => [seed, rect] as const),
  ]) {
    for (let y = Math.max(0, over.y); y < Math.min(height, over.y + over.height); y++) {
      for (let x = Math.max(0, over.x); x < Math.min(width, over.x + over.width); x++) {
        pixels[y * width + x] = paint(who, x, y);
      }
    }
  }
  return { width, height, pixels: new Uint8Array(pixels.buffer) };
}

const size = fc.record({ width: fc.integer({ min: 1, max: 340 }), height: fc.integer({ min: 1, max: 170 }) });
/** Some reach over the picture's edge. */
const rect = fc.record({
  x: fc.integer({ min: -30, max: 340 }),
  y: fc.integer({ min: -30, max: 170 }),
  width: fc.integer({ min: 0, max: 130 }),
  height: fc.integer({ min: 0, max: 90 }),
});
const cover = fc.record({ rects: fc.array(rect, { maxLength: 4 }), seed: fc.integer({ min: 2, max: 9 }) });

test('pictures on one ground are coded to the same bytes as each by itself', () =>
  fc.assert(
    fc.asyncProperty(
      size,
      fc.array(cover, { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 1, max: 100 }),
      async (canvas, covers, quality) => {
        const parts = new Map<string, Part>();
        for (const { rects, seed } of covers) {
          const raster = picture(canvas, rects, seed);
          const file = await encodeJpeg(raster, quality, { covered: rects, parts });
          expect(Buffer.compare(file, await encodeJpeg(raster, quality))).toBe(0);
        }
      },
    ),
    { numRuns: 50 },
  ));

const CANVAS = { width: 400, height: 96 };
const corner: Rect = { x: 0, y: 0, width: 50, height: 10 };

test('units that stay are copied, whatever stands there', () => {
  const other: Rect = { x: 100, y: 40, width: 200, height: 30 };
  const [meant, read] = [picture(CANVAS, [], 1), picture(CANVAS, [other], 5)];
  const { units } = new StripEncoder(meant, 80, { covered: [corner], parts: [] }).encode(0);
  const known = { covered: [corner], parts: [units ?? undefined] };
  expect(new StripEncoder(read, 80, known).encode(0).bytes).toEqual(new StripEncoder(meant, 80, null).encode(0).bytes);
});

test('of the strips that show a ground, the one that shows most of it is kept', async () => {
  const parts = new Map<string, Part>();
  const known: number[] = [];
  for (const width of [120, 50, 80, 0, 20]) {
    const covered = [{ ...corner, width }];
    await encodeJpeg(picture(CANVAS, covered, 3), 80, { covered, parts });
    known.push((parts.get('jpeg 80 0 units') as Part & { covered: number }).covered);
  }
  expect(known).toEqual([8, 4, 4, 4, 2]);
});
