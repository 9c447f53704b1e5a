// Makes the brush of a fill, with coordinates computed from the box that it covers.
//
// CSS Images 3 and 4 define a gradient's line, circle or centre. Back ends interpolate colour and alpha separately, CSS
// interpolates premultiplied colours, so stops are added here until the two look the same.

import { type Color, type GradientStop, placedStops } from '../color.ts';
import { centreOf, invert, type Matrix, multiply, type Point, type Rect, transformPoint } from '../geometry.ts';
import { lengthIn, pointIn } from '../layout/box-matrix.ts';
import type { BoxGradient, Fill, Length } from '../resolve/scene.ts';
import type { Brush, PaintOp } from './display-list.ts';

type Radial = Extract<Fill, { kind: 'radial' }>;

/** The brush that fills `box` as CSS would. A gradient without extent is its last colour. */
export function brushFor(fill: Fill, box: Rect): Brush {
  if (fill.kind === 'solid') return fill;
  const { inBox } = fill;
  const last: Brush = { kind: 'solid', color: fill.stops.at(-1)?.color ?? { r: 0, g: 0, b: 0, a: 0 } };
  if (fill.kind === 'linear') {
    const line = gradientLine(inBox?.corner ? angleTo(inBox.corner, box) : fill.angle, box);
    if (!line) return last;
    const { from, to } = line;
    const own = inBox ? stopsIn(inBox, Math.hypot(to.x - from.x, to.y - from.y), 1) : fill.stops;
    return flat(own) ?? { kind: 'linear', ...line, stops: straightStops(own) };
  }
  const at = inBox?.center
    ? pointIn(box, inBox.center)
    : { x: fill.center.x * box.width, y: fill.center.y * box.height };
  const centre = { x: box.x + at.x, y: box.y + at.y };
  if (fill.kind === 'conic') {
    const own = inBox ? stopsIn(inBox, 0, 1) : fill.stops;
    return flat(own) ?? { kind: 'conic', centre, angle: fill.angle, stops: straightStops(own) };
  }
  const { rx, ry } = inBox ? boxRadii(inBox, fill.shape, box, at) : radii(fill, box, centre);
  if (!(rx > 0 && ry > 0)) return last;
  if (!inBox)
    return { kind: 'radial', transform: [rx, 0, 0, ry, centre.x, centre.y], stops: straightStops(fill.stops) };
  const reach = Math.max(
    ...[0, box.width].flatMap((x) => [0, box.height].map((y) => Math.hypot((x - at.x) / rx, (y - at.y) / ry))),
  );
  const own = stopsIn(inBox, rx, reach);
  const transform = [rx * reach, 0, 0, ry * reach, centre.x, centre.y] as const;
  return flat(own) ?? { kind: 'radial', transform, stops: straightStops(own) };
}

/** The one colour of a gradient that has no more in its box; null = it has. */
function flat(stops: readonly GradientStop[]): Brush | null {
  const [first, second] = stops;
  return first && !second ? { kind: 'solid', color: first.color } : null;
}

/** Of repetitions, stops in all; a gradient that repeats more often is one colour to the eye. */
const MOST_STOPS = 4_000;
/** Those of the last box of each gradient: boxes that are alike share them. */
const placed = new WeakMap<
  BoxGradient,
  { readonly length: number; readonly reach: number; readonly stops: readonly GradientStop[] }
>();

/**
 * The stops of a gradient from its beginning to its reach, as 0 to 1.
 *
 * @param length what px are a share of, px
 * @param reach how far it is seen, in lengths
 */
function stopsIn(gradient: BoxGradient, length: number, reach: number): readonly GradientStop[] {
  const known = placed.get(gradient);
  if (known?.length === length && known.reach === reach) return known.stops;
  const { repeats, space, hue } = gradient;
  const share = (at: Length | null) =>
    at && length > 0 ? lengthIn(length, at) / length : at?.kind === 'percent' ? at.value / 100 : undefined;
  const written = gradient.stops.map(({ at, color, hint }) => ({ offset: share(at), color, hint: share(hint) }));
  const once = placedStops(written, space, hue);
  const [from, to] = [once[0]?.offset ?? 0, once.at(-1)?.offset ?? 1];
  const period = to - from;
  const count = period > 0 ? Math.ceil((reach - from) / period) - Math.floor(-from / period) : 0;
  let stops = once;
  if (repeats && !(count * once.length <= MOST_STOPS && count > 0)) stops = [{ offset: 0, color: meanOf(once) }];
  else if (repeats) {
    const first = Math.floor(-from / period);
    stops = Array.from({ length: count }, (_, i) =>
      once.map(({ offset, color }) => ({ offset: offset + (first + i) * period, color })),
    ).flat();
  }
  const made = cutTo(stops, reach);
  placed.set(gradient, { length, reach, stops: made });
  return made;
}

