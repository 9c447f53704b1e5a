// Tests packing RGBA to RGB: the memory of released pictures is reused.

import { expect, test } from 'vitest';
import { packOpaque } from '#draw/encoders/encode.ts';

/** An opaque picture of one grey. */
function grey(width: number, height: number, level: number) {
  const pixels = new Uint8Array(4 * width * height).fill(level);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  return { width, height, pixels };
}

test('pictures of two sizes take turns in the memory of the larger', () => {
  const large = packOpaque(grey(40, 30, 1));
  large?.release();
  const small = packOpaque(grey(20, 10, 2));
  small?.release();
  const again = packOpaque(grey(40, 30, 3));
  expect([large?.rgb.length, small?.rgb.length, again?.rgb.length]).toEqual([3600, 600, 3600]);
  expect(small?.rgb.buffer).toBe(large?.rgb.buffer);
  expect(again?.rgb.buffer).toBe(large?.rgb.buffer);
  expect(new Set(again?.rgb)).toEqual(new Set([3]));
});

test('two at a time have memory of their own', () => {
  const one = packOpaque(grey(8, 8, 1));
  const other = packOpaque(grey(8, 8, 2));
  expect([one?.rgb[0], other?.rgb[0]]).toEqual([1, 2]);
});

test('a pixel that is not opaque ends it', () => {
  expect(packOpaque({ ...grey(4, 4, 9), pixels: new Uint8Array(64) })).toBeNull();
});
