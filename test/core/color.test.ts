import { expect, test } from 'vitest';
import { parseColor } from '#core/color.ts';

test.each([
  ['teal', { r: 0, g: 128, b: 128, a: 1 }],
  ['rgb(300 -20 none / 1e400)', { r: 255, g: 0, b: 0, a: 1 }],
  ['oklch(1 none none)', { r: 255, g: 255, b: 255, a: 1 }],
  ['color(xyz 1e9 0 0)', { r: 255, g: 0, b: 255, a: 1 }],
])('%s', (css, color) => expect(parseColor(css)).toEqual(color));

test.each(['no colour', 'oklch(1e200 1e300 0)', 'lab(50 1e308 -1e308)', 'color(xyz 1e400 1e400 1e400)'])(
  '%s is none, as no channel may be beyond all numbers',
  (css) => expect(parseColor(css)).toBeNull(),
);
