import { expect, test } from 'vitest';
import { transformPoint } from '#core/geometry.ts';
import { transformMatrix } from '#core/layout/box-matrix.ts';
import { outlineOps, shapeClip } from '#core/paint/effects.ts';
import { PLAIN_FRAME } from '#core/resolve/plain-node.ts';
import type { BasicShape, CssEffects, Length, TransformStep } from '#core/resolve/scene.ts';

const px = (value: number): Length => ({ kind: 'px', value });
const percent = (value: number): Length => ({ kind: 'percent', value });
const BOX = { x: 10, y: 20, width: 100, height: 40 };
const CENTRE = { x: percent(50), y: percent(50) };

/** Where a point of the page is drawn. */
const moved = (steps: readonly TransformStep[], point: { x: number; y: number }, origin = CENTRE) => {
  const { x, y } = transformPoint(transformMatrix({ steps, origin }, BOX), point);
  return [Math.round(x * 1000) / 1000, Math.round(y * 1000) / 1000];
};

test('functions apply from the right, about the origin', () => {
  const twice: TransformStep = { matrix: [2, 0, 0, 2, 0, 0] };
  const quarter: TransformStep = { matrix: [0, 1, -1, 0, 0, 0] };
  const right: TransformStep = { move: { x: percent(10), y: px(0) } };
  expect(moved([twice], { x: 60, y: 40 })).toEqual([60, 40]);
  expect(moved([twice], { x: 110, y: 60 })).toEqual([160, 80]);
  expect(moved([twice], { x: 110, y: 60 }, { x: px(0), y: px(0) })).toEqual([210, 100]);
  // Moved first, then turned: what is to the right is then below.
  expect(moved([quarter, right], { x: 60, y: 40 })).toEqual([60, 50]);
  expect(moved([right, quarter], { x: 60, y: 40 })).toEqual([70, 40]);
});

const boundsOf = (shape: BasicShape) => {
  const points = shapeClip(shape, BOX).path.flatMap((segment) => {
    const numbers = segment.slice(1) as readonly number[];
    return numbers.length < 2 ? [] : [numbers.slice(-2)];
  });
  const side = (axis: 0 | 1, choose: (...all: number[]) => number) =>
    choose(...points.map((point) => point[axis] ?? 0));
  return [side(0, Math.min), side(1, Math.min), side(0, Math.max), side(1, Math.max)].map((each) => Math.round(each));
};

test('basic shapes are measured from the border box', () => {
  const radii = { topLeft: 0, topRight: 0, bottomRight: 0, bottomLeft: 0 };
  const sides = { top: px(5), right: percent(10), bottom: px(0), left: px(2) };
  expect(boundsOf({ kind: 'inset', inset: sides, radii })).toEqual([12, 25, 100, 60]);
  expect(boundsOf({ kind: 'circle', center: CENTRE, radii: [] })).toEqual([40, 20, 80, 60]);
  expect(boundsOf({ kind: 'circle', center: CENTRE, radii: ['farthest-side'] })).toEqual([10, -10, 110, 90]);
  // CSS Shapes 1, 3.1: a percentage is of the diagonal over the square root of two.
  const radius = Math.round(0.5 * (Math.hypot(100, 40) / Math.SQRT2));
  const circle = boundsOf({ kind: 'circle', center: CENTRE, radii: [percent(50)] });
  expect(circle).toEqual([60 - radius, 40 - radius, 60 + radius, 40 + radius]);
  expect(boundsOf({ kind: 'ellipse', center: CENTRE, radii: [percent(25), px(10)] })).toEqual([35, 30, 85, 50]);
  const points = [
    { x: px(0), y: px(0) },
    { x: percent(100), y: px(0) },
    { x: percent(50), y: percent(100) },
  ];
  expect(boundsOf({ kind: 'polygon', points, rule: 'nonzero' })).toEqual([10, 20, 110, 60]);
});

test('an outline is round the border box, at its distance', () => {
  const outline = { width: 3, offset: 2, color: { r: 0, g: 0, b: 0, a: 1 }, style: 'solid' as const };
  const css: CssEffects = { transform: null, outline, clip: null, dropShadows: [] };
  const [op] = outlineOps({ ...PLAIN_FRAME, name: 'box', css }, BOX);
  const xs = op?.kind === 'fill' ? op.path.flatMap((segment) => (segment[0] === 'Z' ? [] : [segment[1]])) : [];
  expect([...new Set(xs)].toSorted((a, b) => Number(a) - Number(b))).toEqual([5, 8, 112, 115]);
});