/** What of stops lies between 0 and the reach, as 0 to 1. */
function cutTo(stops: readonly GradientStop[], reach: number): readonly GradientStop[] {
  const [first, last] = [stops[0], stops.at(-1)];
  if (!first || !last || last.offset <= 0) return last ? [{ offset: 0, color: last.color }] : [];
  if (first.offset >= reach) return [{ offset: 0, color: first.color }];
  const found: GradientStop[] = [];
  for (const [i, stop] of stops.entries()) {
    const before = stops[i - 1];
    const at = (edge: number): GradientStop => {
      const t = before ? (edge - before.offset) / (stop.offset - before.offset) : 0;
      return { offset: edge / reach, color: before ? premultipliedMix(before.color, stop.color, t) : stop.color };
    };
    if (before && before.offset < 0 && stop.offset > 0) found.push(at(0));
    if (stop.offset >= 0 && stop.offset <= reach) found.push({ offset: stop.offset / reach, color: stop.color });
    if (before && before.offset < reach && stop.offset > reach) found.push(at(reach));
  }
  return found;
}

/** Weighed by how much of a gradient is near each colour. */
function meanOf(stops: readonly GradientStop[]): Color {
  let [mean, weight] = [stops.at(-1)?.color ?? { r: 0, g: 0, b: 0, a: 0 }, 0];
  for (const [i, { offset, color }] of stops.entries()) {
    const own = ((stops[i + 1]?.offset ?? offset) - (stops[i - 1]?.offset ?? offset)) / 2;
    if (own <= 0) continue;
    weight += own;
    mean = premultipliedMix(mean, color, own / weight);
  }
  return mean;
}

export function isOpaqueBrush(brush: Brush): boolean {
  return brush.kind === 'solid' ? brush.color.a === 1 : brush.stops.every(({ color }) => color.a === 1);
}

/** Degrees, of a line to a corner: at right angles to that between the two corners beside it (CSS Images 3 §3.1.1). */
function angleTo({ x, y }: Point, { width, height }: Rect): number {
  return (Math.atan2(x * height, -y * width) * 180) / Math.PI;
}

/** CSS Images 3 §3.1: a line through the centre; the perpendiculars at its ends pass through corners of the box. */
function gradientLine(angle: number, box: Rect): { readonly from: Point; readonly to: Point } | null {
  const radians = (angle * Math.PI) / 180;
  const sin = Math.sin(radians);
  const cos = Math.cos(radians);
  const half = (Math.abs(box.width * sin) + Math.abs(box.height * cos)) / 2;
  if (half === 0) return null;
  const { x, y } = centreOf(box);
  return { from: { x: x - half * sin, y: y + half * cos }, to: { x: x + half * sin, y: y - half * cos } };
}

/** CSS `farthest-corner`, or the given fraction of half the box: of its longer side for a circle. */
function radii(fill: Radial, box: Rect, centre: Point): { readonly rx: number; readonly ry: number } {
  const { radius, shape } = fill;
  if (radius !== null) {
    const longer = Math.max(box.width, box.height);
    const [width, height] = shape === 'circle' ? [longer, longer] : [box.width, box.height];
    return { rx: (radius * width) / 2, ry: (radius * height) / 2 };
  }
  const dx = Math.max(Math.abs(centre.x - box.x), Math.abs(box.x + box.width - centre.x));
  const dy = Math.max(Math.abs(centre.y - box.y), Math.abs(box.y + box.height - centre.y));
  if (shape === 'circle') return { rx: Math.hypot(dx, dy), ry: Math.hypot(dx, dy) };
  // The ellipse through the farthest corner has the proportions of the one that touches the farthest sides.
  return { rx: dx * Math.SQRT2, ry: dy * Math.SQRT2 };
}

