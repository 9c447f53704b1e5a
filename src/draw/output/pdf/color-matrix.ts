// Applies `feColorMatrix` to colours and pixels. Every matrix is clamped and rounded by itself, as in the raster back end
// and in browsers: their product would bring back what the first of them has cut off.

import type { Color } from '#core/color.ts';
import type { Brush, Filter } from '#core/paint/display-list.ts';

/** Rows r, g, b of `feColorMatrix` without the alpha column: 3 × (r, g, b, constant), on 0..1. */
export type ColorMatrix = readonly number[];

/** In the order in which they are applied. */
export type ColorMatrices = readonly ColorMatrix[];

/** The filters as colour matrices, or null when there are none or they do more than recolour. */
export function asColorMatrices(filters: readonly Filter[]): ColorMatrices | null {
  const matrices: ColorMatrix[] = [];
  for (const filter of filters) {
    if (filter.kind !== 'color-matrix') return null;
    const [alphaRed, alphaGreen, alphaBlue, alphaAlpha, alphaConstant] = filter.values.slice(15);
    const keepsAlpha = alphaRed === 0 && alphaGreen === 0 && alphaBlue === 0 && alphaAlpha === 1 && alphaConstant === 0;
    const takesAlpha = [3, 8, 13].some((i) => filter.values[i] !== 0);
    if (!keepsAlpha || takesAlpha) return null;
    matrices.push([0, 5, 10].flatMap((i) => [...filter.values.slice(i, i + 3), filter.values[i + 4] ?? 0]));
  }
  return matrices.length > 0 ? matrices : null;
}

/** The matrices that apply `first`, then `then`; null = none. */
export function after(then: ColorMatrices | null, first: ColorMatrices | null): ColorMatrices | null {
  return then === null || first === null ? (then ?? first) : [...first, ...then];
}

export function recolor(brush: Brush, matrices: ColorMatrices | null): Brush {
  if (matrices === null) return brush;
  if (brush.kind === 'solid') return { kind: 'solid', color: recolorOne(brush.color, matrices) };
  return { ...brush, stops: brush.stops.map((stop) => ({ ...stop, color: recolorOne(stop.color, matrices) })) };
}

function recolorOne({ r, g, b, a }: Color, matrices: ColorMatrices): Color {
  const pixel = Uint8Array.of(r, g, b);
  recolorPixels(pixel, 3, matrices);
  return { r: pixel[0] ?? 0, g: pixel[1] ?? 0, b: pixel[2] ?? 0, a };
}

/** Recolours straight RGB or RGBA in place. @param channels bytes from one pixel to the next */
export function recolorPixels(pixels: Uint8Array, channels: number, matrices: ColorMatrices): void {
  for (const matrix of matrices) applyTo(pixels, channels, matrix);
}

function applyTo(pixels: Uint8Array, channels: number, m: ColorMatrix): void {
  const [rr = 0, rg = 0, rb = 0, r1 = 0, gr = 0, gg = 0, gb = 0, g1 = 0, br = 0, bg = 0, bb = 0, b1 = 0] = m;
  const clamp = (value: number) => (value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0);
  for (let i = 0; i + 2 < pixels.length; i += channels) {
    const r = pixels[i] as number;
    const g = pixels[i + 1] as number;
    const b = pixels[i + 2] as number;
    pixels[i] = clamp(rr * r + rg * g + rb * b + r1 * 255);
    pixels[i + 1] = clamp(gr * r + gg * g + gb * b + g1 * 255);
    pixels[i + 2] = clamp(br * r + bg * g + bb * b + b1 * 255);
  }
}
