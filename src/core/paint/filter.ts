// Converts CSS filter functions and shadow colours to display-list filters.
//
// The matrices are those of Filter Effects 1 §11. They are not combined, since browsers clamp after each function.

import type { Color } from '../color.ts';
import type { ImageFilters } from '../resolve/scene.ts';
import type { Filter } from './display-list.ts';

/** In the order in which `filters` names them: tone, colour, then blur. */
export function imageFilters({ brightness, contrast, saturate, grayscale, blur }: ImageFilters): readonly Filter[] {
  const filters: Filter[] = [];
  if (brightness !== 1) filters.push(scaled(brightness, 0));
  if (contrast !== 1) filters.push(scaled(contrast, 0.5 - 0.5 * contrast));
  if (saturate !== 1) filters.push(saturated(saturate, [0.213, 0.715, 0.072]));
  if (grayscale !== 0) filters.push(saturated(1 - grayscale, [0.2126, 0.7152, 0.0722]));
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

/** Every colour channel × slope + intercept. */
function scaled(slope: number, intercept: number): Filter {
  const rows = [0, 1, 2].flatMap((row) => [...[0, 1, 2].map((i) => (i === row ? slope : 0)), 0, intercept]);
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
