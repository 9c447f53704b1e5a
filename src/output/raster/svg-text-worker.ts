// The process that draws what may take long: SVG text of our own in, its pixels out. It is ended from outside.

import { setPriority } from 'node:os';
import type { DrawingAnswer, DrawingTask } from './draw-svg-apart.ts';
import { drawSvgText } from './draw-svg-text.ts';

/** How much it gives way, as `nice` counts: more than a thread that draws what is soon done. */
const NICENESS = 10;

async function draw({ svg, size }: DrawingTask): Promise<DrawingAnswer> {
  try {
    return { pixels: (await drawSvgText(svg, size)).pixels };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

try {
  setPriority(NICENESS);
} catch {
  // A sandbox may forbid it; then nobody goes first.
}
process.on('message', async (task: DrawingTask) => process.send?.(await draw(task)));
// Whoever started it is gone. To exit would wait for what is being drawn.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
