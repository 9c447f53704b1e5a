// Draws a chart in its box as marks: paths and measured labels, which paint turns into operations.
//
// Apart from the other stages, because most pictures have no chart: it is loaded when a scene needs it.

import type { Rect } from '../geometry.ts';
import type { ChartNode } from '../resolve/scene.ts';
import type { DrawChart } from '../resources.ts';
import { ChartPen } from './chart-pen.ts';
import { drawProgress, drawStars } from './gauge.ts';
import { areaPath, linePath } from './line-path.ts';
import { drawPie } from './pie.ts';
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
