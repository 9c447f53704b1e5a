// Compares source-over with Compositing and Blending 1 §5.1, with masks and opacity, at every width.

import { expect, test } from 'vitest';
import { anyBytes, anyPixels, farthest, get, kernels, memory, put } from './kernel-memory.ts';

const STRIDE = 50;
const HEIGHT = 7;
const below = anyPixels(STRIDE * HEIGHT, 5);
const above = anyPixels(STRIDE * HEIGHT, 6);
const mask = anyBytes(STRIDE * HEIGHT, 7).map((value) => (value < 60 ? 0 : value > 190 ? 255 : value));

/** The expected result of compositing `laid` over the first `width` pixels of each row. */
function expected(width: number, laid: (i: number, c: number) => number): Uint8Array {
  return below.map((value, at) => {
    const [i, c] = [at >> 2, at & 3];
    if (i % STRIDE >= width) return value;
    return Math.round(laid(i, c) + (value * (255 - laid(i, 3))) / 255);
  });
}

function check(
  draw: (pixels: number, width: number) => void,
  laid: (i: number, c: number) => number,
  tolerance = 1,
): void {
  for (let width = 1; width <= 40; width++) {
    const mark = memory.mark();
    const pixels = put(below);
    draw(pixels, width);
    expect(farthest(get(pixels, below.length), expected(width, laid))).toBeLessThanOrEqual(tolerance);
    memory.release(mark);
  }
}

const INK = [100, 30, 60, 128] as const;
const COLOR = ((128 << 24) | (60 << 16) | (30 << 8) | 100) >>> 0;
const covered = (i: number) => (mask[i] ?? 0) / 255;

test('a colour', () =>
  check(
    (to, width) => kernels.fillRect(to, STRIDE, width, HEIGHT, COLOR),
    (_, c) => INK[c] ?? 0,
  ));
test('a colour through a mask', () =>
  check(
    (to, width) => kernels.layColor(to, STRIDE, put(mask), STRIDE, width, HEIGHT, COLOR),
    (i, c) => (INK[c] ?? 0) * covered(i),
  ));
test('a colour through a list of masks', () =>
  check(
    (to, width) => {
      const list = memory.take(20);
      memory.words.set([to, put(mask), STRIDE, width, HEIGHT], list / 4);
      kernels.layMasks(list, 1, STRIDE, COLOR);
    },
    (i, c) => (INK[c] ?? 0) * covered(i),
  ));
test('pixels', () =>
  check(
    (to, width) => kernels.layPixels(to, STRIDE, put(above), STRIDE, width, HEIGHT, 0, 0, 255),
    (i, c) => above[4 * i + c] ?? 0,
  ));
test('pixels through a mask, faded', () =>
  check(
    (to, width) => kernels.layPixels(to, STRIDE, put(above), STRIDE, width, HEIGHT, put(mask), STRIDE, 100),
    (i, c) => ((above[4 * i + c] ?? 0) * covered(i) * 100) / 255,
    // Rounded twice: after the mask and after the opacity.
    2,
  ));
