// Compares every blend mode with the formulas of Compositing and Blending 1, written out for one pixel.

import { expect, test } from 'vitest';
import { BLEND_MODES, type BlendMode } from '#core/blend-mode.ts';
import { BLEND_NUMBERS } from '#draw/output/raster/kernels.ts';
import { anyPixels, farthest, get, kernels, memory, put } from './kernel-memory.ts';

type Rgb = readonly [number, number, number];

const B: Readonly<Record<string, (b: number, s: number) => number>> = {
  multiply: (b, s) => b * s,
  screen: (b, s) => b + s - b * s,
  overlay: (b, s) => hardLight(s, b),
  darken: Math.min,
  lighten: Math.max,
  'color-dodge': (b, s) => (b === 0 ? 0 : s === 1 ? 1 : Math.min(1, b / (1 - s))),
  'color-burn': (b, s) => (b === 1 ? 1 : s === 0 ? 0 : 1 - Math.min(1, (1 - b) / s)),
  'hard-light': (b, s) => hardLight(b, s),
  'soft-light': (b, s) => {
    const d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : Math.sqrt(b);
    return s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (d - b);
  },
  difference: (b, s) => Math.abs(b - s),
  exclusion: (b, s) => b + s - 2 * b * s,
};

function hardLight(b: number, s: number): number {
  return s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1);
}

const lum = ([r, g, b]: Rgb) => 0.3 * r + 0.59 * g + 0.11 * b;
const sat = (c: Rgb) => Math.max(...c) - Math.min(...c);

function setLum(c: Rgb, l: number): Rgb {
  const d = l - lum(c);
  const moved = c.map((channel) => channel + d) as unknown as Rgb;
  const [low, high] = [Math.min(...moved), Math.max(...moved)];
  return moved.map((channel) => {
    const up = low < 0 ? l + ((channel - l) * l) / (l - low) : channel;
    return high > 1 ? l + ((up - l) * (1 - l)) / (high - l) : up;
  }) as unknown as Rgb;
}

function setSat(c: Rgb, s: number): Rgb {
  const [low, high] = [Math.min(...c), Math.max(...c)];
  return c.map((channel) => (high > low ? ((channel - low) * s) / (high - low) : 0)) as unknown as Rgb;
}

const MIXED: Readonly<Record<string, (b: Rgb, s: Rgb) => Rgb>> = {
  hue: (b, s) => setLum(setSat(s, sat(b)), lum(b)),
  saturation: (b, s) => setLum(setSat(b, sat(s)), lum(b)),
  color: (b, s) => setLum(s, lum(b)),
  luminosity: (b, s) => setLum(b, lum(s)),
};

function blended(mode: BlendMode, below: Uint8Array, above: Uint8Array, at: number): number[] {
  const [ab, as] = [(below[at + 3] ?? 0) / 255, (above[at + 3] ?? 0) / 255];
  const straight = (pixels: Uint8Array, alpha: number) =>
    [0, 1, 2].map((c) => (alpha === 0 ? 0 : Math.min(1, (pixels[at + c] ?? 0) / 255 / alpha))) as unknown as Rgb;
  const [cb, cs] = [straight(below, ab), straight(above, as)];
  const mixed = MIXED[mode]?.(cb, cs) ?? cb.map((b, c) => B[mode]?.(b, cs[c] ?? 0) ?? 0);
  const colors = mixed.map((m, c) => as * (1 - ab) * (cs[c] ?? 0) + as * ab * m + (1 - as) * ab * (cb[c] ?? 0));
  return [...colors, as + ab * (1 - as)].map((share) => Math.round(255 * share));
}

const COUNT = 20_000;
const below = anyPixels(COUNT, 1);
const above = anyPixels(COUNT, 2);

for (const mode of BLEND_MODES) {
  if (mode === 'normal') continue;
  test(mode, () => {
    const mark = memory.mark();
    const [pixels, source] = [put(below), put(above)];
    kernels.blend(BLEND_NUMBERS[mode], pixels, COUNT, source, COUNT, 0, COUNT, 1, 0, 0, 255);
    const expected = Array.from({ length: COUNT }, (_, i) => blended(mode, below, above, 4 * i)).flat();
    expect(farthest(get(pixels, 4 * COUNT), expected)).toBeLessThanOrEqual(1);
    memory.release(mark);
  });
}