/** CSS Images 3 §3.2.1. @param at the centre, from the corner of the box */
function boxRadii(
  { size }: BoxGradient,
  shape: Radial['shape'],
  { width, height }: Rect,
  at: Point,
): { readonly rx: number; readonly ry: number } {
  if (typeof size !== 'string') return { rx: lengthIn(width, size[0]), ry: lengthIn(height, size[1]) };
  const [dx, dy] = [[at.x, width - at.x].map(Math.abs), [at.y, height - at.y].map(Math.abs)];
  const choose = size.startsWith('closest') ? Math.min : Math.max;
  const [x, y] = [choose(...dx), choose(...dy)];
  if (size.endsWith('side')) return shape === 'circle' ? { rx: choose(x, y), ry: choose(x, y) } : { rx: x, ry: y };
  return shape === 'circle'
    ? { rx: Math.hypot(x, y), ry: Math.hypot(x, y) }
    : { rx: x * Math.SQRT2, ry: y * Math.SQRT2 };
}

/** Pieces between two stops that differ in alpha; they approximate the premultiplied curve to about 1/255. */
const PIECES = 8;

/** Stops that give CSS Images 4 §3.4.2, premultiplied interpolation, when interpolated without premultiplication. */
function straightStops(stops: readonly GradientStop[]): readonly GradientStop[] {
  if (stops.every(({ color }) => color.a === stops[0]?.color.a)) return stops;
  const straight: GradientStop[] = [];
  for (const [i, stop] of stops.entries()) {
    const next = stops[i + 1];
    if (!next) {
      if (stop.color.a > 0 || straight.length === 0) straight.push(stop);
      continue;
    }
    const [a, b] = [stop.color, next.color];
    // A transparent end has no colour of its own and takes that of the other end.
    if (a.a === 0 || b.a === 0) {
      straight.push({ offset: stop.offset, color: a.a === 0 ? { ...b, a: 0 } : a });
      if (b.a === 0) straight.push({ offset: next.offset, color: { ...a, a: 0 } });
      continue;
    }
    const pieces = a.a === b.a ? 1 : PIECES;
    for (let piece = 0; piece < pieces; piece++) {
      const t = piece / pieces;
      straight.push({ offset: stop.offset + (next.offset - stop.offset) * t, color: premultipliedMix(a, b, t) });
    }
  }
  return straight;
}

function premultipliedMix(from: Color, to: Color, t: number): Color {
  const a = from.a * (1 - t) + to.a * t;
  if (a === 0) return { ...to, a };
  const channel = (p: number, q: number) => Math.round((p * from.a * (1 - t) + q * to.a * t) / a);
  return { r: channel(from.r, to.r), g: channel(from.g, to.g), b: channel(from.b, to.b), a };
}

/**
 * Brushes of operations that go into a transformed group, so that gradients keep their place on the canvas.
 *
 * @param move the transformation of the group
 */
export function keepBrushes(ops: readonly PaintOp[], move: Matrix): readonly PaintOp[] {
  const back = invert(move);
  if (!back) return ops;
  return ops.map((op): PaintOp => {
    if (op.kind === 'fill') return { ...op, brush: movedBrush(op.brush, back) };
    if (op.kind !== 'glyphs') return op;
    const outline = op.outline && { ...op.outline, brush: movedBrush(op.outline.brush, back) };
    return { ...op, brush: op.brush && movedBrush(op.brush, back), outline };
  });
}

/** @param matrix a rotation, translation and uniform scale; for a solid brush, any */
function movedBrush(brush: Brush, matrix: Matrix): Brush {
  switch (brush.kind) {
    case 'solid':
      return brush;
    case 'linear':
      return { ...brush, from: transformPoint(matrix, brush.from), to: transformPoint(matrix, brush.to) };
    case 'radial':
      return { ...brush, transform: multiply(matrix, brush.transform) };
    case 'conic': {
      const angle = brush.angle + (Math.atan2(matrix[1], matrix[0]) * 180) / Math.PI;
      return { ...brush, centre: transformPoint(matrix, brush.centre), angle };
    }
  }
}
