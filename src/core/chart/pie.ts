// Draws pies and rings: slices clockwise from the top, with a legend beside or below them.

import type { Color } from '../color.ts';
import type { Point, Rect } from '../geometry.ts';
import { ellipsePath } from '../paint/outline.ts';
import type { PathData, PathSegment } from '../path.ts';
import { type ChartPen, inkOn } from './chart-pen.ts';
import { leftOut } from './legend.ts';

const TURN = 2 * Math.PI;
/** px between two slices. */
const GAP = 2;
/** Of capitals, em. */
const CAPITAL = 0.73;
/** px */
const HAIR = 1;
/** Where a pie has the words of its slices, as a share of its radius. */
const WORDS = 0.64;

interface Slice {
  readonly label: string;
  readonly value: number;
  readonly color: Color;
}

export function drawPie(pen: ChartPen, box: Rect): void {
  const { node } = pen;
  const slices = node.entries.flatMap(({ label, values: [value = null], color }, i): Slice[] =>
    value !== null && value > 0 ? [{ label, value, color: color ?? pen.colorOf(i) }] : [],
  );
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  if (total <= 0) return;
  const isNamed = node.legendValues || slices.some(({ label }) => label !== '');
  const names = node.legend && isNamed ? slices : [];
  const room = names.length > 0 ? withLegend(pen, names, box) : box;
  const radius = Math.min(room.width, room.height) / 2;
  if (radius <= 0) return;
  const centre = { x: room.x + room.width / 2, y: room.y + room.height / 2 };
  const inner = radius * node.innerRadius;
  let angle = 0;
  for (const { value, color } of slices) {
    const sweep = (TURN * value) / total;
    // At least half of a thin slice is its own.
    const gap = slices.length > 1 ? Math.min(GAP, (radius * sweep) / 2) : 0;
    const [from = 0, to = 0] = [angle, angle + sweep].map((end) => pen.clockwise * end).sort((a, b) => a - b);
    pen.fill(slicePath(centre, radius, inner, from, to, gap), color);
    angle += sweep;
  }
  if (!node.showValues) return;
  const away = inner > 0 ? (radius + inner) / 2 : slices.length === 1 ? 0 : radius * WORDS;
  const most = slices.length === 1 ? 2 * radius : 1.8 * (inner > 0 ? radius - inner : radius - away);
  if (pen.widest(slices.map(({ value }) => pen.number(value))) > most) pen.shorten();
  angle = 0;
  for (const { value, color } of slices) {
    const sweep = (TURN * value) / total;
    const text = pen.number(value);
    const place = onCircle(centre, away, pen.clockwise * (angle + sweep / 2));
    const [width, height] = [pen.widthOf(text), node.style.fontSize * CAPITAL];
    const words = { x: place.x - width / 2, y: place.y - height / 2, width, height };
    const slice = { inner, radius, angle: pen.clockwise > 0 ? angle : -angle - sweep, sweep };
    const isIn = slices.length === 1 || isInSlice(words, centre, slice);
    if (isIn) pen.label(text, { ...place, anchor: 'middle', color: inkOn(color), ifFree: true });
    angle += sweep;
  }
}

/** Whether an area lies in a slice with a hair to spare. */
function isInSlice(
  { x, y, width, height }: Rect,
  centre: Point,
  slice: { readonly inner: number; readonly radius: number; readonly angle: number; readonly sweep: number },
): boolean {
  const [left, top] = [x - centre.x, y - centre.y];
  const nearest = (from: number, length: number) => Math.max(from, -from - length, 0);
  if (Math.hypot(nearest(left, width), nearest(top, height)) < slice.inner + HAIR) return false;
  return [left, left + width].every((dx) =>
    [top, top + height].every((dy) => {
      // Clockwise from the top, as the slice's angle.
      const turned = (Math.atan2(dx, -dy) - slice.angle + 2 * TURN) % TURN;
      return turned < slice.sweep && Math.hypot(dx, dy) < slice.radius - HAIR;
    }),
  );
}

