// Draws a sparkline: the line of one series over its whole box, with its area faint and its last value as a dot.

import type { Rect } from '../geometry.ts';
import type { ChartPen } from './chart-pen.ts';
import { areaPath, linePath } from './line-path.ts';
import { dotRadius, fading } from './plot.ts';

export function drawSparkline(pen: ChartPen, box: Rect): void {
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
