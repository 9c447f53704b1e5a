// The process that draws what may take long: SVG text of our own in, its pixels out. It is ended from outside.

import type { DrawingAnswer, DrawingTask } from './draw-svg-apart.ts';
import { drawSvgText } from './draw-svg-text.ts';

async function draw({ svg, size }: DrawingTask): Promise<DrawingAnswer> {
  try {
    return { pixels: (await drawSvgText(svg, size)).pixels };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', async (task: DrawingTask) => process.send?.(await draw(task)));
// Whoever started it is gone. To exit would wait for what is being drawn.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
