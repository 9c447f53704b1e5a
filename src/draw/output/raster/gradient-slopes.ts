// Prepares a gradient for the gradient kernel: its axes on the canvas, and its colours as linear slopes.

import type { GradientStop } from '#core/color.ts';
import { invert, type Matrix, multiply } from '#core/geometry.ts';
import type { Brush } from '#core/paint/display-list.ts';

export type Gradient = Exclude<Brush, { kind: 'solid' }>;

/** Colours by position along a gradient, in the form of kernels/gradient.ts. */
export interface Slopes {
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
export function axesOf(brush: Gradient, matrix: Matrix): readonly number[] | null {
  const back = invert(multiply(matrix, unitSpace(brush)));
  if (!back?.every((value) => Math.abs(value) < 1e12)) return null;
  const [a, b, c, d, e, f] = back;
  return brush.kind === 'linear' ? [a, c, e] : [a, c, e, b, d, f];
}

function unitSpace(brush: Gradient): Matrix {
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
