// The process that draws SVG from outside: a document in, its pixels out. It is ended from outside when it takes too long.
//
// It is handed sanitised documents alone, one at a time, and no environment but the fonts that it may use.

import { openSvg } from './open-image.ts';
import type { SvgAnswer, SvgTask } from './svg-process.ts';

async function draw({ document }: SvgTask): Promise<SvgAnswer> {
  try {
    return { pixels: await openSvg(document).ensureAlpha().toColourspace('srgb').raw().toBuffer() };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', async (task: SvgTask) => process.send?.(await draw(task)));
// Whoever started it is gone.
process.on('disconnect', () => process.exit());
