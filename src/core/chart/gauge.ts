// Draws what shows one value: a progress as a bar or a ring, and stars.

import type { Rect } from '../geometry.ts';
import { outlinePath, rectPath, roundedRectPath } from '../paint/outline.ts';
import type { ChartPen } from './chart-pen.ts';
import { arc, onCircle, slicePath } from './pie.ts';

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

export function drawProgress(pen: ChartPen, box: Rect): void {
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

export function drawStars(pen: ChartPen, box: Rect): void {
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
