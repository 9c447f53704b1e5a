import { expect, test } from 'vitest';
import { Constraints, constrained } from '#core/template/constraints.ts';

const FROM = { width: 200, height: 100 };
const RECT = { x: 20, y: 10, width: 60, height: 30 };

function check(constraints: object, to: { width: number; height: number }, expected: string): void {
  const { x, y, width, height } = constrained(RECT, Constraints.parse(constraints), FROM, to);
  expect(`${x},${y} ${width}×${height}`).toBe(expected);
}

test('a layer keeps its left and top by default', () => check({}, { width: 400, height: 300 }, '20,10 60×30'));
test('right and bottom keep their distance', () =>
  check({ horizontal: 'right', vertical: 'bottom' }, { width: 400, height: 300 }, '220,210 60×30'));
test('both sides pinned stretch the layer, to no less than 1 px', () => {
  check({ horizontal: 'left-right', vertical: 'top-bottom' }, { width: 400, height: 300 }, '20,10 260×230');
  check({ horizontal: 'left-right' }, { width: 100, height: 100 }, '20,10 1×30');
});
test('center keeps the distance to the middle', () =>
  check({ horizontal: 'center', vertical: 'center' }, { width: 400, height: 300 }, '120,110 60×30'));
test('scale keeps place and size in proportion', () =>
  check({ horizontal: 'scale', vertical: 'scale' }, { width: 400, height: 50 }, '40,5 120×15'));
