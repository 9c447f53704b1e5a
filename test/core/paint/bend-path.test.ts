// Tests bending straight paths around a circle: their ends and middles, and which way the tops of letters point.

import { expect, test } from 'vitest';
import { type Bend, bendPath, cutToRing } from '#core/paint/bend-path.ts';
import { rectPath } from '#core/paint/outline.ts';
import { type PathData, pathBounds } from '#core/path.ts';

/** A line that starts at the top of a circle of radius 100 about (0, 0), its baseline at y = 20. */
const bend = (more: Partial<Bend> = {}): Bend => ({
  centre: { x: 0, y: 0 },
  radius: 100,
  outward: -1,
  baseline: 20,
  angleAt: (x) => x / 100,
  ...more,
});
const QUARTER = 50 * Math.PI;

const ends = (path: PathData) =>
  path
    .filter((segment) => segment[0] !== 'Z')
    .map((segment) => segment.slice(-2).map((value) => Math.round(Number(value)) + 0));

test('the baseline runs from the top to the right', () => {
  const line: PathData = [
    ['M', 0, 20],
    ['L', QUARTER, 20],
  ];
  expect(ends(bendPath(line, bend())).at(0)).toEqual([0, -100]);
  expect(ends(bendPath(line, bend())).at(-1)).toEqual([100, 0]);
});
test('what lies above the baseline lies farther out', () => {
  expect(ends(bendPath([['M', 0, 10]], bend()))).toEqual([[0, -110]]);
});
test('inside, heads point to the centre, and the line runs from the bottom to the right', () => {
  const inside = bend({ outward: 1, angleAt: (x) => -x / 100 });
  expect(
    ends(
      bendPath(
        [
          ['M', 0, 10],
          ['L', QUARTER, 10],
        ],
        inside,
      ),
    ).at(0),
  ).toEqual([0, 90]);
  expect(
    ends(
      bendPath(
        [
          ['M', 0, 10],
          ['L', QUARTER, 10],
        ],
        inside,
      ),
    ).at(-1),
  ).toEqual([90, 0]);
});
test('arcs are round', () => {
  for (const segment of bendPath(
    [
      ['M', 0, 20],
      ['L', 4 * QUARTER, 20],
    ],
    bend(),
  )) {
    if (segment[0] !== 'C') continue;
    expect(Math.hypot(segment[5], segment[6])).toBeCloseTo(100, 9);
  }
  const bounds = pathBounds(bendPath(rectPath({ x: 0, y: 10, width: 4 * QUARTER, height: 10 }), bend()));
  expect(bounds?.width).toBeCloseTo(220, 1);
});
test('nothing reaches through the centre', () => {
  expect(ends(bendPath([['M', 0, 500]], bend()))).toEqual([[0, 0]]);
});

test('an area of two turns stays as it is, and a longer one covers the same ring', () => {
  const area = { x: 5, y: 10, width: 15 * QUARTER * 0.5, height: 10 };
  expect(cutToRing(area, bend())).toBe(area);
  const long = cutToRing({ ...area, width: 1e9 }, bend());
  expect(long.width).toBeCloseTo(8 * QUARTER, 6);
  expect(pathBounds(bendPath(rectPath(long), bend()))?.width).toBeCloseTo(220, 1);
});
