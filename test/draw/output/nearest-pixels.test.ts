// Tests scaling to the nearest pixel, over whole pictures, parts of them and odd sizes.

import { expect, test } from 'vitest';
import { nearestPixels, wholePixels } from '#draw/output/nearest-pixels.ts';

/** The pixels `abc`, `def` as one byte each, three times. */
const LETTERS = Uint8Array.from([...'abcdef'].flatMap((letter) => Array(3).fill(letter.charCodeAt(0))));
const WHOLE = { x: 0, y: 0, width: 3, height: 2 };

function check(source: typeof WHOLE, width: number, height: number, expected: string): void {
  const scaled = nearestPixels(LETTERS, 3, WHOLE, source, { width, height });
  const letters = String.fromCharCode(...scaled.filter((_, i) => i % 3 === 0));
  expect(letters.match(new RegExp(`.{${width}}`, 'g'))?.join(' ')).toBe(expected);
}

test('each pixel becomes a square', () => check(WHOLE, 6, 4, 'aabbcc aabbcc ddeeff ddeeff'));
test('an odd size takes the pixel in the middle', () => check(WHOLE, 4, 2, 'abbc deef'));
test('a smaller size leaves pixels out', () => check(WHOLE, 1, 1, 'e'));
test('a part may cut pixels', () => check({ x: 0.5, y: 0, width: 2, height: 1 }, 4, 1, 'abbc'));

test('pictures without pixels, and very large ones, are scaled smoothly', () => {
  const image = (format: 'png' | 'svg', width: number) => ({ format, width, height: 3000 }) as never;
  expect(wholePixels(image('png', 1000), { x: 1.5, y: 2, width: 4, height: 4.5 })).toEqual({
    x: 1,
    y: 2,
    width: 5,
    height: 5,
  });
  expect(wholePixels(image('svg', 1000), { x: 0, y: 0, width: 4, height: 4 })).toBeNull();
  expect(wholePixels(image('png', 3000), { x: 0, y: 0, width: 3000, height: 3000 })).toBeNull();
});
