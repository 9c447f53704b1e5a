// Draws a chart in its box as marks: paths and measured labels, which paint turns into operations.
//
// Apart from the other stages, because most pictures have no chart: it is loaded when a scene needs it.

import type { Color } from '../color.ts';
import type { Point, Rect } from '../geometry.ts';
import { ellipsePath, outlinePath, rectPath, roundedRectPath } from '../paint/outline.ts';
import type { PathData, PathSegment } from '../path.ts';
import type { ChartNode } from '../resolve/scene.ts';
import type { DrawChart } from '../resources.ts';
import { ChartPen, inkOn } from './chart-pen.ts';
import { leftOut } from './legend.ts';
import { areaPath, linePath } from './line-path.ts';
import { dotRadius, drawPlot, fading } from './plot.ts';

const DRAW: Readonly<Record<ChartNode['chart'], (pen: ChartPen, box: Rect) => void>> = {
  bar: drawPlot,
  line: drawPlot,
  area: drawPlot,
  pie: drawPie,
  sparkline: drawSparkline,
  progress: drawProgress,
  stars: drawStars,
};

export const drawChart: DrawChart = (node, box, tools) => {
  const pen = new ChartPen(node, box, tools);
  if (node.entries.length > 0 && box.width > 0 && box.height > 0) DRAW[node.chart](pen, box);
  return pen.marks;
};

// Draws a sparkline: the line of one series over its whole box, with its area faint and its last value as a dot.

function drawSparkline(pen: ChartPen, box: Rect): void {
  const { node } = pen;
  const values = node.entries.map(({ values: [value = null] }) => value);
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return;
  const radius = dotRadius(pen);
  const [low, high] = [node.min ?? Math.min(...known), node.max ?? Math.max(...known)];
  const { x, width } = { x: box.x + radius, width: box.width - 2 * radius };
  const { y, height } = { y: box.y + radius, height: box.height - 2 * radius };
  if (width <= 0 || height <= 0) return;
  const share = (value: number) => (high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5);
  // A gap is bridged: there is no room to explain it.
  const points = values.flatMap((value, i) =>
    value === null ? [] : [{ x: x + (width * i) / Math.max(1, values.length - 1), y: y + height * (1 - share(value)) }],
  );
  const color = pen.colorOf(0);
  const floor = box.y + box.height;
  if (node.grid) {
    const below = points.map((point) => ({ x: point.x, y: floor }));
    pen.fill(areaPath(points, below, node.smooth), fading(color, Math.min(...points.map((point) => point.y)), floor));
  }
  pen.stroke(linePath(points, node.smooth), color, node.strokeWidth);
  const last = points.at(-1);
  if (last) pen.dot(last, radius, color);
}

// Draws what shows one value: a progress as a bar or a ring, and stars.

const TURN = 2 * Math.PI;
/** Of what is not filled, of the colour of labels. */
const TRACK = 0.14;
const STAR = { kind: 'star', tips: 5, innerRadius: 0.5 } as const;
/** Of the width, for a value whose digits are all written. */
const MOST_TEXT = 0.4;
/** Room between two stars, as a share of one. */
const BETWEEN_STARS = 0.16;

/** The first value, and the share of the scale up to it. */
function firstValue({ node }: ChartPen, most: number): { readonly value: number; readonly share: number } {
  const value = node.entries[0]?.values[0] ?? 0;
  const min = node.min ?? 0;
  const max = node.max ?? most;
  return { value, share: max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0 };
}

/** The value as it is written in or beside the chart; empty if it is not shown. */
function valueIn(pen: ChartPen, value: number, { width }: Rect): string {
  if (!pen.node.showValues) return '';
  if (pen.widthOf(pen.number(value)) > width * MOST_TEXT) pen.shorten();
  return pen.number(value);
}

function drawProgress(pen: ChartPen, box: Rect): void {
  const { node } = pen;
  const { value, share } = firstValue(pen, 100);
  const color = node.entries[0]?.color ?? pen.colorOf(0);
  const track = node.track ?? pen.faint(TRACK);
  const text = valueIn(pen, value, box);
  if (node.innerRadius > 0) {
    const radius = Math.min(box.width, box.height) / 2;
    const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    pen.fill(slicePath(centre, radius, radius * node.innerRadius, 0, TURN, 0), track);
    const width = radius * (1 - node.innerRadius);
    const middle = radius - width / 2;
    const start = onCircle(centre, middle, 0);
    if (share >= 1) pen.fill(slicePath(centre, radius, radius * node.innerRadius, 0, TURN, 0), color);
    else if (share > 0) {
      pen.stroke([['M', start.x, start.y], ...arc(centre, middle, 0, pen.clockwise * TURN * share)], color, width);
    }
    pen.label(text, { ...centre, anchor: 'middle', most: 2 * (radius - width) });
    return;
  }
  const room = text === '' ? 0 : pen.widthOf(text) + node.style.fontSize * 0.75;
  const whole = { ...box, width: box.width - room };
  if (whole.width <= 0) return;
  const radius = Math.min(whole.height, whole.width) / 2;
  const corners = { topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius };
  const path = roundedRectPath(whole, corners);
  pen.fill(path, track);
  if (share > 0) {
    // A short fill keeps its round end, and is cut where the track ends.
    const width = whole.width * share;
    const end = Math.max(width, whole.height);
    const filled = roundedRectPath({ ...whole, x: whole.x + width - end, width: end }, corners);
    pen.fill(filled, color, path);
  }
  pen.label(text, { x: box.x + box.width, y: box.y + box.height / 2, anchor: 'end' });
}

function drawStars(pen: ChartPen, box: Rect): void {
  const { node } = pen;
  const count = Math.min(20, Math.max(1, Math.round(node.max ?? 5)));
  const { value, share } = firstValue(pen, count);
  const color = node.entries[0]?.color ?? pen.colorOf(0);
  const track = node.track ?? pen.faint(TRACK * 1.4);
  const text = valueIn(pen, value, box);
  const room = text === '' ? 0 : pen.widthOf(text) + node.style.fontSize * 0.75;
  const side = Math.min(box.height, (box.width - room) / (count + (count - 1) * BETWEEN_STARS));
  if (side <= 0) return;
  const step = side * (1 + BETWEEN_STARS);
  const top = box.y + (box.height - side) / 2;
  const filled = share * count;
  for (let i = 0; i < count; i += 1) {
    const star = { x: box.x + i * step, y: top, width: side, height: side };
    // A star of five tips in a square leaves room below it.
    const path = outlinePath(STAR, { ...star, y: star.y + side * 0.045 });
    const part = Math.min(1, Math.max(0, filled - i));
    if (part < 1) pen.fill(path, track);
    if (part === 0) continue;
    pen.fill(path, color, part === 1 ? null : rectPath({ ...star, width: side * part, height: side * 1.1 }));
  }
  const after = box.x + (count - 1) * step + side + node.style.fontSize * 0.75;
  pen.label(text, { x: after, y: box.y + box.height / 2, anchor: 'start' });
}

// Draws pies and rings: slices clockwise from the top, with a legend beside or below them.
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

function drawPie(pen: ChartPen, box: Rect): void {
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
const onCircle = ({ x, y }: Point, radius: number, angle: number): Point => ({
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
function arc(centre: Point, radius: number, from: number, to: number): readonly PathSegment[] {
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
