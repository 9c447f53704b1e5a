import { expect, test } from 'vitest';
import { parsePathData } from '../../src/core/path-data.ts';

function check(d: string, expected: string): void {
  const parsed = parsePathData(d);
  const shown =
    'at' in parsed
      ? `refused at ${parsed.at}`
      : parsed.path.map(([op, ...v]) => op + v.map((n) => Math.round(n * 1000) / 1000).join(' ')).join(' ');
  expect(shown).toBe(expected);
}

test('absolute and relative lines', () =>
  check('M1 2 L3 4 l1 1 h2 v-3 H0 V0 z', 'M1 2 L3 4 L4 5 L6 5 L6 2 L0 2 L0 0 Z'));
test('pairs after a moveto are linetos, relative after a relative one', () => check('m1 1 2 2 3 3', 'M1 1 L3 3 L6 6'));
test('numbers run together as in minified files', () => check('M.5.5L-1-1e1', 'M0.5 0.5 L-1 -10'));
test('a closepath returns to the start', () => check('M5 5h2v2zl1 1', 'M5 5 L7 5 L7 7 Z L6 6'));
test('smooth cubics reflect the last control point', () =>
  check('M0 0C0 1 1 2 2 2S4 3 4 4', 'M0 0 C0 1 1 2 2 2 C3 2 4 3 4 4'));
test('a smooth cubic after a line has no control point to reflect', () =>
  check('M0 0L2 2S4 3 4 4', 'M0 0 L2 2 C2 2 4 3 4 4'));
test('quadratics become cubics', () => check('M0 0Q3 0 3 3T6 6', 'M0 0 C2 0 3 1 3 3 C3 5 4 6 6 6'));
test('a half circle is two quarter arcs', () =>
  check('M0 0A1 1 0 0 1 2 0', 'M0 0 C0 -0.552 0.448 -1 1 -1 C1.552 -1 2 -0.552 2 0'));
test('arc flags may run together', () =>
  check('M0 0a1 1 0 012 0', 'M0 0 C0 -0.552 0.448 -1 1 -1 C1.552 -1 2 -0.552 2 0'));
test('radii too small are scaled up to reach', () =>
  check('M0 0A.1 .1 0 0 1 2 0', 'M0 0 C0 -0.552 0.448 -1 1 -1 C1.552 -1 2 -0.552 2 0'));
test('an arc without a radius is a line', () => check('M0 0A0 5 0 0 1 2 0', 'M0 0 C0 0 2 0 2 0'));
test('empty data is an empty path', () => check('  ', ''));
test('it must start with a moveto', () => check('L1 1', 'refused at 0'));
test('a foreign letter is refused where it stands', () => check('M1 1 X2', 'refused at 5'));
test('a missing coordinate is refused where it is missed', () => check('M1 1 L2', 'refused at 7'));
test('numbers after a closepath are refused', () => check('M1 1 L2 2 z 3 3', 'refused at 12'));
test('a number beyond a million is refused', () => check('M1e9 0', 'refused at 4'));
