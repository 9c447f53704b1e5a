// The value of a fill: a colour, or a gradient.

import type { WrittenGradient } from '../core/gestures/gradient-handles.ts';

export type FillValue = string | WrittenGradient;

export const isGradient = (value: FillValue | undefined): value is WrittenGradient =>
  typeof value === 'object' && value !== null;

/** The fill as CSS, for a swatch. */
export function cssOf(value: FillValue): string {
  if (!isGradient(value)) return value;
  const stops = value.stops
    .map(({ color, offset }) => (offset === undefined ? color : `${color} ${offset * 100}%`))
    .join(', ');
  const centre = `at ${(value.center?.x ?? 0.5) * 100}% ${(value.center?.y ?? 0.5) * 100}%`;
  if (value.type === 'linear') return `linear-gradient(${value.angle ?? 180}deg, ${stops})`;
  if (value.type === 'radial') return `radial-gradient(${value.shape ?? 'ellipse'} ${centre}, ${stops})`;
  return `conic-gradient(from ${value.angle ?? 0}deg ${centre}, ${stops})`;
}
