// Tests `calc()` of numbers with one unit.

import { expect, test } from 'vitest';
import { foldCalc } from '#core/css/calc.ts';

test.each([
  ['calc(12deg * -1)', '-12deg'],
  ['rotate(calc(1deg * -45)) scale(calc(50% * -1))', 'rotate(-45deg) scale(-50%)'],
  ['calc(infinity * 1px)', '1000000px'],
  ['0 0 0 calc(2px + 4px) red', '0 0 0 6px red'],
  ['calc(calc(0.25rem * 4) * calc(1 - 0))', '1rem'],
  ['calc((1px + 2px) * 3 - 1px / 2)', '8.5px'],
  ['calc(1 / 3 * 100%)', '33.333333%'],
])('%s is %s', (value, expected) => expect(foldCalc(value)).toBe(expected));

test.each([
  'calc(1px + 1em)',
  'calc(var(--a) * 2)',
  'calc(100% - 4px)',
  'calc(2px * 3px)',
  'calc(1 / 2px)',
  'calc(0 / 0)',
  'calc(1px',
])('%s is left as it is', (value) => expect(foldCalc(value)).toBe(value));
