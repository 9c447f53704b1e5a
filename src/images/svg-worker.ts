// The process that draws untrusted SVG documents to pixels, or simplifies them. Its parent kills it when it takes too
// long.
//
// It gets sanitised documents only, one at a time, and its environment names nothing but the fonts that it may use.

import { openSvg } from './open-image.ts';
import type { SvgAnswer, SvgTask } from './svg-process.ts';

async function draw({ document, want }: SvgTask): Promise<SvgAnswer> {
  try {
    if (want === 'simplified') {
      const { simplifySvg } = await import('./simplify-svg.ts');
      return { simplified: simplifySvg(document) };
    }
    return { pixels: await openSvg(document).ensureAlpha().toColourspace('srgb').raw().toBuffer() };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', async (task: SvgTask) => process.send?.(await draw(task)));
// The parent process has ended.
process.on('disconnect', () => process.exit());
