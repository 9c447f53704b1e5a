import { expect, test } from 'vitest';
import { borrowPixels, releaseRaster } from '#output/raster/surface-pool.ts';

const rasterOf = (pixels: Uint32Array) => ({ width: pixels.length, height: 1, pixels: new Uint8Array(pixels.buffer) });

test('what was given back is lent again, to one at a time', () => {
  const first = borrowPixels(1001);
  expect(borrowPixels(1001).buffer).not.toBe(first.buffer);
  releaseRaster(rasterOf(first));
  releaseRaster(rasterOf(first));
  expect(borrowPixels(1001).buffer).toBe(first.buffer);
  expect(borrowPixels(1001).buffer).not.toBe(first.buffer);
});

test('only what was lent is taken back', () => {
  const own = new Uint32Array(1003);
  releaseRaster(rasterOf(own));
  expect(borrowPixels(1003).buffer).not.toBe(own.buffer);
});
