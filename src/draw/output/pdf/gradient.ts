// Builds PDF functions and shadings from colour stops (ISO 32000-1, 7.10 and 8.7.4.5).
//
// Colours are interpolated unpremultiplied in sRGB, colour and opacity separately, as in SVG and the raster back end. A
// shading cannot have opacity: it becomes a second shading, in DeviceGray, for a soft mask.

import type { Color, GradientStop } from '#core/color.ts';
import type { Brush } from '#core/paint/display-list.ts';
import type { Dictionary } from './object.ts';

export type Gradient = Exclude<Brush, { kind: 'solid' }>;
export type AxialOrRadial = Exclude<Gradient, { kind: 'conic' }>;

/** The part of a colour that a shading carries. */
export type Component = 'color' | 'opacity';

export const COLOR_SPACE: Readonly<Record<Component, string>> = { color: 'DeviceRGB', opacity: 'DeviceGray' };

function components({ r, g, b, a }: Color, component: Component): readonly number[] {
  return component === 'color' ? [r / 255, g / 255, b / 255] : [a];
}

/** A section of a gradient with one colour at each end; never empty. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly start: Color;
  readonly end: Color;
}

/** The area beyond an end takes that end's colour, so a hard stop at 0 or 1 needs a short section of its own. */
const SLIVER = 1e-5;

/** Divides the stops into sections that cover 0..1, or slightly more, without gaps. */
export function segments(stops: readonly GradientStop[]): readonly Segment[] {
  const first = stops[0];
  const last = stops.at(-1);
  if (!first || !last) throw new Error('A gradient needs a stop.');
  const hardStart = stops[1]?.offset === 0;
  const hardEnd = stops.at(-2)?.offset === 1;
  const list: Segment[] = [];
  let from = hardStart ? -SLIVER : 0;
  let start = first.color;
  for (const { offset, color } of [...stops, { offset: hardEnd ? 1 + SLIVER : 1, color: last.color }]) {
    if (offset > from) {
      list.push({ from, to: offset, start, end: color });
      from = offset;
    }
    start = color;
  }
  return list;
}

/**
 * A function from the position along the gradient to one number (or three): a type 2 function per section, stitched by
 * one of type 3.
 */
export function colorFunction(list: readonly Segment[], component: Component): Dictionary {
  const pieces = list.map(({ start, end }) => ({
    FunctionType: 2,
    Domain: [0, 1],
    C0: components(start, component),
    C1: components(end, component),
    N: 1,
  }));
  const [only] = pieces;
  if (only && pieces.length === 1) return only;
  return {
    FunctionType: 3,
    Domain: domain(list),
    Functions: pieces,
    Bounds: list.slice(1).map((segment) => segment.from),
    Encode: list.flatMap(() => [0, 1]),
  };
}

function domain(list: readonly Segment[]): readonly [number, number] {
  return [list[0]?.from ?? 0, list.at(-1)?.to ?? 1];
}

/**
 * The shading of a linear or radial gradient; a radial one is the unit circle, which the gradient's transform maps to
 * the brush's coordinates.
 */
export function functionShading(gradient: AxialOrRadial, component: Component): Dictionary {
  const list = segments(gradient.stops);
  const shape =
    gradient.kind === 'linear'
      ? { ShadingType: 2, Coords: [gradient.from.x, gradient.from.y, gradient.to.x, gradient.to.y] }
      : { ShadingType: 3, Coords: [0, 0, 0, 0, 0, 1] };
  return {
    ...shape,
    ColorSpace: COLOR_SPACE[component],
    Domain: domain(list),
    Function: colorFunction(list, component),
    Extend: [true, true],
  };
}

/** A gradient without extent shows only its last colour, as in SVG. */
export function isDegenerate(gradient: Gradient): boolean {
  switch (gradient.kind) {
    case 'linear':
      return gradient.from.x === gradient.to.x && gradient.from.y === gradient.to.y;
    case 'radial': {
      const [a, b, c, d] = gradient.transform;
      return Math.abs(a * d - b * c) < 1e-9;
    }
    case 'conic':
      return false;
  }
}
