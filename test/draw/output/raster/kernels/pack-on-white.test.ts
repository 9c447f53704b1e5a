// Compares packing on white with source-over (Porter and Duff, 1984) for one pixel.

import { expect, test } from 'vitest';
import { anyPixels, get, kernels, memory, put } from './kernel-memory.ts';

/** Packs part of a wider picture, whose rows are `stride` px apart. */
function check(width: number, height: number, stride: number): void {
  const pixels = anyPixels(stride * height, 7 + width);
  const expected: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * stride + x);
      const white = 255 - (pixels[at + 3] ?? 0);
      for (let c = 0; c < 3; c++) expected.push(Math.min(255, (pixels[at + c] ?? 0) + white));
    }
  }
  const mark = memory.mark();
  const from = put(pixels);
  const to = put(new Uint8Array(3 * width * height + 4 + 16).fill(77));
  kernels.packOnWhite(from, stride, width, height, to);
  expect([...get(to, expected.length)]).toEqual(expected);
  // Nothing beyond the four bytes that the caller leaves.
  expect([...get(to + expected.length + 4, 16)]).toEqual(Array.from({ length: 16 }, () => 77));
  memory.release(mark);
}

for (const width of [1, 2, 3, 4, 5, 7, 8, 31, 64]) test(`${width} px wide`, () => check(width, 5, width));
test('part of a wider picture', () => check(13, 6, 20));
