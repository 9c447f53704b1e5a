// Tests borders that differ between the sides of a box, as paths.

import { expect, test } from 'vitest';
import { SHARP } from '#core/paint/outline.ts';
import { borderImageOps, sideBorderOps } from '#core/paint/side-borders.ts';
import type { Border, Sides } from '#core/resolve/scene.ts';

const LINE: Border = { width: 2, color: { r: 0, g: 0, b: 0, a: 1 }, style: 'solid' };
const RADII = { topLeft: 6, topRight: 6, bottomRight: 6, bottomLeft: 6 };
const ALL: Sides<Border | null> = { top: LINE, right: LINE, bottom: LINE, left: LINE };

/** How many outlines are filled, and which straight edges of them run along the top of the box. */
function drawn(missing: readonly (keyof Sides<unknown>)[]): string {
  const borders = { ...ALL, ...Object.fromEntries(missing.map((side) => [side, null])) };
  const [op] = sideBorderOps({ x: 0, y: 0, width: 40, height: 30 }, RADII, borders);
  if (op?.kind !== 'fill') throw new Error('One path is filled.');
  let at: readonly number[] = [];
  let along = 0;
  for (const [command, ...numbers] of op.path) {
    const to = numbers.slice(-2);
    if (command === 'L' && at[1] === 0 && to[1] === 0 && at[0] !== to[0]) along += 1;
    if (command !== 'Z') at = to;
  }
  return `${op.path.filter(([command]) => command === 'M').length} ${along}`;
}

test('a rounded box has no edges on one another where a side has no border', () => {
  expect(drawn([])).toBe('2 1');
  expect(drawn(['top'])).toBe('1 0');
  expect(drawn(['top', 'bottom'])).toBe('2 0');
  expect(drawn(['right', 'bottom', 'left'])).toBe('1 1');
  expect(drawn(['left'])).toBe('1 1');
});

test('a wide side does not reach over the thin one opposite of it', () => {
  const of = (width: number, g: number): Border => ({ ...LINE, width, color: { r: 0, g, b: 0, a: 1 } });
  const borders = { top: of(2, 1), right: of(10, 2), bottom: of(20, 3), left: of(5, 4) };
  const ops = sideBorderOps({ x: 0, y: 0, width: 200, height: 80 }, RADII, borders);
  const heights = ops.map((op) =>
    op.kind === 'group' && op.clip ? op.clip.path.flatMap(([, ...numbers]) => numbers.slice(1, 2)) : [],
  );
  // The sides meet where the lines of their corners do: 80 px, of which the bottom has 20 of 22 parts.
  expect(Math.min(...(heights[2] ?? []))).toBeCloseTo(80 / 11);
});

test('a double side is two lines of a third each', () => {
  const box = { x: 0, y: 0, width: 40, height: 30 };
  const top: Border = { ...LINE, width: 6, style: 'double' };
  const [op] = sideBorderOps(box, SHARP, { top, right: null, bottom: null, left: null });
  if (op?.kind !== 'group' || op.ops[0]?.kind !== 'fill') throw new Error('One path is filled within its side.');
  const ys = new Set(op.ops[0].path.flatMap(([, ...numbers]) => numbers.slice(1, 2)));
  expect([...ys].sort((a, b) => a - b)).toEqual([0, 2, 4, 6, 30]);
});

test('thin dots of html are squares, one at each end', () => {
  const top: Border = { ...LINE, width: 2, style: 'dotted', isThin: true };
  const ops = sideBorderOps({ x: 0, y: 0, width: 40, height: 30 }, SHARP, {
    top,
    right: null,
    bottom: null,
    left: null,
  });
  const stroke = ops[0]?.kind === 'group' ? ops[0].ops[0] : ops[0];
  if (stroke?.kind !== 'stroke') throw new Error('It is a stroke.');
  expect(stroke.stroke).toMatchObject({ cap: 'butt', dash: [2, 2] });
  expect(stroke.path.map(([, x]) => x)).toEqual([0, 2, 38, 40, 3, 38]);
});

test('a picture as a border stands in its corners and along its sides', () => {
  const color = { r: 0, g: 0, b: 0, a: 1 };
  const fill = { kind: 'solid', color } as const;
  const px = (value: number) => ({ kind: 'px', value }) as const;
  const slices = { top: px(1), right: px(1), bottom: px(1), left: px(1) };
  const parts = (left: number) =>
    borderImageOps({ x: 10, y: 20, width: 100, height: 50 }, { top: 4, right: 6, bottom: 4, left }, { fill, slices });
  expect([parts(6).length, parts(0).length]).toEqual([8, 5]);
  const [corner] = parts(6);
  // One px of it is as wide and as high as the border.
  expect(corner?.kind === 'group' && corner.transform).toEqual([6, 0, 0, 4, 10 - 60, 20 - 80]);
});
