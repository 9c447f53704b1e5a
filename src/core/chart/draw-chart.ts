// Draws a chart in its box as marks: paths and measured labels, which paint turns into operations.
//
// Apart from the other stages, because most pictures have no chart: it is loaded when a scene needs it.

import type { Rect } from '../geometry.ts';
import type { ChartNode } from '../resolve/scene.ts';
import type { DrawChart } from '../resources.ts';
import { ChartPen } from './chart-pen.ts';
import { drawProgress, drawStars } from './gauge.ts';
import { drawPie } from './pie.ts';
import { drawPlot } from './plot.ts';
import { drawSparkline } from './sparkline.ts';

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
