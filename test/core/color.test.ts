import { expect, test } from 'vitest';
import { type ColorSpace, colorMixer, type HueArc, hex, parseColor } from '#core/color.ts';

test.each([
  ['teal', { r: 0, g: 128, b: 128, a: 1 }],
  ['rgb(300 -20 none / 1e400)', { r: 255, g: 0, b: 0, a: 1 }],
  ['oklch(1 none none)', { r: 255, g: 255, b: 255, a: 1 }],
  ['color(xyz 1e9 0 0)', { r: 255, g: 0, b: 255, a: 1 }],
])('%s', (css, color) => expect(parseColor(css)).toEqual(color));

// The naive conversion of CSS Color 5, section 6.1.
test.each([
  ['device-cmyk(0 81% 81% 30%)', { r: 179, g: 34, b: 34, a: 1, inks: [0, 0.81, 0.81, 0.3] }],
  ['device-cmyk(0, 0.5, 1, 0)', { r: 255, g: 128, b: 0, a: 1, inks: [0, 0.5, 1, 0] }],
  ['DEVICE-CMYK( none 2 -1 0.5 / 50% )', { r: 128, g: 0, b: 128, a: 0.5, inks: [0, 1, 0, 0.5] }],
  ['device-cmyk(0 0 0 1 / none)', { r: 0, g: 0, b: 0, a: 0, inks: [0, 0, 0, 1] }],
])('%s keeps its inks', (css, color) => expect(parseColor(css)).toEqual(color));

test.each([
  ...['device-cmyk(0 0 0)', 'device-cmyk(0 0 0 0 0)', 'device-cmyk(0 0 0 0 / 1 / 1)', 'device-cmyk(0, 0, 0, 50%)'],
  ...['device-cmyk(0 0 0 0x1)', 'device-cmyk(0 0 0 calc(1))', 'device-cmyk(0 0 0 1e999 1)', 'device-cmyk(a b c d)'],
  ...['device-cmyk(0 0 0 1.2.3)', 'device-cmyk()', 'device-cmyk(0,,0,0)'],
])('%s is no colour', (css) => expect(parseColor(css)).toBeNull());

test.each(['rgb(0 0 0 0x1)', 'oklch(1 2 3 4x)', 'hwb(0x1', 'color(', 'foo(1y)'])(
  '%s is no colour, of which the library throws',
  (css) => expect(parseColor(css)).toBeNull(),
);

test.each(['no colour', 'oklch(1e200 1e300 0)', 'lab(50 1e308 -1e308)', 'color(xyz 1e400 1e400 1e400)'])(
  '%s is none, as no channel may be beyond all numbers',
  (css) => expect(parseColor(css)).toBeNull(),
);

const RED = { r: 255, g: 0, b: 0, a: 1 };
const BLUE = { r: 0, g: 0, b: 255, a: 1 };
// As Chromium computes `color-mix(in …, red, blue)`.
test.each<[ColorSpace, HueArc, string]>([
  ['srgb', 'shorter', '#800080'],
  ['srgb-linear', 'shorter', '#bc00bc'],
  ['oklab', 'shorter', '#8c53a2'],
  ['oklch', 'shorter', '#ba00c2'],
  ['hsl', 'shorter', '#ff00ff'],
  ['hsl', 'longer', '#00ff00'],
  ['hsl', 'increasing', '#00ff00'],
  ['hsl', 'decreasing', '#ff00ff'],
])('red and blue are mixed in %s, %s', (space, arc, expected) =>
  expect(hex(colorMixer(RED, BLUE, space, arc)(0.5))).toBe(expected),
);
test('a grey takes the hue of the other colour', () => {
  const { r, g, b } = colorMixer({ r: 255, g: 255, b: 255, a: 1 }, BLUE, 'oklch', 'shorter')(0.5);
  expect(b).toBeGreaterThan(Math.max(r, g));
});
test('a transparent end has no colour of its own', () =>
  expect(colorMixer(RED, { r: 0, g: 0, b: 0, a: 0 }, 'oklab', 'shorter')(0.5)).toEqual({ ...RED, a: 0.5 }));
