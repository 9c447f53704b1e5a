// Tests the memory of pixels: what is returned serves the next picture, and idle memory is bounded.

import { expect, test } from 'vitest';
import { areShareable, borrowPixels, freePixelBytes, returnPixels } from '#draw/images/pixel-pool.ts';

const MEGABYTE = 2 ** 20;

test('a smaller picture takes the memory of a larger one', () => {
  const large = borrowPixels(4000);
  returnPixels(large);
  const small = borrowPixels(1000);
  expect(small.length).toBe(1000);
  expect(small.buffer).toBe(large.buffer);
  returnPixels(small);
  expect(freePixelBytes()).toBe(4000);
});

test('a larger picture replaces the memory that was too small', () => {
  const larger = borrowPixels(9000);
  expect(freePixelBytes()).toBe(0);
  returnPixels(larger);
  expect(freePixelBytes()).toBe(9000);
});

test('memory that is returned twice is lent once', () => {
  const pixels = borrowPixels(9000);
  returnPixels(pixels);
  returnPixels(pixels);
  expect(borrowPixels(9000).buffer).not.toBe(borrowPixels(9000).buffer);
});

test('idle memory is bounded, and a very large picture leaves none, at once', () => {
  const all = Array.from({ length: 8 }, () => borrowPixels(9 * MEGABYTE));
  for (const pixels of all) returnPixels(pixels);
  expect(freePixelBytes()).toBe(4 * 9 * MEGABYTE);
  const large = borrowPixels(100 * MEGABYTE);
  expect(areShareable(large)).toBe(false);
  returnPixels(large);
  expect([large.buffer.byteLength, freePixelBytes()]).toEqual([0, 4 * 9 * MEGABYTE]);
});
