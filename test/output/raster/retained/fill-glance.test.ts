// A number for each outline in one colour: the same for what looks the same, another for what does not.

import { expect, test } from 'vitest';
import type { FillRule, PathData } from '#core/path.ts';
import { fillGlance } from '#output/raster/retained/fill-glance.ts';

const RED = { r: 255, g: 0, b: 0, a: 1 };
const pill = (x: number, width: number): PathData => [
  ['M', x, 4],
  ['L', x + width, 4],
  ['C', x + width + 8, 4, x + width + 8, 20, x + width, 20],
  ['L', x, 20],
  ['Z'],
];
const glance = (path: PathData, rule: FillRule = 'nonzero', color = RED) => fillGlance(path, rule, color);

test('what is drawn alike has one number', () => {
  expect(glance(pill(10, 60))).toBe(glance(pill(10, 60)));
  expect(glance(pill(10.0001, 60))).toBe(glance(pill(10, 60)));
});

test('what is drawn otherwise has another', () => {
  const places = Array.from({ length: 10_000 }, (_, i) => glance(pill(i / 100, 60 + (i % 97) / 8)));
  const others = [glance(pill(10, 60), 'evenodd'), glance(pill(10, 60), 'nonzero', { ...RED, g: 1 }), glance([])];
  const all = [...places, ...others, glance(pill(10, 60))];
  expect(new Set(all).size).toBe(all.length);
});
