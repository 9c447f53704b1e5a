// Compares the areas of strokes with the geometric result.

import { expect, test } from 'vitest';
import { timeWorked } from '#base/runtime.ts';
import { IDENTITY, type Matrix } from '#core/geometry.ts';
import type { Stroke } from '#core/paint/display-list.ts';
import { ellipsePath } from '#core/paint/outline.ts';
import type { PathData, PathSegment } from '#core/path.ts';
import { runToEnd } from '#core/steps.ts';
import { strokeOutline } from '#draw/output/raster/stroke-outline.ts';
import { get, memory } from './kernels/kernel-memory.ts';

const CANVAS = { x: 0, y: 0, width: 200, height: 120 };
const PLAIN: Stroke = { width: 10, cap: 'butt', join: 'miter', miterLimit: 4, dash: [] };
const LINE: PathData = [
  ['M', 20, 60],
  ['L', 120, 60],
];
const CORNER: PathData = [
  ['M', 20, 20],
  ['L', 120, 20],
  ['L', 120, 100],
];

/** The area that a stroke covers, in pixels. */
function area(path: PathData, stroke: Partial<Stroke>, matrix: Matrix = IDENTITY): number {
  const mark = memory.mark();
  const { numbers, share } = strokeOutline(path, { ...PLAIN, ...stroke }, matrix, CANVAS);
  const mask = runToEnd(memory.coverInSteps(() => memory.writeNumbers(numbers), 'nonzero', CANVAS));
  const alphas = get(mask, CANVAS.width * CANVAS.height);
  memory.release(mark);
  return (share * alphas.reduce((sum, alpha) => sum + alpha, 0)) / 255;
}

const near = (found: number, expected: number) =>
  expect(Math.abs(found - expected)).toBeLessThan(0.004 * expected + 0.5);

test('a line', () => near(area(LINE, {}), 1000));
test('a square end', () => near(area(LINE, { cap: 'square' }), 1100));
test('a round end', () => near(area(LINE, { cap: 'round' }), 1000 + 25 * Math.PI));
test('a mitered corner', () => near(area(CORNER, {}), 1800));
test('a bevelled corner', () => near(area(CORNER, { join: 'bevel' }), 1800 - 12.5));
test('a round corner', () => near(area(CORNER, { join: 'round' }), 1800 - 25 + (25 * Math.PI) / 4));
test('a corner beyond the miter limit', () => near(area(CORNER, { miterLimit: 1.4 }), 1800 - 12.5));
test('a corner within it', () => near(area(CORNER, { miterLimit: 1.42 }), 1800));
test('a closed outline has no ends', () =>
  near(area([['M', 20, 20], ['L', 120, 20], ['L', 120, 100], ['L', 20, 100], ['Z']], {}), 110 * 90 - 90 * 70));
test('a ring', () => near(area(ellipsePath({ x: 20, y: 10, width: 100, height: 100 }), {}), 1000 * Math.PI));
test('a hair', () => near(area(ellipsePath({ x: 20, y: 10, width: 100, height: 100 }), { width: 0.5 }), 50 * Math.PI));
test('a tight curve covers its own inside', () =>
  near(area(ellipsePath({ x: 60, y: 50, width: 6, height: 6 }), { width: 20 }), 169 * Math.PI));
test('a line that turns back', () =>
  near(
    area(
      [
        ['M', 20, 60],
        ['L', 120, 60],
        ['L', 50, 60],
      ],
      { join: 'round' },
    ),
    1000 + 12.5 * Math.PI,
  ));
test('a point with round ends is a dot', () =>
  near(
    area(
      [
        ['M', 50, 50],
        ['L', 50, 50],
      ],
      { cap: 'round' },
    ),
    25 * Math.PI,
  ));
test('a point without ends is nothing', () =>
  expect(
    area(
      [
        ['M', 50, 50],
        ['L', 50, 50],
      ],
      {},
    ),
  ).toBe(0));
test('stretched it is wider across', () => near(area(LINE, {}, [1, 0, 0, 2, 0, -40]), 2000));

test('dashes and gaps take turns', () => near(area(LINE, { dash: [20, 20] }), 600));
test('an odd list of dashes is repeated', () => near(area(LINE, { dash: [10, 20, 20] }), 500));
test('dashes go on around corners', () => near(area(CORNER, { dash: [90, 60, 1000] }), 900 + 300));
test('round ends of every dash', () => near(area(LINE, { dash: [10, 30], cap: 'round' }), 300 + 75 * Math.PI));
test('dashes too fine to be seen are a tint', () => near(area(LINE, { dash: [1e-6, 3e-6] }), 250));
test('of a line a million px long only the dashes that are seen are made', () => {
  const begun = timeWorked();
  near(
    area(
      [
        ['M', -500_000, 60],
        ['L', 500_000, 60],
      ],
      { dash: [1, 1] },
    ),
    1000,
  );
  expect(timeWorked() - begun).toBeLessThan(5_000);
});

// Begun at the start of the line, a dash was no longer than the error of a position, and the loop never ended.
test('the dashes of a line of 1e17 px come to an end', () => {
  const line: PathData = [
    ['M', 1e17, 60],
    ['L', 0, 60],
  ];
  expect(area(line, { dash: [5, 5] })).toBeGreaterThan(0);
});
test('dashes that nobody could count are refused, also those that draw nothing', () => {
  const zigzag: PathData = [
    ['M', 0, 60],
    ...Array.from({ length: 6_000 }, (_, i): PathSegment => ['L', i % 2 ? 0 : 200, 60]),
  ];
  expect(() => area(zigzag, { dash: [0, 0.11] })).toThrow('too many edges');
});
