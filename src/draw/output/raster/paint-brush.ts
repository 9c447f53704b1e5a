// Paints a brush over an area of a surface, optionally through a mask.

import type { Color } from '#core/color.ts';
import type { Matrix, Rect } from '#core/geometry.ts';
import type { Brush } from '#core/paint/display-list.ts';
import { axesOf, type Gradient, slopesOf } from './gradient-slopes.ts';
import { addressIn, type PaintMemory, type Surface } from './paint-memory.ts';

/** A colour as one premultiplied pixel. */
export function premultiplied({ r, g, b, a }: Color): number {
  const part = (channel: number) => Math.round(channel * a);
  return (part(r) | (part(g) << 8) | (part(b) << 16) | (Math.round(255 * a) << 24)) >>> 0;
}

/** Pixels of a gradient that are computed at a time: they fit the processor's L1 cache. */
const BAND_PIXELS = 1 << 11;

/**
 * @param area must lie within the surface's
 * @param matrix from the brush's coordinates to device px
 * @param mask of the area; null covers all of it
 */
export function paintBrush(
  memory: PaintMemory,
  surface: Surface,
  area: Rect,
  brush: Brush,
  matrix: Matrix,
  mask: number | null,
): void {
  if (brush.kind !== 'solid') {
    paintGradient(memory, surface, area, brush, matrix, mask);
    return;
  }
  const color = premultiplied(brush.color);
  if (color >>> 24 === 0) return;
  const { kernels } = memory;
  const { width, height } = area;
  const at = addressIn(surface, area);
  if (mask === null) kernels.fillRect(at, surface.stride, width, height, color);
  else kernels.layColor(at, surface.stride, mask, width, width, height, color);
}

function paintGradient(
  memory: PaintMemory,
  surface: Surface,
  area: Rect,
  brush: Gradient,
  matrix: Matrix,
  mask: number | null,
): void {
  const axes = axesOf(brush, matrix);
  const last = brush.stops.at(-1);
  if (!last) return;
  // A gradient without extent is its last colour.
  if (!axes) {
    paintBrush(memory, surface, area, { kind: 'solid', color: last.color }, matrix, mask);
    return;
  }
  const { values, isOpaque } = slopesOf(brush.stops);
  const axesAt = memory.takeFloats(axes);
  const slopesAt = memory.takeFloats(values);
  const { kernels } = memory;
  const { x, y, width, height } = area;
  const fill = (to: number, top: number, rows: number) => {
    if (brush.kind === 'linear') kernels.fillLinear(to, width, rows, x + 0.5, top + 0.5, axesAt, slopesAt, isOpaque);
    else kernels.fillGradient(brush.kind === 'radial', to, width, rows, x + 0.5, top + 0.5, axesAt, slopesAt, isOpaque);
  };
  // Whole rows need no band, but for the last one: the kernels write up to three pixels after a row.
  const isPlain = mask === null && isOpaque && width === surface.stride && width > 3;
  const written = isPlain ? height - 1 : 0;
  if (written > 0) fill(addressIn(surface, area), y, written);
  const most = Math.max(1, Math.min(height, Math.floor(BAND_PIXELS / width)));
  const band = memory.take(4 * width * most);
  for (let top = written; top < height; top += most) {
    const rows = Math.min(most, height - top);
    fill(band, y + top, rows);
    const to = addressIn(surface, { x, y: y + top });
    const from = mask === null ? 0 : mask + top * width;
    kernels.layPixels(to, surface.stride, band, width, width, rows, from, mask === null ? 0 : width, 255);
  }
}
