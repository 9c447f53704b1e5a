// Draws charts with two axes: bars upright or lying, lines and areas, grouped or stacked.
//
// The frame comes first: numbers and labels are measured, what is left is the plot. Labels that would touch each other
// are left out evenly, so that those that are shown can be read.

import type { Color } from '../color.ts';
import type { Point, Rect } from '../geometry.ts';
import { rectPath, roundedRectPath, SHARP } from '../paint/outline.ts';
import { type ChartPen, inkOn } from './chart-pen.ts';
import { drawLegend } from './legend.ts';
import { areaPath, linePath } from './line-path.ts';
import { isShortExact, niceScale, type Scale } from './scale.ts';

/** Most of the width that the labels of lying bars may take. */
const LABELS = 0.4;
/** Most of the width that a label below the axis may take, if its share of the axis is smaller. */
const MOST_LABEL = 0.3;
/** Room between two of them, in font sizes. */
const LABELS_APART = 0.6;
/** Room that a label below the axis has at least, if half of the axis has it, in font sizes. */
const LEAST_LABEL = 5;
/** The longest numbers beside an axis whose digits are all written, as a share of the chart, and in font sizes. */
const [NUMBER_SHARE, MOST_NUMBER] = [0.25, 9];
/** Above this share of the highest value, a line's scale begins near its least value, not at 0. */
const FAR_FROM_ZERO = 0.5;

/** A part of a bar or an area, from one value to another. */
interface Segment {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly series: number;
  readonly color: Color;
  /** Whether no other lies beyond it. */
  readonly isOuter: boolean;
}

/** The segments of each entry. */
type Columns = readonly (readonly Segment[])[];

export function drawPlot(pen: ChartPen, box: Rect): void {
  const { node } = pen;
  const { series, chart } = node;
  const count = node.entries.reduce((most, { values }) => Math.max(most, values.length), 0);
  const named = node.legend ? series.slice(0, count) : [];
  const below = drawLegend(
    pen,
    named.map((name, i) => ({ name, color: pen.colorOf(i) })),
    box,
  );
  if (count === 0 || below.height <= 0) return;
  const columns = node.entries.map(({ values, color }) => segmentsOf(pen, values, color));
  const isLying = chart === 'bar' && node.horizontal;
  const frame = isLying ? lyingFrame(pen, below, columns) : uprightFrame(pen, below, columns);
  if (frame.plot.width <= 0 || frame.plot.height <= 0) return;
  if (chart === 'bar') drawBars(pen, frame, columns, isLying);
  else drawLines(pen, frame, columns, count);
}

/** The plot, its scale, and the places of entries along it. */
interface Frame {
  readonly plot: Rect;
  readonly scale: Scale;
  /** px of a value: from the top, or from the left if bars lie. */
  readonly at: (value: number) => number;
  /** Where each entry has its middle, px. */
  readonly middles: readonly number[];
  /** Room of each entry, px. */
  readonly band: number;
}

function segmentsOf(pen: ChartPen, values: readonly (number | null)[], own: Color | null): readonly Segment[] {
  const { node } = pen;
  const isStacked = node.stacked && node.chart !== 'line';
  const sums = { up: 0, down: 0 };
  const segments = values.flatMap((value, series): Segment[] => {
    if (value === null) return [];
    const color = own ?? pen.colorOf(series);
    if (!isStacked) return [{ from: 0, to: value, value, series, color, isOuter: true }];
    const side = value < 0 ? 'down' : 'up';
    const from = sums[side];
    sums[side] += value;
    return [{ from, to: sums[side], value, series, color, isOuter: false }];
  });
  if (!isStacked) return segments;
  const outer = [Math.max(0, ...segments.map(({ to }) => to)), Math.min(0, ...segments.map(({ to }) => to))];
  return segments.map((segment) => ({ ...segment, isOuter: outer.includes(segment.to) }));
}

/**
 * @param room px of each tick
 * @param isTight whether it ends at the highest value, as nothing says where its ticks are
 */
function scaleOf({ node }: ChartPen, columns: Columns, length: number, room: number, isTight = false): Scale {
  const ends = columns.flatMap((column) => column.map(({ to }) => to));
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const fromZero =
    node.chart !== 'line' ||
    low * high <= 0 ||
    low === high ||
    Math.min(Math.abs(low), Math.abs(high)) < FAR_FROM_ZERO * Math.max(Math.abs(low), Math.abs(high));
  const count = Math.min(8, Math.max(1, Math.floor(length / room)));
  const max = node.max ?? (isTight && high > 0 ? high : null);
  return niceScale(fromZero ? [...ends, 0] : ends, count, { min: node.min, max });
}

