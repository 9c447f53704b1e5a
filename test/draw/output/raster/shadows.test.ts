// Tests that two optimisations of shadows are invisible: blurring with short sides, and not painting what is covered.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IDENTITY, type Matrix, type Rect } from '#core/geometry.ts';
import type { GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';
import type { Resources } from '#core/resources.ts';
import { hiddenPart, without } from '#draw/output/raster/hidden-parts.ts';
import { runsOf } from '#draw/output/raster/nine-patch.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { uprightOutline } from '#draw/output/raster/upright-outline.ts';
import { farthest } from './kernels/kernel-memory.ts';

const NOTHING = { fonts: { get: () => null }, images: new Map() } as unknown as Resources;
const WHITE = { r: 255, g: 255, b: 255, a: 1 };

/** A rounded rectangle with cubic curves as corners, as shapes have them. */
function rounded({ x, y, width, height }: Rect, radius: number): PathData {
  const [r, k] = [radius, radius * (1 - 0.5523)];
  const [right, bottom] = [x + width, y + height];
  return [
    ['M', x + r, y],
    ['L', right - r, y],
    ['C', right - k, y, right, y + k, right, y + r],
    ['L', right, bottom - r],
    ['C', right, bottom - k, right - k, bottom, right - r, bottom],
    ['L', x + r, bottom],
    ['C', x + k, bottom, x, bottom - k, x, bottom - r],
    ['L', x, y + r],
    ['C', x, y + k, x + k, y, x + r, y],
    ['Z'],
  ];
}

const fill = (path: PathData, color = WHITE): PaintOp => ({
  kind: 'fill',
  path,
  rule: 'nonzero',
  brush: { kind: 'solid', color },
});

const shadow = (path: PathData, sigma: number): GroupOp => ({
  kind: 'group',
  transform: IDENTITY,
  opacity: 1,
  blend: 'normal',
  clip: null,
  filters: [{ kind: 'blur', sigma }],
  text: null,
  ops: [fill(path, { r: 20, g: 30, b: 90, a: 0.7 })],
});

const drawn = async (ops: readonly PaintOp[]) => (await rasterize({ width: 600, height: 400, ops }, NOTHING, 1)).pixels;

/** Invisible, but no blurred group, so that what lies over it hides nothing below it. */
const LINE: PathData = [['M', -9, -9], ['L', -9, -9], ['Z']];

const boxes = fc.record({
  x: fc.double({ min: -100, max: 300, noNaN: true }),
  y: fc.double({ min: -100, max: 200, noNaN: true }),
  width: fc.double({ min: 40, max: 700, noNaN: true }),
  height: fc.double({ min: 40, max: 500, noNaN: true }),
  radius: fc.double({ min: 0, max: 20, noNaN: true }),
  sigma: fc.double({ min: 0.5, max: 30, noNaN: true }),
});

test('one with short sides looks as one whose sides have a joint in them', async () => {
  await fc.assert(
    fc.asyncProperty(boxes, async ({ radius, sigma, ...box }) => {
      const path = rounded(box, radius);
      // The same outline in two parts.
      const apart: PathData = [...path, ...LINE];
      expect(uprightOutline(apart, IDENTITY)).toBeNull();
      expect(farthest(await drawn([shadow(path, sigma)]), await drawn([shadow(apart, sigma)]))).toBeLessThanOrEqual(1);
    }),
    { numRuns: 60, seed: 1 },
  );
});

test('what lies over it hides it: no byte differs', async () => {
  await fc.assert(
    fc.asyncProperty(boxes, boxes, async ({ radius, sigma, ...box }, over) => {
      const cast = shadow(rounded(box, radius), sigma);
      const card = fill(rounded(over, over.radius));
      expect(farthest(await drawn([cast, card]), await drawn([cast, fill(LINE), card]))).toBe(0);
    }),
    { numRuns: 60, seed: 2 },
  );
});

test('several shadows of one card are all hidden by it', () => {
  const path = rounded({ x: 50, y: 40, width: 300, height: 200 }, 20);
  const ops = [shadow(path, 4), shadow(path, 9), fill(path)];
  expect(hiddenPart(ops, 0, IDENTITY)).toEqual({ x: 71, y: 41, width: 258, height: 198 });
  expect(hiddenPart(ops, 1, IDENTITY)).toEqual(hiddenPart(ops, 0, IDENTITY));
  expect(hiddenPart(ops, 2, IDENTITY)).toBeNull();
});

test('what does not cover hides nothing', () => {
  const path = rounded({ x: 50, y: 40, width: 300, height: 200 }, 20);
  const behind = (op: PaintOp, matrix: Matrix = IDENTITY) => hiddenPart([shadow(path, 4), op], 0, matrix);
  expect(behind(fill(path, { ...WHITE, a: 0.99 }))).toBeNull();
  expect(behind(fill([...path, ...path]))).toBeNull();
  expect(behind(fill([['M', 0, 0], ['L', 300, 0], ['L', 20, 20], ['L', 0, 300], ['Z']]))).toBeNull();
  expect(behind(fill(path), [0.9, 0.1, -0.1, 0.9, 0, 0])).toBeNull();
});

test('a star goes around twice, and is no convex outline', () => {
  const points = Array.from({ length: 5 }, (_, i) => [
    Math.sin((i * 4 * Math.PI) / 5),
    Math.cos((i * 4 * Math.PI) / 5),
  ]);
  const star: PathData = [
    ...points.map(([x = 0, y = 0], i): PathData[number] => [i === 0 ? 'M' : 'L', 100 * x, 100 * y]),
    ['Z'],
  ];
  expect(uprightOutline(star, IDENTITY)).toBeNull();
});

test('parts and runs tile what they divide', () => {
  const whole = { x: 0, y: 0, width: 20, height: 10 };
  for (const hole of [null, { x: 5, y: 5, width: 5, height: 2 }, { x: -5, y: -5, width: 90, height: 9 }]) {
    const area = without(whole, hole).reduce((sum, { width, height }) => sum + width * height, 0);
    expect(area).toBe(200 - (hole === null ? 0 : hole.x === 5 ? 10 : 80));
  }
  const cut = { at: 8, period: 4, by: 12 };
  expect([...runsOf(2, 40, cut)]).toEqual([
    { at: 2, length: 10, from: 2 },
    { at: 12, length: 4, from: 8 },
    { at: 16, length: 4, from: 8 },
    { at: 20, length: 4, from: 8 },
    { at: 24, length: 18, from: 12 },
  ]);
});
