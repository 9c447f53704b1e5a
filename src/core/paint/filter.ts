// Converts CSS filter functions and shadow colours to display-list filters.
//
// The matrices are those of Filter Effects 1 §11. They are not combined, since browsers clamp after each function.

import type { Color } from '../color.ts';
import type { Filters } from '../resolve/scene.ts';
import type { Filter } from './display-list.ts';

/** In the order in which `filters` names them: tone, colour, then blur. */
export function layerFilters(given: Filters): readonly Filter[] {
  const { brightness, contrast, saturate, grayscale, sepia, hueRotate, invert, duotone, blur } = given;
  const filters: Filter[] = [];
  if (brightness !== 1) filters.push(scaled(brightness, 0));
  if (contrast !== 1) filters.push(scaled(contrast, 0.5 - 0.5 * contrast));
  if (saturate !== 1) filters.push(saturated(saturate, [0.213, 0.715, 0.072]));
  if (grayscale !== 0) filters.push(greyed(grayscale));
  if (sepia !== 0) filters.push(toned(sepia));
  if (hueRotate % 360 !== 0) filters.push(hueRotated(hueRotate));
  if (invert !== 0) filters.push(scaled(1 - 2 * invert, invert));
  if (duotone !== null) filters.push(inTwoTones(...duotone));
  return [...filters, ...blurred(blur)];
}

/** A Gaussian blur, or nothing when `sigma` is 0. */
export function blurred(sigma: number): readonly Filter[] {
  return sigma > 0 ? [{ kind: 'blur', sigma }] : [];
}

/** Keeps the alpha and replaces the colour: a silhouette. */
export function silhouetted({ r, g, b }: Color): Filter {
  const values = [r, g, b].flatMap((channel) => [0, 0, 0, 0, channel / 255]);
  return { kind: 'color-matrix', values: [...values, 0, 0, 0, 1, 0] };
}

/** Section 11.4.2, `grayscale`: 1 leaves the luminance. */
export function greyed(amount: number): Filter {
  return saturated(1 - amount, [0.2126, 0.7152, 0.0722]);
}

/** Every colour channel × slope + intercept. */
function scaled(slope: number, intercept: number): Filter {
  const rows = [0, 1, 2].flatMap((row) => [...[0, 1, 2].map((i) => (i === row ? slope : 0)), 0, intercept]);
  return { kind: 'color-matrix', values: [...rows, 0, 0, 0, 1, 0] };
}

/** Section 11.6.2, `sepia`. */
function toned(amount: number): Filter {
  const sepia = [0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131];
  return colorMatrix(sepia.map((weight, i) => weight * amount + (i % 4 === 0 ? 1 - amount : 0)));
}

/** Section 11.5.3, `hue-rotate`. */
function hueRotated(degrees: number): Filter {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const whole = [0.213, 0.715, 0.072, 0.213, 0.715, 0.072, 0.213, 0.715, 0.072];
  const byCos = [0.787, -0.715, -0.072, -0.213, 0.285, -0.072, -0.213, -0.715, 0.928];
  const bySin = [-0.213, -0.715, 0.928, 0.143, 0.14, -0.283, -0.787, 0.715, 0.072];
  return colorMatrix(whole.map((weight, i) => weight + cos * (byCos[i] ?? 0) + sin * (bySin[i] ?? 0)));
}

/** Mixes two colours by the luminance of each. */
function inTwoTones(dark: Color, light: Color): Filter {
  const luminance = [0.2126, 0.7152, 0.0722];
  const channels = ['r', 'g', 'b'] as const;
  return colorMatrix(
    channels.flatMap((name) => luminance.map((weight) => (weight * (light[name] - dark[name])) / 255)),
    channels.map((name) => dark[name] / 255),
  );
}

/** @param weights three rows of three @param constants added to each channel */
function colorMatrix(weights: readonly number[], constants: readonly number[] = [0, 0, 0]): Filter {
  const rows = [0, 1, 2].flatMap((row) => [...weights.slice(3 * row, 3 * row + 3), 0, constants[row] ?? 0]);
  return { kind: 'color-matrix', values: [...rows, 0, 0, 0, 1, 0] };
}

/** Moves every colour towards its own luminance (below 1) or away from it; the standard rounds the weights twice. */
function saturated(amount: number, luminance: readonly [number, number, number]): Filter {
  const rows = [0, 1, 2].flatMap((row) => [
    ...luminance.map((weight, i) => weight * (1 - amount) + (i === row ? amount : 0)),
    0,
    0,
  ]);
  return { kind: 'color-matrix', values: [...rows, 0, 0, 0, 1, 0] };
}
