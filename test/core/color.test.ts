import { expect, test } from 'vitest';
import { type ColorSpace, colorMixer, type HueArc, hex, parseColor } from '#core/color.ts';

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
