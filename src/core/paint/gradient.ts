// Makes the brush of a fill, with coordinates computed from the box that it covers.
//
// CSS Images 3 and 4 define a gradient's line, circle or centre. Back ends interpolate colour and alpha separately, CSS
// interpolates premultiplied colours, so stops are added here until the two look the same.

import type { Color, GradientStop } from '../color.ts';
import { centreOf, type Point, type Rect } from '../geometry.ts';
import type { Fill } from '../resolve/scene.ts';
import type { Brush } from './display-list.ts';

type Radial = Extract<Fill, { kind: 'radial' }>;

/** The brush that fills `box` as CSS would. A gradient without extent is its last colour. */
export function brushFor(fill: Fill, box: Rect): Brush {
  if (fill.kind === 'solid') return fill;
  const stops = straightStops(fill.stops);
  const last: Brush = { kind: 'solid', color: fill.stops.at(-1)?.color ?? { r: 0, g: 0, b: 0, a: 0 } };
  if (fill.kind === 'linear') {
    const line = gradientLine(fill.angle, box);
    return line ? { kind: 'linear', ...line, stops } : last;
  }
  const centre = { x: box.x + fill.center.x * box.width, y: box.y + fill.center.y * box.height };
  if (fill.kind === 'conic') return { kind: 'conic', centre, angle: fill.angle, stops };
  const { rx, ry } = radii(fill, box, centre);
  return rx > 0 && ry > 0 ? { kind: 'radial', transform: [rx, 0, 0, ry, centre.x, centre.y], stops } : last;
}

export function isOpaqueBrush(brush: Brush): boolean {
  return brush.kind === 'solid' ? brush.color.a === 1 : brush.stops.every(({ color }) => color.a === 1);
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
  const channel = (p: number, q: number) => Math.round((p * from.a * (1 - t) + q * to.a * t) / a);
  return { r: channel(from.r, to.r), g: channel(from.g, to.g), b: channel(from.b, to.b), a };
}
