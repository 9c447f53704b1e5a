// Tests the groups of touching letters: adjacent ones, as few as possible in each, and none touches another group.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Rect, rectsOverlap } from '#core/geometry.ts';
import { groupStarts } from '#draw/output/raster/letters.ts';

const box = (x: number, width: number, y = 0, height = 10): Rect => ({ x, y, width, height });

test('letters side by side are groups of their own', () => {
  expect(groupStarts([box(0, 5), box(5, 5), box(12, 4)])).toEqual([0, 1, 2]);
});

test('a letter that reaches back joins the group that it touches, not the whole line', () => {
  const line = [box(0, 5), box(6, 5), box(12, 5), box(18, 5), box(15, 2, 8, 6), box(30, 5)];
  expect(groupStarts(line)).toEqual([0, 1, 2, 5]);
});

test('a letter below others that reaches under them touches none', () => {
  expect(groupStarts([box(0, 5), box(6, 5), box(2, 8, 10, 4)])).toEqual([0, 1, 2]);
});

/** Boxes along a line, some of which reach far back. */
const Line = fc.array(
  fc.record({
    step: fc.integer({ min: -30, max: 20 }),
    y: fc.integer({ min: 0, max: 20 }),
    width: fc.integer({ min: 1, max: 30 }),
    height: fc.integer({ min: 1, max: 20 }),
  }),
  { maxLength: 60 },
);

test('no letter touches one of another group, and all letters are in one', () => {
  fc.assert(
    fc.property(Line, (steps) => {
      let x = 0;
      const letters = steps.map(({ step, y, width, height }) => {
        x += step;
        return { x, y, width, height };
      });
      const starts = groupStarts(letters);
      const groupOf = (i: number) => starts.findLastIndex((start) => start <= i);
      for (let i = 0; i < letters.length; i++) {
        for (let j = 0; j < i; j++) {
          if (groupOf(i) !== groupOf(j)) expect(rectsOverlap(letters[i]!, letters[j]!)).toBe(false);
        }
      }
      expect(starts[0] ?? 0).toBe(0);
    }),
    { numRuns: 500 },
  );
});

test('a hostile line, whose first letter reaches over all others, is grouped in linear time', () => {
  const letters = [box(0, 1e6, 0, 1), ...Array.from({ length: 100_000 }, (_, i) => box(i * 3, 2, 2 + (i % 2), 1))];
  let compared = 0;
  const counted = letters.map((letter) => ({
    ...letter,
    get x() {
      compared += 1;
      return letter.x;
    },
  }));
  groupStarts(counted);
  expect(compared).toBeLessThan(1e7);
});
