// Writes the colour operators that select a brush: solid colours, shading patterns and alpha.
//
// A gradient whose alpha varies is painted under a soft mask: a greyscale shading of the gradient's opacity.

import type { Color, GradientStop } from '#core/color.ts';
import { centreOf, IDENTITY, inflate, type Matrix, multiply, type Rect } from '#core/geometry.ts';
import type { Brush, GradientBrush } from '#core/paint/display-list.ts';
import { scaleX, scaleY } from './canvas-space.ts';
import { recolor } from './color-matrix.ts';
import type { Resource } from './content-stream.ts';
import type { PdfDocument } from './document.ts';
import type { Dictionary, PdfReference } from './object.ts';
import { matrix, num, nums } from './syntax.ts';
import type { Target } from './target.ts';

export type Use = 'fill' | 'stroke';

/** How far masks and meshes extend beyond what is painted, canvas px, so that antialiased edges are not cut. */
const MARGIN = 1;

/**
 * Draws with a brush.
 *
 * @param extent returns the bounds of all that `draw` paints, in user space; null = nothing
 * @returns false when nothing would be visible, in which case nothing was drawn
 */
export function paintWith(
  target: Target,
  brush: Brush,
  use: Use,
  extent: () => Rect | null,
  draw: () => void,
): boolean {
  const { content, document } = target;
  const paint = simplify(recolor(brush, target.colorMatrices));
  if (target.colorMatrices && colorsOf(brush).some(({ inks }) => inks)) document.lostInks.add('inks-filtered');
  if (paint.kind === 'solid') {
    if (!setAlpha(target, paint.color.a)) return false;
    setColor(target, paint.color, use);
    draw();
    return true;
  }

  const bounds = extent();
  if (bounds === null) return false;
  const { canvasMatrix } = target;
  const area = inflate(bounds, MARGIN / Math.max(1e-6, Math.min(scaleX(canvasMatrix), scaleY(canvasMatrix))));
  const alpha = paint.stops[0]?.color.a ?? 1;
  if (paint.stops.every((stop) => stop.color.a === alpha)) {
    if (!setAlpha(target, alpha)) return false;
    setPattern(target, paint, use, area);
    draw();
    return true;
  }
  if (!setAlpha(target, 1)) return false;
  content.isolate(() => {
    content.write(`${content.use(softMask(document, paint, area))} gs`);
    setPattern(target, paint, use, area);
    draw();
  });
  return true;
}

export const colorsOf = (brush: Brush): readonly Color[] =>
  brush.kind === 'solid' ? [brush.color] : brush.stops.map(({ color }) => color);

/** Whether `paintWith` draws this brush through a soft mask: its opacity varies. */
export function needsSoftMask(brush: Brush): boolean {
  const paint = simplify(brush);
  return paint.kind !== 'solid' && paint.stops.some(({ color }) => color.a !== paint.stops[0]?.color.a);
}

/** Reduces a gradient of one colour, or without extent, to that colour. */
function simplify(brush: Brush): Brush {
  if (brush.kind === 'solid') return brush;
  const last = brush.stops.at(-1)?.color;
  if (!last) throw new Error('A gradient needs a stop.');
  const isFlat = brush.stops.every(
    ({ color: { r, g, b, a } }) => r === last.r && g === last.g && b === last.b && a === last.a,
  );
  return isFlat || isDegenerate(brush) ? { kind: 'solid', color: last } : brush;
}

/** Sets the constant alpha of fills and strokes; returns false when nothing would be visible. */
export function setAlpha({ document, content, opacity }: Target, alpha: number): boolean {
  if (alpha * opacity === 1 && content.get('alpha') === undefined) return true;
  const value = num(Math.min(1, Math.max(0, alpha * opacity)));
  if (value === '0') return false;
  if (value === '1' && content.get('alpha') === undefined) return true;
  const state = document.graphicsState(`alpha ${value}`, () => ({ ca: Number(value), CA: Number(value) }));
  content.set('alpha', `${content.use(state)} gs`);
  return true;
}

