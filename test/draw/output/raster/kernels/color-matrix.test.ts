// Compares feColorMatrix with Filter Effects 1 §9.6, written out for one pixel.

import { expect, test } from 'vitest';
import { anyPixels, farthest, get, kernels, memory, put } from './kernel-memory.ts';

const GREY = [0.21, 0.72, 0.07, 0, 0, 0.21, 0.72, 0.07, 0, 0, 0.21, 0.72, 0.07, 0, 0, 0, 0, 0, 1, 0];
const INVERTED = [-1, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 1, 0];
const OVERSHOOTING = [3, -1, 0, 0, -0.2, 0, 2, 0, 0.3, 0, 0, -1, 2, 0, 0.1, 0.4, 0, 0, 0.8, 0.1];

const clamp = (value: number) => Math.min(1, Math.max(0, value));

function check(values: readonly number[]): void {
  const pixels = anyPixels(5_000, 3);
  const expected = new Uint8Array(pixels.length);
  for (let i = 0; i < pixels.length; i += 4) {
    const a = (pixels[i + 3] ?? 0) / 255;
    const straight = [0, 1, 2].map((c) => (a === 0 ? 0 : clamp((pixels[i + c] ?? 0) / 255 / a)));
    const given = [...straight, a, 1];
    const row = (r: number) => clamp(given.reduce((sum, value, c) => sum + value * (values[5 * r + c] ?? 0), 0));
    const alpha = row(3);
    [row(0) * alpha, row(1) * alpha, row(2) * alpha, alpha].forEach((share, c) => {
      expected[i + c] = Math.round(255 * share);
    });
  }
  const mark = memory.mark();
  const at = put(pixels);
  const columns = [0, 1, 2, 3, 4].flatMap((column) => [0, 5, 10, 15].map((row) => values[row + column] ?? 0));
  kernels.recolor(at, pixels.length / 4, memory.takeFloats(columns));
  expect(farthest(get(at, pixels.length), expected)).toBeLessThanOrEqual(1);
  memory.release(mark);
}

test('grey', () => check(GREY));
test('inverted', () => check(INVERTED));
test('beyond what a channel holds, and of nothing something', () => check(OVERSHOOTING));
