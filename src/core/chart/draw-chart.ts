// Draws a chart in its box as marks: paths and measured labels, which paint turns into operations.
//
// Apart from the other stages, because most pictures have no chart: it is loaded when a scene needs it.

import type { Rect } from '../geometry.ts';
import { outlinePath, rectPath, roundedRectPath } from '../paint/outline.ts';
import type { ChartNode } from '../resolve/scene.ts';
import type { DrawChart } from '../resources.ts';
import { ChartPen } from './chart-pen.ts';
import { areaPath, linePath } from './line-path.ts';
import { arc, drawPie, onCircle, slicePath } from './pie.ts';
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
