// Draws the legend of a chart: a dot in the colour of each series, and its name, in as many lines as it needs.

import type { Color } from '../color.ts';
import type { Rect } from '../geometry.ts';
import type { ChartPen } from './chart-pen.ts';

export interface LegendEntry {
  readonly name: string;
  readonly color: Color;
}

/** Room after a dot and between two entries, em. */
const [AFTER_DOT, BETWEEN] = [0.5, 1.5];

/** @returns the rest of the box below the legend */
export function drawLegend(pen: ChartPen, entries: readonly LegendEntry[], box: Rect): Rect {
  if (entries.length === 0) return box;
  const { fontSize } = pen.node.style;
  const radius = fontSize * 0.36;
  let [x, y] = [box.x, box.y + pen.line / 2];
  for (const { name, color } of entries) {
    const start = 2 * radius + AFTER_DOT * fontSize;
    const width = Math.min(box.width, start + pen.widthOf(name));
    if (x > box.x && x + width > box.x + box.width) {
      x = box.x;
      y += pen.line * 1.3;
    }
    pen.dot({ x: x + radius, y }, radius, color);
    pen.label(name, { x: x + start, y, anchor: 'start', most: Math.max(0, width - start) });
    x += width + BETWEEN * fontSize;
  }
  const bottom = Math.min(box.y + box.height, y + pen.line / 2 + fontSize);
  return { ...box, y: bottom, height: box.y + box.height - bottom };
}