/** The colours of a table are the same objects in all of its rows. */
const OPERANDS = new WeakMap<Color, string>();

function setColor({ content, document }: Target, color: Color, use: Use): void {
  let operands = OPERANDS.get(color);
  if (operands === undefined) {
    operands = nums(color.inks ?? [color.r / 255, color.g / 255, color.b / 255]);
    OPERANDS.set(color, operands);
  }
  if (color.inks) document.noteInks(operands);
  if (use === 'fill') content.set('fill colour', `${operands} ${color.inks ? 'k' : 'rg'}`);
  else content.set('stroke colour', `${operands} ${color.inks ? 'K' : 'RG'}`);
}

function setPattern(
  { document, content, streamMatrix }: Target,
  gradient: GradientBrush,
  use: Use,
  bounds: Rect,
): void {
  const toStream = multiply(streamMatrix, brushMatrix(gradient));
  // A conic gradient's mesh covers only the bounds that it was made for, so they are part of the key; the other
  // shadings cover everything.
  const key = JSON.stringify([gradient, toStream, gradient.kind === 'conic' ? bounds : null]);
  const inInks = gradient.stops.filter(({ color }) => color.inks).length;
  const component = inInks > 0 && inInks === gradient.stops.length ? 'inks' : 'color';
  if (component === 'inks') document.noteInks(nums(gradient.stops[0]?.color.inks ?? []));
  else if (inInks > 0) document.lostInks.add('inks-in-gradient');
  const pattern = document.resource('Pattern', key, () =>
    document.object({
      Type: 'Pattern',
      PatternType: 2,
      Matrix: toStream,
      Shading: shading(document, gradient, bounds, component),
    }),
  );
  const name = content.use(pattern);
  if (use === 'fill') content.set('fill colour', `/Pattern cs ${name} scn`);
  else content.set('stroke colour', `/Pattern CS ${name} SCN`);
}

/** A graphics state whose soft mask is the gradient's opacity, in the user space in force (11.6.5.3). */
function softMask(document: PdfDocument, gradient: GradientBrush, bounds: Rect): Resource {
  const key = `mask ${JSON.stringify([gradient, bounds])}`;
  return document.graphicsState(key, () => {
    const group = document.object(
      {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [bounds.x, bounds.y, bounds.x + bounds.width, bounds.y + bounds.height],
        Group: { Type: 'Group', S: 'Transparency', CS: 'DeviceGray', I: true },
        Resources: { Shading: { S1: shading(document, gradient, bounds, 'opacity') } },
      },
      `${matrix(brushMatrix(gradient))} cm\n/S1 sh`,
    );
    return { SMask: { S: 'Luminosity', G: group } };
  });
}

function shading(
  document: PdfDocument,
  gradient: GradientBrush,
  bounds: Rect,
  component: Component,
): Dictionary | PdfReference {
  return gradient.kind === 'conic'
    ? conicShading(document, gradient, bounds, component)
    : functionShading(gradient, component);
}

/** From the shading's own coordinates to the brush's. */
function brushMatrix(gradient: GradientBrush): Matrix {
  return gradient.kind === 'radial' ? gradient.transform : IDENTITY;
}

// Writes a conic gradient as a free-form Gouraud triangle mesh (ISO 32000-1, 8.7.4.5.5), because PDF has no sweep
// shading.
//
// The mesh is a fan of narrow triangles around the centre. Their vertices carry positions along the gradient rather
// than colours, because readers draw such meshes without seams. Triangle boundaries coincide with stops, so a hard stop
// is a hard edge.

type Conic = Extract<Brush, { kind: 'conic' }>;

/** The widest triangle, as a fraction of a turn: 1.5°, where the chord is within 1/10,000 of the arc. */
const STEP = 1 / 240;
/** Flag, x, y, position along the gradient. */
const VERTEX_BYTES = 1 + 4 + 4 + 2;
const MAX_COORDINATE = 0xffffffff;
const MAX_PLACE = 0xffff;

