// Groups that reach far beyond the canvas: resvg would end the process.

import { expect, test } from 'vitest';
import { IDENTITY } from '#core/geometry.ts';
import type { GroupOp, PaintOp } from '#core/paint/display-list.ts';
import { rectPath } from '#core/paint/outline.ts';
import type { Resources } from '#core/resources.ts';
import { drawList } from '#output/raster/draw-list.ts';
import { canvasFor } from '#output/raster/layer-room.ts';

// No letter and no picture is drawn.
const NOTHING = {} as Resources;
const RED = { kind: 'solid', color: { r: 255, g: 0, b: 0, a: 1 } } as const;

const box = (x: number, y: number, width: number, height: number): PaintOp => ({
  kind: 'fill',
  path: rectPath({ x, y, width, height }),
  rule: 'nonzero',
  brush: RED,
});
const group = (more: Partial<GroupOp>, ...ops: readonly PaintOp[]): GroupOp => ({
  ...{ kind: 'group', transform: IDENTITY, opacity: 1, blend: 'normal', clip: null, filters: [], text: null, ops },
  ...more,
});
const clip = { path: rectPath({ x: 90, y: 20, width: 80, height: 40 }), rule: 'nonzero' } as const;
const faded = (...ops: readonly PaintOp[]) => group({ opacity: 0.5 }, ...ops);
const clipped = (...ops: readonly PaintOp[]) => group({ clip }, ...ops);

const list = (...ops: readonly PaintOp[]) => ({ width: 200, height: 120, ops });

/** Of a canvas of 200 × 120. */
function check(op: PaintOp, expected: string): void {
  const { width, height } = canvasFor(list(op), NOTHING.fonts);
  expect(`${width} × ${height}`).toBe(expected);
}

test('a group of shapes', () => check(faded(box(-5000, 0, 5100, 90)), '200 × 120'));
test('a group that holds one', () => check(faded(box(-100, 0, 300, 90), clipped(box(100, 30, 20, 20))), '200 × 120'));
test('and begins far to the left', () =>
  check(faded(box(-1000, 0, 1100, 90), clipped(box(100, 30, 20, 20))), '608 × 120'));
test('what lies beside the canvas is not drawn', () =>
  check(faded(box(-1000, 0, 90, 90), clipped(box(100, 30, 20, 20))), '200 × 120'));
test('a filter works on no more than it shows', () => {
  const filters = [{ kind: 'blur', sigma: 4 } as const];
  check(clipped(group({ filters }, box(-50_000, -50_000, 100_000, 100_000))), '200 × 120');
});
test('a group that would take more than there is', () =>
  expect(() => check(faded(box(-90_000, -90_000, 99_000, 99_000), clipped(box(100, 30, 20, 20))), '')).toThrow(
    'A group reaches too far beyond the canvas',
  ));

test('all of these are drawn', async () => {
  const far = [clipped(box(100, 900, 20, 20)), faded(box(-1000, 30, 1100, 9), clipped(box(100, 30, 20, 20)))];
  const { width, height, pixels } = await drawList({ list: list(...far), images: new Map() }, NOTHING);
  expect([width, height]).toEqual([200, 120]);
  expect([...pixels.subarray(4 * (200 * 35 + 110), 4 * (200 * 35 + 111))]).toEqual([128, 0, 0, 128]);
});
