// A brush of several colours in, what draws it over a rectangle of whole pixels out: with the rasteriser's own pixels.

import type { Rect } from '#core/geometry.ts';
import type { Brush } from '#core/paint/display-list.ts';
import { conicGradient } from './conic-gradient.ts';
import { rampGradient } from './ramp-gradient.ts';
import type { Surface, Tile } from './surface.ts';

/** A gradient that is drawn here, and where. */
export interface RectGradient {
  /** Whole px. */
  readonly rect: Rect;
  /** Whether one colour follows another at once, so that the last digit of a place can tell which is seen there. */
  readonly isSteep: boolean;
  /** How the rasteriser lays it over what is there. */
  readonly edges: Tile['edges'];
  /** Lays it over what stands on a surface. */
  readonly draw: (surface: Surface) => void;
}

/**
 * @param bounds of all that the brush paints; asked for only where a brush needs it
 * @returns null for a single colour, and for what takes long or comes to nothing
 */
export function rectGradient(rect: Rect, brush: Brush, bounds: () => Rect | null): RectGradient | null {
  if (brush.kind === 'solid') return null;
  if (brush.kind !== 'conic') return rampGradient(rect, brush);
  const whole = bounds();
  return whole && conicGradient(rect, brush, whole);
}
