// Tests snapping of boxes to edges, centres, guides, equal gaps and the grid, and the distances between boxes.

import { expect, test } from 'vitest';
import { distancesBetween } from '../../../src/studio/editor/core/geometry/distances.ts';
import { type SnapTargets, snapRect } from '../../../src/studio/editor/core/geometry/snap.ts';
import { resized } from '../../../src/studio/editor/core/gestures/resize-gesture.ts';

const box = (x: number, y: number, width = 10, height = 10) => ({ x, y, width, height });
const targets = (more: Partial<SnapTargets>): SnapTargets => ({ rects: [], guides: [], grid: null, ...more });

function check(moved: ReturnType<typeof box>, given: Partial<SnapTargets>, expected: readonly [number, number]): void {
  const { dx, dy } = snapRect(moved, targets(given), 4);
  expect([dx, dy]).toEqual(expected);
}

test('edges and centres of other boxes', () => {
  check(box(103, 200), { rects: [box(100, 0, 50, 50)] }, [-3, 0]);
  check(box(118, 200), { rects: [box(100, 0, 50, 50)] }, [2, 0]);
  check(box(137, 48), { rects: [box(100, 0, 50, 50)] }, [3, 2]);
});
test('nothing beyond the reach', () => check(box(105, 200), { rects: [box(100, 0, 2, 2)] }, [-3, 0]));
test('guides', () => check(box(48, 0), { guides: [{ axis: 'x', at: 50 }] }, [2, 0]));
test('the grid, when nothing nearer is there', () => check(box(9, 15), { grid: 8 }, [-1, 1]));
test('equal gaps between two', () => check(box(51, 1, 20, 10), { rects: [box(0, 0), box(110, 0)] }, [-1, -1]));
test('equal gaps behind two', () => {
  const { dx, gaps } = snapRect(box(63, 2), targets({ rects: [box(0, 0), box(30, 0, 10, 10)] }), 4);
  expect(dx).toBe(-3);
  expect(gaps.map(({ from, to }) => [from, to])).toEqual([
    [10, 30],
    [40, 60],
  ]);
});
test('a line is shown from end to end of what it aligns', () => {
  const { lines } = snapRect(box(101, 200), targets({ rects: [box(100, 0, 50, 50)] }), 4);
  expect(lines).toContainEqual({ axis: 'x', at: 100, from: 0, to: 210 });
});

test('distances between boxes beside each other, and inside', () => {
  expect(distancesBetween(box(0, 0), box(30, 0))).toEqual([{ axis: 'x', from: 10, to: 30, at: 5 }]);
  expect(distancesBetween(box(40, 40), box(0, 0, 100, 100)).map(({ from, to }) => to - from)).toEqual([40, 50, 40, 50]);
});

const NONE = { shift: false, alt: false, mod: false };
test('resize: by a corner, from the centre, with the ratio', () => {
  const rect = box(10, 10, 40, 20);
  expect(resized(rect, { x: 1, y: 1 }, { x: 10, y: 5 }, NONE)).toEqual(box(10, 10, 50, 25));
  expect(resized(rect, { x: -1, y: 0 }, { x: 10, y: 99 }, NONE)).toEqual(box(20, 10, 30, 20));
  expect(resized(rect, { x: 1, y: 0 }, { x: 10, y: 0 }, { ...NONE, alt: true })).toEqual(box(0, 10, 60, 20));
  expect(resized(rect, { x: 1, y: 1 }, { x: 40, y: 0 }, { ...NONE, shift: true })).toEqual(box(10, 10, 80, 40));
  expect(resized(rect, { x: 1, y: 1 }, { x: -99, y: -99 }, NONE)).toEqual(box(10, 10, 1, 1));
});
