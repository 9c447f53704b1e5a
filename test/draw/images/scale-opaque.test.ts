import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Size } from '#core/geometry.ts';
import { scaleOpaque } from '#draw/images/scale.ts';
import { scalePixels } from '#edge/scale-pixels.ts';
import { anyBytes, farthest } from '../output/raster/kernels/kernel-memory.ts';

const picture = ({ width, height }: Size, data = anyBytes(3 * width * height, width + height)) =>
  ({ width, height, channels: 3, data }) as const;

/** RGBA of RGB, for the function that the edge scales with, in floating point. */
function opaque(rgb: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: (rgb.length / 3) * 4 }, (_, i) =>
    i % 4 === 3 ? 255 : (rgb[3 * (i >> 2) + (i % 4)] ?? 0),
  );
}

/** One axis: a part of a picture, its scaled length, and the part of that which is shown. */
const axis = fc
  .record({
    total: fc.integer({ min: 1, max: 90 }),
    ends: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
    factor: fc.double({ min: 0.26, max: 2.5, noNaN: true }),
    shown: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map(({ total, ends: [start, share], factor, shown: [from, part] }) => {
    const left = Math.floor(start * (total - 1));
    const length = Math.max(1, Math.round(share * (total - left)));
    // To more than a quarter: otherwise the edge averages blocks first.
    const scaled = Math.max(Math.floor(length / 4) + 1, Math.round(length * factor));
    const first = Math.floor(from * (scaled - 1));
    return { total, left, length, scaled, first, count: Math.max(1, Math.round(part * (scaled - first))) };
  });

test('every part at every size is, but for a level, what the same filter gives in floating point', () => {
  fc.assert(
    fc.property(axis, axis, (x, y) => {
      const size = { width: x.total, height: y.total };
      const pixels = picture(size);
      const before = { left: x.left, top: y.left, width: x.length, height: y.length };
      const scaled = { width: x.scaled, height: y.scaled };
      const after = { left: x.first, top: y.first, width: x.count, height: y.count };
      const got = scaleOpaque(pixels, { before, scaled, after });
      const part = new Uint8Array(3 * before.width * before.height);
      for (let row = 0; row < before.height; row++) {
        const at = 3 * ((before.top + row) * size.width + before.left);
        part.set(pixels.data.subarray(at, at + 3 * before.width), 3 * row * before.width);
      }
      const of = { x: 0, y: 0, width: before.width, height: before.height };
      const whole = scalePixels({ ...of, data: opaque(part) }, of, scaled, false);
      const wanted = new Uint8Array(got.length);
      for (let row = 0; row < after.height; row++) {
        const at = 4 * ((after.top + row) * scaled.width + after.left);
        wanted.set(whole.subarray(at, at + 4 * after.width), 4 * row * after.width);
      }
      expect(farthest(got, wanted)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 300 },
  );
});

test('a picture that does not fit the kernel’s memory at once shows no seam', () => {
  const size = { width: 1200, height: 900 };
  const pixels = picture(size);
  const of = { x: 0, y: 0, ...size };
  const scaled = { width: 500, height: 400 };
  const got = scaleOpaque(pixels, { before: null, scaled, after: null });
  expect(farthest(got, scalePixels({ ...size, data: opaque(pixels.data) }, of, scaled, false))).toBeLessThanOrEqual(1);
});

test('a plain colour stays what it is', () => {
  const size = { width: 61, height: 47 };
  const data = new Uint8Array(3 * 61 * 47).map((_, i) => [201, 0, 255][i % 3] ?? 0);
  const cuts = { before: null, scaled: { width: 23, height: 31 }, after: null };
  const got = scaleOpaque(picture(size, data), cuts);
  expect(got).toEqual(new Uint8Array(4 * 23 * 31).map((_, i) => [201, 0, 255, 255][i % 4] ?? 0));
});