/** @param area the area to cover, in the brush's coordinates */
function conicShading(document: PdfDocument, brush: Conic, area: Rect, component: Component): PdfReference {
  const { centre } = brush;
  const radius = reach(brush, area);
  const wedges = fan(brush);
  const bytes = new Uint8Array(wedges.length * 3 * VERTEX_BYTES);
  const view = new DataView(bytes.buffer);
  let at = 0;

  const coordinate = (offset: number) => Math.round(((offset / radius + 1) / 2) * MAX_COORDINATE);
  const vertex = (dx: number, dy: number, place: number) => {
    // The flag stays 0: triangles share no vertices, because adjacent ones have different colours at the centre.
    view.setUint32(at + 1, coordinate(dx));
    view.setUint32(at + 5, coordinate(dy));
    view.setUint16(at + 9, Math.round(place * MAX_PLACE));
    at += VERTEX_BYTES;
  };
  const rim = (turn: number) => {
    const angle = turn * 2 * Math.PI + (brush.angle * Math.PI) / 180;
    vertex(radius * Math.sin(angle), -radius * Math.cos(angle), turn);
  };
  for (const { from, to } of wedges) {
    vertex(0, 0, (from + to) / 2);
    rim(from);
    rim(to);
  }

  return document.object(
    {
      ShadingType: 4,
      ColorSpace: COLOR_SPACE[component],
      BitsPerCoordinate: 32,
      BitsPerComponent: 16,
      BitsPerFlag: 8,
      Decode: [centre.x - radius, centre.x + radius, centre.y - radius, centre.y + radius, 0, 1],
      Function: colorFunction(segments(brush.stops), component),
    },
    bytes,
  );
}

/** Divides the turn from 0 to 1 at every stop, and between stops into triangles of at most STEP. */
function fan(brush: Conic): readonly { readonly from: number; readonly to: number }[] {
  return segments(brush.stops).flatMap((segment) => {
    const from = Math.max(0, segment.from);
    const to = Math.min(1, segment.to);
    const count = Math.ceil((to - from) / STEP);
    const cut = (i: number) => from + ((to - from) * i) / count;
    return Array.from({ length: Math.max(0, count) }, (_, i) => ({ from: cut(i), to: cut(i + 1) }));
  });
}

/**
 * The fan's radius that covers `area`. The chords are nearer to the centre than the vertices, so it is enlarged
 * accordingly.
 */
function reach({ centre }: Conic, area: Rect): number {
  const middle = centreOf(area);
  const half = Math.hypot(area.width, area.height) / 2;
  const farthest = Math.hypot(middle.x - centre.x, middle.y - centre.y) + half;
  return Math.max(1, farthest / Math.cos(Math.PI * STEP));
}

// Builds PDF functions and shadings from colour stops (ISO 32000-1, 7.10 and 8.7.4.5).
//
// Colours are interpolated unpremultiplied in sRGB, or in inks if all of a gradient's are, colour and opacity separately, as in SVG and the raster back end. A
// shading cannot have opacity: it becomes a second shading, in DeviceGray, for a soft mask.

type AxialOrRadial = Exclude<GradientBrush, { kind: 'conic' }>;

/** The part of a colour that a shading carries. */
type Component = 'color' | 'inks' | 'opacity';

const COLOR_SPACE: Readonly<Record<Component, string>> = {
  ...{ color: 'DeviceRGB', inks: 'DeviceCMYK', opacity: 'DeviceGray' },
};

function components({ r, g, b, a, inks }: Color, component: Component): readonly number[] {
  if (component === 'inks' && inks) return inks;
  return component === 'color' ? [r / 255, g / 255, b / 255] : [a];
}

/** A section of a gradient with one colour at each end; never empty. */
interface Segment {
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
function colorFunction(list: readonly Segment[], component: Component): Dictionary {
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
function functionShading(gradient: AxialOrRadial, component: Component): Dictionary {
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
export function isDegenerate(gradient: GradientBrush): boolean {
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