function uprightFrame(pen: ChartPen, box: Rect, columns: Columns): Frame {
  const { node } = pen;
  const { fontSize } = node.style;
  const labels = node.entries.map(({ label }) => label);
  const hasLabels = node.axes && labels.some((label) => label !== '');
  const dot = node.dots ? dotRadius(pen) : node.strokeWidth / 2;
  // Half a line for the number at the top tick, or a whole one for values above what they are of.
  const top = node.showValues ? pen.line * 1.25 : node.axes ? pen.line / 2 : node.chart === 'bar' ? 0 : dot;
  const bottom = hasLabels ? pen.line + fontSize * 0.6 : node.axes ? pen.line / 2 : node.chart === 'bar' ? 0 : dot;
  const height = box.height - top - bottom;
  const scale = scaleOf(pen, columns, height, fontSize * 3.4);
  const numbersOf = () => (node.axes ? scale.ticks.map((tick) => pen.number(tick, scale.step)) : []);
  const isBar = node.chart === 'bar';
  const isTooLong = pen.widest(numbersOf()) > longest(pen, box);
  if ((isTooLong || widestValue(pen, columns) > roomOfValue(pen, box, columns)) && isShortExact(scale)) pen.shorten();
  const numbers = numbersOf();
  const left = node.axes ? pen.widest(numbers) + fontSize * 0.75 : 0;
  const middlesIn = (from: number, width: number) =>
    columns.map((_, i) => {
      const share = isBar ? (i + 0.5) / columns.length : columns.length === 1 ? 0.5 : i / (columns.length - 1);
      return from + width * share;
    });
  // The labels of lines are centred below their points, the last of which lies at the edge.
  const room = fontSize * LABELS_APART;
  const along = box.width - left;
  const least = Math.max(along * MOST_LABEL, Math.min(along / 2, fontSize * LEAST_LABEL));
  const most = Math.max(along / Math.max(1, columns.length) - room, least);
  const widths = labels.map((label) => Math.min(most, pen.widthOf(label)));
  const shown = hasLabels ? shownLabels(widths, room, middlesIn(0, along), along) : [];
  const overhang = (i: number) => (shown.includes(i) ? (widths[i] ?? 0) / 2 : 0);
  const ends = isBar ? 0 : Math.max(dot, overhang(labels.length - 1));
  const begin = isBar ? 0 : Math.max(dot, overhang(0) - left);
  const plot = { x: box.x + left + begin, y: box.y + top, width: box.width - left - begin - ends, height };
  const at = (value: number) => plot.y + height * (1 - shareOf(scale, value));
  const band = plot.width / Math.max(1, isBar ? columns.length : columns.length - 1);
  const middles = middlesIn(plot.x, plot.width);
  if (plot.width <= 0 || height <= 0) return { plot, scale, at, middles, band };

  const [lineFrom, lineTo] = [box.x + left, box.x + box.width];
  for (const [i, tick] of scale.ticks.entries()) {
    const y = sharp(at(tick));
    const isBase = tick === 0 || (tick === scale.min && tick > 0);
    if (node.grid || (isBase && node.axes)) {
      const path = rectPath({ x: lineFrom, y: y - 0.5, width: lineTo - lineFrom, height: 1 });
      pen.fill(path, pen.faint(isBase ? 0.45 : 0.16));
    }
    pen.label(numbers[i] ?? '', { x: lineFrom - fontSize * 0.75, y, anchor: 'end' });
  }
  if (hasLabels) {
    const y = plot.y + height + fontSize * 0.6 + pen.line / 2;
    for (const i of shownLabels(widths, room, middles, box.x + box.width)) {
      pen.label(labels[i] ?? '', { x: middles[i] ?? 0, y, anchor: 'middle', most });
    }
  }
  return { plot, scale, at, middles, band };
}

