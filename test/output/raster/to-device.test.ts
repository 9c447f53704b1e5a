// What a group only moves lies where it is seen; what it does beside that stays a group.

import { expect, test } from 'vitest';
import { type Matrix, rotation } from '#core/geometry.ts';
import type { Brush, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import { rectPath } from '#core/paint/outline.ts';
import type { Resources } from '#core/resources.ts';
import { toDevice } from '#output/raster/to-device.ts';

const NOTHING = { fonts: { get: () => null }, images: new Map() } as unknown as Resources;
const red: Brush = { kind: 'solid', color: { r: 255, g: 0, b: 0, a: 1 } };
const box: PaintOp = {
  kind: 'fill',
  path: rectPath({ x: 1, y: 2, width: 3, height: 4 }),
  rule: 'nonzero',
  brush: red,
};

function group(ops: readonly PaintOp[], rest: Partial<GroupOp> = {}): GroupOp {
  const plain = {
    transform: [1, 0, 0, 1, 0, 0],
    opacity: 1,
    blend: 'normal',
    clip: null,
    filters: [],
    text: null,
  } as const;
  return { kind: 'group', ...plain, ...rest, ops };
}

const made = (ops: readonly PaintOp[], scale = 1, device = { width: 100 * scale, height: 50 * scale }) =>
  toDevice({ width: 100, height: 50, ops }, scale, device, NOTHING).ops;

const cornerOf = (op: PaintOp | undefined) => (op?.kind === 'fill' ? op.path[0]?.slice(1) : null);

test('at scale 1 an operation is the same one', () => expect(made([box])[0]).toBe(box));
test('an operation that comes again becomes the same one again', () =>
  expect(made([box], 2)[0]).toBe(made([box], 2)[0]));
test('lengths are scaled', () => expect(cornerOf(made([box], 3)[0])).toEqual([3, 6]));
test('a group that only moves is gone', () =>
  expect(made([group([group([box], { transform: [2, 0, 0, 2, 5, 6] })])], 2).map(cornerOf)).toEqual([[14, 20]]));
test('turned, a box is an outline like any other', () =>
  expect(cornerOf(made([group([box], { transform: rotation(90, { x: 0, y: 0 }) })])[0])).toEqual([-2, 1]));
test('a faded group stays, at the corner of the canvas', () =>
  expect(made([group([box], { transform: [1, 0, 0, 1, 5, 6], opacity: 0.5 })])).toMatchObject([
    { kind: 'group', opacity: 0.5, transform: [1, 0, 0, 1, 0, 0], ops: [{ path: [['M', 6, 8], {}, {}, {}, {}] }] },
  ]));
test('a blur grows with the scale', () =>
  expect(made([group([box], { filters: [{ kind: 'blur', sigma: 3 }] })], 2)).toMatchObject([
    { filters: [{ kind: 'blur', sigma: 6 }] },
  ]));
test('a turned and filtered group keeps its turn', () => {
  const transform: Matrix = rotation(30, { x: 4, y: 4 });
  expect(made([group([box], { transform, filters: [{ kind: 'blur', sigma: 3 }] })])).toMatchObject([
    { transform, ops: [box] },
  ]);
});
test('a canvas that makes no whole pixels is stretched to them', () =>
  expect(cornerOf(made([box], 0.33, { width: 33, height: 17 })[0])).toEqual([0.33, 0.68]));
test('links are nothing to see', () =>
  expect(made([{ kind: 'link', rect: { x: 0, y: 0, width: 9, height: 9 }, href: 'https://example.com' }])).toEqual([]));
