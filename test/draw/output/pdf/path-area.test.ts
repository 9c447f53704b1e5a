import { expect, test } from 'vitest';
import { roundedRectPath } from '#core/paint/outline.ts';
import type { PathData } from '#core/path.ts';
import { hasArea } from '#draw/output/pdf/draw.ts';
import { rect } from './page.ts';

const circle = (x: number, y: number, size: number) => {
  const radii = { topLeft: size, topRight: size, bottomRight: size, bottomLeft: size };
  return roundedRectPath({ x, y, width: size, height: size }, radii);
};
const line = (...points: readonly (readonly [number, number])[]): PathData => [
  ...points.map(([x, y], i) => [i === 0 ? 'M' : 'L', x, y] as const),
  ['Z'],
];

test('a circle has an area wherever it lies, although rounding leaves it sides of almost nothing', () => {
  expect(hasArea(circle(0.2, 0.26, 10.74))).toBe(true);
  const lost: string[] = [];
  for (let i = 0; i < 200; i++) {
    for (let size = 1; size < 40; size += 1.37) {
      if (!hasArea(circle(i / 3, i / 7, size))) lost.push(`${i} ${size}`);
    }
  }
  expect(lost).toEqual([]);
});

test('a strip has an area even if it is thin', () => {
  expect(hasArea(rect(1 / 3, 0, 1e-6, 1000))).toBe(true);
  expect(hasArea(line([0, 0], [1e-5, 0], [100, 0], [100, 5e-5]))).toBe(true);
});

test('points and lines have none, whichever way they go', () => {
  expect(hasArea([])).toBe(false);
  expect(hasArea(rect(10, 10, 0, 50))).toBe(false);
  expect(hasArea(rect(10, 10, 50, 0))).toBe(false);
  expect(hasArea(line([1, 1], [1, 1], [1, 1]))).toBe(false);
  expect(hasArea(line([0, 0], [1e-15, 0], [30, 60], [10, 20], [-5, -10]))).toBe(false);
  expect(hasArea([...line([0, 0], [9, 0]), ...line([0, 5], [9, 5])])).toBe(false);
});