function lyingFrame(pen: ChartPen, box: Rect, columns: Columns): Frame {
  const { node } = pen;
  const { fontSize } = node.style;
  const labels = node.axes ? node.entries.map(({ label }) => label) : [];
  const most = box.width * LABELS;
  const widest = Math.min(most, pen.widest(labels));
  const left = widest > 0 ? widest + fontSize * 0.75 : 0;
  const hasNumbers = node.axes && !node.showValues;
  const bottom = hasNumbers ? pen.line + fontSize * 0.4 : 0;
  const scaleIn = (width: number, room: number) => scaleOf(pen, columns, width, room, node.showValues);
  const rough = scaleIn(box.width - left, fontSize * 6);
  const numbersOf = ({ ticks, step }: Scale) => (hasNumbers ? ticks.map((tick) => pen.number(tick, step)) : []);
  const isTooLong = Math.max(pen.widest(numbersOf(rough)), widestValue(pen, columns)) > longest(pen, box);
  if (isTooLong && isShortExact(rough)) pen.shorten();
  const beyond = widestValue(pen, columns) + fontSize * 0.6;
  // Without room for both, the bars are shown rather than their values.
  const showsValues = node.showValues && box.width - left - beyond > fontSize;
  const width = box.width - left - (showsValues ? beyond : 0);
  const scale = scaleIn(width, Math.max(fontSize * 6, pen.widest(numbersOf(rough)) + fontSize * 2));
  const numbers = numbersOf(scale);
  const right = hasNumbers ? pen.widthOf(numbers.at(-1) ?? '') / 2 : 0;
  const plot = { x: box.x + left, y: box.y, width: width - right, height: box.height - bottom };
  const at = (value: number) => plot.x + plot.width * shareOf(scale, value);
  const band = plot.height / columns.length;
  const middles = columns.map((_, i) => plot.y + band * (i + 0.5));
  if (plot.width <= 0 || plot.height <= 0) return { plot, scale, at, middles, band };
  for (const [i, tick] of scale.ticks.entries()) {
    const x = sharp(at(tick));
    const isBase = tick === 0 || (tick === scale.min && tick > 0);
    if ((node.grid && !node.showValues) || (isBase && node.axes && !node.track)) {
      const path = rectPath({ x: x - 0.5, y: plot.y, width: 1, height: plot.height });
      pen.fill(path, pen.faint(isBase ? 0.45 : 0.16));
    }
    const y = plot.y + plot.height + fontSize * 0.4 + pen.line / 2;
    pen.label(numbers[i] ?? '', { x, y, anchor: 'middle', ifFree: true });
  }
  for (const [i, label] of labels.entries()) {
    pen.label(label, { x: box.x + widest, y: middles[i] ?? 0, anchor: 'end', most, ifFree: true });
  }
  return { plot, scale, at, middles, band };
}

/** px of the longest number beside an axis, or of the longest value beside a lying bar. */
const longest = ({ node }: ChartPen, { width }: Rect) =>
  Math.min(width * NUMBER_SHARE, node.style.fontSize * MOST_NUMBER);

/** px; 0 if they are not shown */
const widestValue = (pen: ChartPen, columns: Columns) =>
  pen.node.showValues ? pen.widest(columns.flatMap((column) => column.map(({ value }) => pen.number(value)))) : 0;

/** px that a value has above an upright bar, in its part of a stacked one, or at a point of a line. */
function roomOfValue({ node }: ChartPen, { width }: Rect, columns: Columns): number {
  const room = width / Math.max(1, columns.length);
  if (node.chart !== 'bar') return room;
  return node.stacked ? room * (1 - node.gap) - node.style.fontSize * 0.6 : room / lanesOf(columns);
}

/** How many bars stand beside each other in the room of an entry that is not stacked. */
const lanesOf = (columns: Columns) =>
  columns.reduce((most, column) => Math.max(most, ...column.map(({ series }) => series + 1)), 1);

const shareOf = ({ min, max }: Scale, value: number) => (Math.min(max, Math.max(min, value)) - min) / (max - min);

/** A line of 1 px about this place covers whole pixels of the canvas. */
const sharp = (position: number) => Math.floor(position) + 0.5;

/** Every n-th label, such that none comes closer to the next than `room`. @param right where the last one has to end, px */
function shownLabels(
  widths: readonly number[],
  room: number,
  middles: readonly number[],
  right: number,
): readonly number[] {
  for (let step = 1; step < widths.length; step += 1) {
    const shown = widths.flatMap((_, i) => (i % step === 0 ? [i] : []));
    const isFree = shown.every((index, i) => {
      const before = shown[i - 1];
      if (before === undefined) return true;
      const gap = Math.min(middles[index] ?? 0, right - (widths[index] ?? 0) / 2) - (middles[before] ?? 0);
      return gap >= ((widths[index] ?? 0) + (widths[before] ?? 0)) / 2 + room;
    });
    if (isFree) return shown;
  }
  return [0];
}

