// Paints a brush over an area of a surface, optionally through a mask.

import type { Color, GradientStop } from '#core/color.ts';
import { invert, type Matrix, multiply, type Rect } from '#core/geometry.ts';
import type { Brush, GradientBrush } from '#core/paint/display-list.ts';
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
  brush: GradientBrush,
  matrix: Matrix,
  mask: number | null,
): void {
  const axes = brushAxes(brush, matrix);
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

// Prepares a gradient for the gradient kernel: its axes on the canvas, and its colours as linear slopes.

/** Colours by position along a gradient, in the form of kernels/gradient.ts. */
interface Slopes {
  readonly values: readonly number[];
  readonly isOpaque: boolean;
}

type Channels = readonly [number, number, number, number];

const NONE: Channels = [0, 0, 0, 0];
/** f32 values of a slope: its position and three unused, four factors, four biases. */
const slope = (place: number, factors: Channels, biases: Channels) => [place, 0, 0, 0, ...factors, ...biases];

const channelsOf = ({ color: { r, g, b, a } }: GradientStop): Channels => [r / 255, g / 255, b / 255, a];

/** @param stops at least one, in order; of several at one position the last one applies from there on */
export function slopesOf(stops: readonly GradientStop[]): Slopes {
  const [first, last] = [stops[0], stops.at(-1)];
  if (!first || !last) throw new RangeError('a gradient has stops');
  const values = slope(-Infinity, NONE, channelsOf(first));
  for (let i = 1; i < stops.length; i++) {
    const [from, to] = [stops[i - 1], stops[i]];
    if (!from || !to || Math.fround(to.offset) <= Math.fround(from.offset)) continue;
    const [low, high] = [channelsOf(from), channelsOf(to)];
    const length = to.offset - from.offset;
    const factors = high.map((channel, c) => (channel - (low[c] ?? 0)) / length) as unknown as Channels;
    const biases = low.map((channel, c) => channel - (factors[c] ?? 0) * from.offset) as unknown as Channels;
    values.push(...slope(from.offset, factors, biases));
  }
  values.push(...slope(last.offset, NONE, channelsOf(last)), ...slope(Infinity, NONE, NONE));
  return { values, isOpaque: stops.every(({ color }) => color.a === 1) };
}

/**
 * The rows of the matrix from device px to the space where the gradient has its simplest form: linear along x from 0 to
 * 1, radial around (0, 0) with radius 1, or conic around (0, 0) starting upwards.
 *
 * @param matrix from the brush's coordinates to device px
 * @returns null when the gradient has no extent
 */
export function brushAxes(brush: GradientBrush, matrix: Matrix): readonly number[] | null {
  const back = invert(multiply(matrix, unitSpace(brush)));
  if (!back?.every((value) => Math.abs(value) < 1e12)) return null;
  const [a, b, c, d, e, f] = back;
  return brush.kind === 'linear' ? [a, c, e] : [a, c, e, b, d, f];
}

function unitSpace(brush: GradientBrush): Matrix {
  switch (brush.kind) {
    case 'linear': {
      const { from, to } = brush;
      const [dx, dy] = [to.x - from.x, to.y - from.y];
      return [dx, dy, -dy, dx, from.x, from.y];
    }
    case 'radial':
      return brush.transform;
    case 'conic': {
      const radians = (brush.angle * Math.PI) / 180;
      const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
      return [cos, sin, -sin, cos, brush.centre.x, brush.centre.y];
    }
  }
}