/** Draws the names beside a wide box or below a high one, and returns the room for the pie. */
function withLegend(pen: ChartPen, slices: readonly Slice[], box: Rect): Rect {
  const { fontSize } = pen.node.style;
  const radius = fontSize * 0.36;
  const start = 2 * radius + fontSize * 0.5;
  const line = pen.line * 1.45;
  const isWide = box.width > box.height * 1.15;
  const most = isWide ? box.width * 0.5 : box.width;
  const amounts = pen.node.legendValues ? slices.map(({ value }) => pen.number(value)) : [];
  const forAmounts = amounts.length > 0 ? pen.widest(amounts) + fontSize : 0;
  const width = Math.min(most, start + pen.widest(slices.map(({ label }) => label)) + forAmounts);
  const lines = Math.max(0, Math.min(slices.length, Math.floor((isWide ? box.height : box.height * 0.5) / line)));
  const height = lines * line;
  const gap = fontSize * (isWide ? 2 : 1);
  const side = isWide ? Math.min(box.height, box.width - width - gap) : box.width;
  // The pie and its names are centred together.
  const left = isWide ? box.x + Math.max(0, box.width - side - gap - width) / 2 : box.x;
  const names = isWide
    ? { x: left + side + gap, y: box.y + (box.height - height) / 2 }
    : { x: box.x + (box.width - width) / 2, y: box.y + box.height - height };
  // The last line says how many names have none.
  const named = slices.length > lines && lines > 1 ? lines - 1 : lines;
  for (const [i, { label, color }] of slices.slice(0, named).entries()) {
    const y = names.y + line * (i + 0.5);
    pen.dot({ x: names.x + radius, y }, radius, color);
    pen.label(label, { x: names.x + start, y, anchor: 'start', most: Math.max(0, width - start - forAmounts + 0.5) });
    if (forAmounts > 0) pen.label(amounts[i] ?? '', { x: names.x + width, y, anchor: 'end' });
  }
  const more = { x: names.x + start, y: names.y + line * (named + 0.5), anchor: 'start' } as const;
  if (named < lines) pen.label(leftOut(slices.length - named), more);
  return isWide ? { ...box, x: left, width: side } : { ...box, height: Math.max(0, box.height - height - gap) };
}

/** @param angle radians clockwise from the top */
export const onCircle = ({ x, y }: Point, radius: number, angle: number): Point => ({
  x: x + radius * Math.sin(angle),
  y: y - radius * Math.cos(angle),
});

/**
 * A slice of a ring, or of a disc where `inner` is 0, whose straight sides lie `gap` / 2 inside its angles.
 *
 * @param from @param to radians clockwise from the top
 */
export function slicePath(
  centre: Point,
  outer: number,
  inner: number,
  from: number,
  to: number,
  gap: number,
): PathData {
  const sweep = to - from;
  if (sweep >= TURN - 1e-6) return ringPath(centre, outer, inner);
  const inset = (radius: number) => Math.min(sweep / 2, Math.asin(Math.min(1, gap / 2 / radius)));
  // Two sides at this distance from their angles meet here.
  const corner = sweep < Math.PI ? gap / 2 / Math.sin(sweep / 2) : 0;
  const hole = Math.max(inner, 0);
  const far = arc(centre, outer, from + inset(outer), to - inset(outer));
  const start = onCircle(centre, outer, from + inset(outer));
  if (hole <= corner) {
    const tip = onCircle(centre, Math.min(corner, outer), from + sweep / 2);
    return [['M', start.x, start.y], ...far, ['L', tip.x, tip.y], ['Z']];
  }
  const back = onCircle(centre, hole, to - inset(hole));
  const near = arc(centre, hole, to - inset(hole), from + inset(hole));
  return [['M', start.x, start.y], ...far, ['L', back.x, back.y], ...near, ['Z']];
}

function ringPath({ x, y }: Point, outer: number, inner: number): PathData {
  const disc = (radius: number) => ellipsePath({ x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius });
  if (inner <= 0) return disc(outer);
  // The hole runs the other way round.
  const start = onCircle({ x, y }, inner, 0);
  return [...disc(outer), ['M', start.x, start.y], ...arc({ x, y }, inner, 0, -TURN), ['Z']];
}

/** An arc from one angle to another as cubic curves of at most a quarter each. */
export function arc(centre: Point, radius: number, from: number, to: number): readonly PathSegment[] {
  const pieces = Math.max(1, Math.ceil(Math.abs(to - from) / (Math.PI / 2) - 1e-9));
  const step = (to - from) / pieces;
  const reach = (4 / 3) * Math.tan(step / 4);
  return Array.from({ length: pieces }, (_, i): PathSegment => {
    const [a, b] = [from + step * i, from + step * (i + 1)];
    const [p, q] = [onCircle(centre, radius, a), onCircle(centre, radius, b)];
    const control = (point: Point, angle: number, sign: number) => ({
      x: point.x + sign * reach * radius * Math.cos(angle),
      y: point.y + sign * reach * radius * Math.sin(angle),
    });
    const [c, d] = [control(p, a, 1), control(q, b, -1)];
    return ['C', c.x, c.y, d.x, d.y, q.x, q.y];
  });
}
