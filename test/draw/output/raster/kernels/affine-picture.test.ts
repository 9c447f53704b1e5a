// Compares transformed pictures with cubic convolution in double precision.

import { expect, test } from 'vitest';
import { IDENTITY, invert, type Matrix, multiply, transformPoint } from '#core/geometry.ts';
import { paintPicture } from '#draw/output/raster/paint-picture.ts';
import { resourceCache } from '#draw/output/resource-cache.ts';
import { anyPixels, get, memory } from './kernel-memory.ts';

const SIZE = { width: 30, height: 20 };
const CANVAS = { x: 0, y: 0, width: 60, height: 50 };
const bytes = anyPixels(SIZE.width * SIZE.height, 9);
const picture = { key: 'noise', ...SIZE, pixels: new Uint32Array(bytes.buffer), isOpaque: false };
const DEST = { x: 0, y: 0, width: 30, height: 20 };

const WEIGHTS = (t: number) => [
  ((-0.5 * t + 1) * t - 0.5) * t,
  (1.5 * t - 2.5) * t * t + 1,
  ((-1.5 * t + 2) * t + 0.5) * t,
  (0.5 * t - 0.5) * t * t,
];
const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value));

function sampled(u: number, v: number): number[] {
  const [x, y] = [clamp(u, SIZE.width - 1), clamp(v, SIZE.height - 1)];
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const sums = [0, 0, 0, 0];
  for (const [j, down] of WEIGHTS(y - top).entries()) {
    for (const [i, across] of WEIGHTS(x - left).entries()) {
      const at = 4 * (clamp(top + j - 1, SIZE.height - 1) * SIZE.width + clamp(left + i - 1, SIZE.width - 1));
      for (let c = 0; c < 4; c++) sums[c] = (sums[c] ?? 0) + down * across * (bytes[at + c] ?? 0);
    }
  }
  const alpha = clamp(sums[3] ?? 0, 255);
  return sums.map((sum) => clamp(sum, alpha));
}

for (const degrees of [0.5, 30, 137]) {
  test(`turned by ${degrees} degrees`, () => {
    const radians = (degrees * Math.PI) / 180;
    const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
    const matrix: Matrix = multiply([cos, sin, -sin, cos, 30, 25], [1, 0, 0, 1, -15, -10]);
    const back = invert(matrix);
    if (!back) return expect.unreachable();
    const mark = memory.mark();
    const surface = memory.takeSurface(CANVAS);
    const op = { kind: 'image', image: 'noise', source: DEST, dest: DEST } as const;
    paintPicture(memory, surface, op, picture, matrix, { isOnGrid: false, clip: null, opacity: 1 });
    const pixels = get(surface.start, 4 * CANVAS.width * CANVAS.height);
    memory.release(mark);
    let most = 0;
    for (let i = 0; i < CANVAS.width * CANVAS.height; i++) {
      const at = transformPoint(back, { x: (i % CANVAS.width) + 0.5, y: Math.floor(i / CANVAS.width) + 0.5 });
      // The edges are only partly covered.
      if (at.x < 1 || at.y < 1 || at.x > SIZE.width - 1 || at.y > SIZE.height - 1) continue;
      const expected = sampled(at.x - 0.5, at.y - 0.5);
      for (let c = 0; c < 4; c++) most = Math.max(most, Math.abs((pixels[4 * i + c] ?? 0) - (expected[c] ?? 0)));
    }
    // Noise differs by up to 255 from pixel to pixel, and positions are rounded to 1/256 px.
    expect(most).toBeLessThan(3);
  });
}

test('the same pixels when it is drawn again and again', () => {
  const op = { kind: 'image', image: 'noise', source: DEST, dest: DEST } as const;
  const clip = { path: [['M', 5, 5], ['L', 40, 9], ['L', 20, 44], ['Z']], rule: 'nonzero', matrix: IDENTITY } as const;
  const draw = (x: number) => {
    const mark = memory.mark();
    const surface = memory.takeSurface(CANVAS);
    paintPicture(memory, surface, op, picture, [0.8, 0.6, -0.6, 0.8, x, 8], { isOnGrid: false, clip, opacity: 0.7 });
    const pixels = get(surface.start, 4 * CANVAS.width * CANVAS.height);
    memory.release(mark);
    return pixels;
  };
  const [first, other, ...again] = [draw(20), draw(22), draw(20), draw(20)];
  expect(resourceCache.bytesByKind.get('turned pictures')).toBeGreaterThan(1000);
  for (const pixels of again) expect(pixels).toEqual(first);
  expect(other).not.toEqual(first);
});
