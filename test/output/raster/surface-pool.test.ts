import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pixelMemoryLength } from '#output/raster/pixel-memory.ts';
import { borrowPixels, notePixels, prepareRaster, releaseRaster } from '#output/raster/surface-pool.ts';

const rasterOf = (pixels: Uint32Array) => ({ width: pixels.length, height: 1, pixels: new Uint8Array(pixels.buffer) });
const sized = (width: number, height = 1) => ({ width, height });

test('what was given back is lent again, to one at a time', () => {
  const first = borrowPixels(sized(1001), null);
  expect(borrowPixels(sized(1001), null).buffer).not.toBe(first.buffer);
  releaseRaster(rasterOf(first));
  releaseRaster(rasterOf(first));
  expect(borrowPixels(sized(1001), null).buffer).toBe(first.buffer);
  expect(borrowPixels(sized(1001), null).buffer).not.toBe(first.buffer);
});

test('only what was lent is taken back', () => {
  const own = new Uint32Array(1003);
  releaseRaster(rasterOf(own));
  expect(borrowPixels(sized(1003), null).buffer).not.toBe(own.buffer);
});

test('what is lent shows its base, whatever it showed before', () => {
  const size = sized(7, 11);
  const bases = [null, new Uint32Array(77).fill(5), new Uint32Array(77).fill(6)];
  for (const base of [bases[1], bases[1], bases[2], bases[0], bases[0], bases[1], bases[0]].map(
    (base) => base ?? null,
  )) {
    const pixels = borrowPixels(size, base);
    expect(new Set(pixels)).toEqual(new Set([base?.[0] ?? 0]));
    pixels[7 * 3 + 2] = 9;
    notePixels(pixels, size, { base, covered: [{ x: 2, y: 3, width: 1, height: 1 }] });
    releaseRaster(rasterOf(pixels));
  }
});

test('what was drawn and not said is wiped all the same', () => {
  const pixels = borrowPixels(sized(5, 13), null);
  pixels.fill(3);
  releaseRaster(rasterOf(pixels));
  expect(new Set(borrowPixels(sized(5, 13), null))).toEqual(new Set([0]));
});

test('a raster of as many pixels in other rows is another', () => {
  const pixels = borrowPixels(sized(10, 17), null);
  pixels[11] = 1;
  notePixels(pixels, sized(10, 17), { base: null, covered: [{ x: 1, y: 1, width: 1, height: 1 }] });
  releaseRaster(rasterOf(pixels));
  expect(new Set(borrowPixels(sized(17, 10), null))).toEqual(new Set([0]));
});

test('memory that was made ready is lent to smaller rasters, and shows nothing', () => {
  prepareRaster(sized(1000, 200));
  const pixels = borrowPixels(sized(900, 190), null);
  expect([pixels.length, pixels.buffer.byteLength]).toEqual([900 * 190, pixelMemoryLength(4 * 1000 * 200)]);
  pixels.fill(7);
  releaseRaster(rasterOf(pixels));
  expect(new Set(borrowPixels(sized(950, 200), null))).toEqual(new Set([0]));
});

test('what shows a base is left to rasters of its size', () => {
  const size = sized(50, 31);
  const base = new Uint32Array(50 * 31).fill(5);
  const pixels = borrowPixels(size, base);
  notePixels(pixels, size, { base, covered: [] });
  releaseRaster(rasterOf(pixels));
  expect(borrowPixels(sized(50, 30), null).buffer).not.toBe(pixels.buffer);
  expect(borrowPixels(size, base).buffer).toBe(pixels.buffer);
});

test('a raster that is higher than the one before is made anew', () => {
  const whole = borrowPixels(sized(60, 23), null);
  whole.fill(3);
  releaseRaster(rasterOf(whole));
  const lower = borrowPixels(sized(60, 22), null);
  notePixels(lower, sized(60, 22), { base: null, covered: [] });
  releaseRaster(rasterOf(lower));
  expect(lower.buffer).toBe(whole.buffer);
  expect(new Set(borrowPixels(sized(60, 23), null))).toEqual(new Set([0]));
});

/** Lends a raster of one row, draws a pixel of it, and says so. */
function drawnOn(base: Uint32Array): Uint32Array<SharedArrayBuffer> {
  const size = sized(base.length);
  const pixels = borrowPixels(size, base);
  pixels[3] = 9;
  notePixels(pixels, size, { base, covered: [{ x: 3, y: 0, width: 1, height: 1 }] });
  return pixels;
}

test('what stood on its base twice shows it again before it is asked for', async () => {
  const base = new Uint32Array(1009).fill(5);
  for (const shown of [9, 5]) {
    const pixels = drawnOn(base);
    releaseRaster(rasterOf(pixels));
    await setImmediate();
    expect(pixels[3]).toBe(shown);
  }
  expect(new Set(borrowPixels(sized(1009), base))).toEqual(new Set([5]));
});

test('what was lent again at once is left alone', async () => {
  const base = new Uint32Array(1013).fill(5);
  releaseRaster(rasterOf(drawnOn(base)));
  releaseRaster(rasterOf(drawnOn(base)));
  const pixels = drawnOn(base);
  await setImmediate();
  expect(pixels[3]).toBe(9);
});
