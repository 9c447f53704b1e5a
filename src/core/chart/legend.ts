// Draws the legend of a chart: a dot in the colour of each series, and its name, in as many lines as it needs. Where these
// would take the room of the chart, the last line ends with how many names are left out.

import type { Color } from '../color.ts';
import type { Rect } from '../geometry.ts';
import type { ChartPen } from './chart-pen.ts';

export interface LegendEntry {
  readonly name: string;
  readonly color: Color;
}

/** Room after a dot and between two entries, em. */
const [AFTER_DOT, BETWEEN] = [0.5, 1.5];
/** Of a line, em of the height of its letters. */
const LINE = 1.3;
/** The most of the chart's height that is the legend's, if that is a line at least. */
const MOST_HEIGHT = 0.4;

/** How many names are left out. */
export const leftOut = (count: number): string => `+${count}`;

/** @returns the rest of the box below the legend */
export function drawLegend(pen: ChartPen, entries: readonly LegendEntry[], box: Rect): Rect {
  if (entries.length === 0) return box;
  const { fontSize } = pen.node.style;
  const radius = fontSize * 0.36;
  const start = 2 * radius + AFTER_DOT * fontSize;
  const between = BETWEEN * fontSize;
  const lines = Math.max(1, Math.floor((box.height * MOST_HEIGHT) / (pen.line * LINE)));
  let placed = inLines(pen, entries, start, between, box.width);
  let rest = 0;
  if ((placed.at(-1)?.line ?? 0) >= lines) {
    const more = pen.widthOf(leftOut(entries.length)) + between;
    placed = inLines(pen, entries, start, between, box.width - more).filter(({ line }) => line < lines);
    rest = entries.length - placed.length;
  }
  const yOf = (line: number) => box.y + pen.line / 2 + line * pen.line * LINE;
  for (const { name, color, line, x, width } of placed) {
    pen.dot({ x: box.x + x + radius, y: yOf(line) }, radius, color);
    pen.label(name, { x: box.x + x + start, y: yOf(line), anchor: 'start', most: Math.max(0, width - start) });
  }
  const { x = 0, width = 0, line = 0 } = placed.at(-1) ?? {};
  if (rest > 0) pen.label(leftOut(rest), { x: box.x + x + width + between, y: yOf(line), anchor: 'start' });
  const bottom = Math.min(box.y + box.height, yOf(line) + pen.line / 2 + fontSize);
  return { ...box, y: bottom, height: box.y + box.height - bottom };
}

/** The entries with their place: a line from 0, and px from the left. */
function inLines(pen: ChartPen, entries: readonly LegendEntry[], start: number, between: number, most: number) {
  let [x, line] = [0, 0];
  return entries.map((entry) => {
    const width = Math.min(most, start + pen.widthOf(entry.name));
    if (x > 0 && x + width > most) [x, line] = [0, line + 1];
    const place = { ...entry, x, line, width };
    x += width + between;
    return place;
  });
}