function drawBars(pen: ChartPen, frame: Frame, columns: Columns, isLying: boolean): void {
  const { node } = pen;
  const { plot, scale, at, middles, band } = frame;
  const isStacked = node.stacked;
  const lanes = isStacked ? 1 : lanesOf(columns);
  const whole = band * (1 - node.gap);
  const between = lanes > 1 ? Math.min(2, whole / lanes / 4) : 0;
  const thick = (whole - between * (lanes - 1)) / lanes;
  const base = Math.min(scale.max, Math.max(scale.min, 0));
  const place = (along: number, from: number, to: number): Rect => {
    const [low, high] = from < to ? [from, to] : [to, from];
    return isLying
      ? { x: low, y: along, width: high - low, height: thick }
      : { x: along, y: low, width: thick, height: high - low };
  };
  const bars: Bar[] = [];
  for (const [i, column] of columns.entries()) {
    for (const { from, to, value, series, color, isOuter } of column) {
      const along = (middles[i] ?? 0) - whole / 2 + (isStacked ? 0 : series * (thick + between));
      const [start, end] = [at(isStacked ? from : base), at(to)];
      if (node.track) {
        const track = isLying ? [plot.x, plot.x + plot.width] : [plot.y, plot.y + plot.height];
        pen.fill(roundedRectPath(place(along, track[0] ?? 0, track[1] ?? 0), cornersOf(node.borderRadius)), node.track);
      }
      const bar = place(along, start, end);
      const radius = isOuter ? Math.min(node.borderRadius, thick / 2, Math.abs(end - start)) : 0;
      pen.fill(roundedRectPath(bar, node.track ? cornersOf(radius) : outerCorners(radius, isLying, value < 0)), color);
      const isBeyond = isLying && !isStacked && node.track !== null && value >= 0;
      bars.push({ area: isBeyond ? { ...bar, width: plot.x + plot.width - bar.x } : bar, value, color });
    }
  }
  if (!node.showValues) return;
  const obstacles = isStacked ? [] : bars.map(({ area }) => area);
  for (const bar of bars) barLabel(pen, bar, isLying, obstacles);
}

interface Bar {
  /** With its track, where the value stands beyond it. */
  readonly area: Rect;
  readonly value: number;
  readonly color: Color;
}

const cornersOf = (radius: number) => ({
  topLeft: radius,
  topRight: radius,
  bottomRight: radius,
  bottomLeft: radius,
});

/** The corners at the end of a bar. */
function outerCorners(radius: number, isLying: boolean, isNegative: boolean) {
  if (isLying) {
    return isNegative
      ? { ...SHARP, topLeft: radius, bottomLeft: radius }
      : { ...SHARP, topRight: radius, bottomRight: radius };
  }
  return isNegative
    ? { ...SHARP, bottomLeft: radius, bottomRight: radius }
    : { ...SHARP, topLeft: radius, topRight: radius };
}

/** @param obstacles the bars, on which no value stands that is not their own */
function barLabel(pen: ChartPen, { area: bar, value, color }: Bar, isLying: boolean, obstacles: readonly Rect[]): void {
  const text = pen.number(value);
  const { stacked, style } = pen.node;
  const { fontSize } = style;
  const middle = { x: bar.x + bar.width / 2, y: bar.y + bar.height / 2 };
  if (stacked) {
    const fits = bar.width >= pen.widthOf(text) + fontSize * 0.6 && bar.height >= pen.line;
    if (fits) pen.label(text, { ...middle, anchor: 'middle', color: inkOn(color) });
    return;
  }
  const isNegative = value < 0;
  if (isLying) {
    const x = isNegative ? bar.x - fontSize * 0.5 : bar.x + bar.width + fontSize * 0.5;
    pen.label(text, { x, y: middle.y, anchor: isNegative ? 'end' : 'start', ifFree: true, obstacles });
    return;
  }
  const y = isNegative ? bar.y + bar.height + pen.line * 0.65 : bar.y - pen.line * 0.65;
  pen.label(text, { x: middle.x, y, anchor: 'middle', ifFree: true, obstacles });
}

