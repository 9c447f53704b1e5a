// Compares a blurred box with the true Gaussian: products of differences of the error function.

import { expect, test } from 'vitest';
import type { Rect } from '#core/geometry.ts';
import { blurredPixels, planBlur } from '#draw/output/raster/blur.ts';
import { addressIn } from '#draw/output/raster/paint-memory.ts';
import { get, kernels, memory } from './kernel-memory.ts';

const AREA = { x: 0, y: 0, width: 400, height: 300 };
const BOX = { x: 150, y: 120, width: 97, height: 61 };

function last<T, R>(steps: Generator<T, R>): R {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Abramowitz and Stegun 7.1.26. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

/** The value of a blurred interval at a position, 0..1. */
function share(start: number, length: number, sigma: number, place: number): number {
  const at = (edge: number) => erf((edge - place) / (Math.SQRT2 * sigma));
  return (at(start + length) - at(start)) / 2;
}

function trueBlur(sigma: number): number[] {
  const across = Array.from({ length: AREA.width }, (_, x) => share(BOX.x, BOX.width, sigma, x + 0.5));
  const down = Array.from({ length: AREA.height }, (_, y) => share(BOX.y, BOX.height, sigma, y + 0.5));
  return down.flatMap((row) => across.map((column) => 255 * row * column));
}

function boxMask(rows: Rect): number {
  const mask = memory.takeMask(rows);
  for (let y = rows.y; y < rows.y + rows.height; y++) {
    if (y < BOX.y || y >= BOX.y + BOX.height) continue;
    const at = mask + (y - rows.y) * rows.width + BOX.x - rows.x;
    memory.bytes.fill(255, at, at + BOX.width);
  }
  return mask;
}

/** The alpha values of a blurred box, blurred as a mask in one colour or as pixels. */
function drawn(sigma: number, kind: 'mask' | 'pixels'): Uint8Array {
  const surface = memory.takeSurface(AREA);
  const strip = function* (rows: Rect): Generator<undefined, number> {
    yield;
    const mask = boxMask(rows);
    if (kind === 'mask') return mask;
    const pixels = memory.takeSurface(rows);
    kernels.layColor(pixels.start, rows.width, mask, rows.width, rows.width, rows.height, 0xff0000ff);
    return pixels.start;
  };
  // The blurred area has the box off centre: its place there must not matter.
  const area = { x: BOX.x - 5, y: BOX.y - 3, width: BOX.width + 9, height: BOX.height + 4 };
  const plane = last(blurredPixels(memory, kind, area, planBlur(sigma), strip));
  const { address, pitch, shift, area: shown, row } = plane;
  const left = Math.max(0, shown.x);
  const top = Math.max(0, shown.y);
  const width = Math.min(AREA.width, shown.x + shown.width) - left;
  const height = Math.min(AREA.height, shown.y + shown.height) - top;
  const at = addressIn(surface, { x: left, y: top });
  const place = [address, pitch, shift, left - plane.left, top - plane.top] as const;
  if (kind === 'mask') {
    kernels.layBlurredMask(at, AREA.width, width, height, ...place, 0, 0, 0xff0000ff, 32_767, row);
  } else {
    kernels.layBlurredPixels(at, AREA.width, width, height, ...place, 0, 0, 255, row);
  }
  const pixels = get(surface.start, 4 * AREA.width * AREA.height);
  return pixels.filter((_, i) => i % 4 === 3);
}

for (const kind of ['mask', 'pixels'] as const) {
  for (const sigma of [0.5, 0.8, 1.3, 2, 3, 4.9, 5.1, 8, 13, 20, 27, 40]) {
    test(`${kind}, sigma ${sigma}`, () => {
      const mark = memory.mark();
      const expected = trueBlur(sigma);
      const found = drawn(sigma, kind);
      memory.release(mark);
      let [most, sum] = [0, 0];
      for (const [i, alpha] of found.entries()) {
        const error = Math.abs(alpha - (expected[i] ?? 0));
        most = Math.max(most, error);
        sum += error;
      }
      expect(sum / found.length).toBeLessThan(0.5);
      expect(most).toBeLessThan(2.6);
    });
  }
}