export const dotRadius = ({ node }: ChartPen): number => Math.max(2.5, node.strokeWidth * 1.3);

function drawLines(pen: ChartPen, frame: Frame, columns: Columns, count: number): void {
  const { node } = pen;
  const { at, middles, scale } = frame;
  const floor = at(Math.min(scale.max, Math.max(scale.min, 0)));
  const lines = Array.from({ length: count }, (_, series) => stretchesOf(columns, series, middles, at));
  if (node.chart === 'area') {
    for (const [series, stretches] of lines.entries()) {
      const color = pen.colorOf(series);
      for (const stretch of stretches) {
        const below = node.stacked
          ? stretch.map(({ x, from }) => ({ x, y: at(from) }))
          : stretch.map(({ x }) => ({ x, y: floor }));
        const top = Math.min(...stretch.map(({ y }) => y));
        const path = areaPath(stretch, below, node.smooth);
        pen.fill(path, node.stacked ? { ...color, a: color.a * 0.85 } : fading(color, top, floor));
      }
    }
  }
  for (const [series, stretches] of lines.entries()) {
    const color = pen.colorOf(series);
    for (const stretch of stretches) {
      if (node.chart === 'line' || !node.stacked) {
        pen.stroke(linePath(stretch, node.smooth), color, node.strokeWidth);
      }
      // A value between two gaps would not be seen.
      for (const point of stretch) if (node.dots || stretch.length === 1) pen.dot(point, dotRadius(pen), color);
    }
  }
  if (node.showValues) lineLabels(pen, lines.flat(1), frame.plot);
}

/**
 * Writes each value above its point, or below it, where no line, no other label and not the axis is in its way, and no
 * point of another line that it would seem to be of.
 */
function lineLabels(pen: ChartPen, stretches: readonly (readonly Stop[])[], plot: Rect): void {
  const { x: left, width } = plot;
  const bottom = plot.y + plot.height;
  const axis: [Point, Point] = [
    { x: left, y: bottom },
    { x: left + width, y: bottom },
  ];
  const stops = stretches.flat();
  const obstacles = [
    axis,
    ...stretches.flatMap((stretch) => stretch.slice(1).map((to, i) => [stretch[i] ?? to, to] satisfies [Point, Point])),
  ];
  for (const stretch of stretches) {
    for (const [i, { x, y, value }] of stretch.entries()) {
      const text = pen.number(value);
      const half = pen.widthOf(text) / 2;
      const at = Math.max(left + Math.min(half, width / 2), Math.min(left + width - half, x));
      const [before = y, after = y] = [stretch[i - 1]?.y, stretch[i + 1]?.y];
      const away = before + after < 2 * y ? 0.85 : -0.85;
      const place = (side: number) =>
        ({ x: at, y: y + side * pen.line, anchor: 'middle', ifFree: true, obstacles }) as const;
      const isOwn = (side: number) =>
        !stops.some((other) => other.x === x && (other.y - y) * side > 0 && Math.abs(other.y - y) < 1.5 * pen.line);
      [away, -away].some((side) => isOwn(side) && pen.label(text, place(side)));
    }
  }
}

interface Stop extends Point {
  readonly value: number;
  /** Of a stacked area: the value on which it lies. */
  readonly from: number;
}

/** The points of a series from gap to gap. */
function stretchesOf(
  columns: Columns,
  series: number,
  middles: readonly number[],
  at: (value: number) => number,
): readonly (readonly Stop[])[] {
  const stretches: Stop[][] = [[]];
  for (const [i, column] of columns.entries()) {
    const segment = column.find((one) => one.series === series);
    if (!segment) stretches.push([]);
    else stretches.at(-1)?.push({ x: middles[i] ?? 0, y: at(segment.to), value: segment.value, from: segment.from });
  }
  return stretches.filter(({ length }) => length > 0);
}

/** A colour that fades from a line to the floor below it. */
export function fading(color: Color, top: number, floor: number) {
  const faded = (alpha: number) => ({ ...color, a: color.a * alpha });
  if (Math.abs(floor - top) < 0.01) return faded(0.2);
  return {
    kind: 'linear',
    from: { x: 0, y: top },
    to: { x: 0, y: floor },
    stops: [
      { offset: 0, color: faded(0.32) },
      { offset: 1, color: faded(0.03) },
    ],
  } as const;
}
