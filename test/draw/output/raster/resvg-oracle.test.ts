// Compares every fixture as we paint it with resvg's drawing: the same picture except for antialiasing and blurs, which
// are nearer to the true Gaussian here.

import { expect, test } from 'vitest';
import type { Raster } from '#draw/images/raster.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { CASES } from '../../../golden/cases.ts';
import { compareRasterizers } from '../../../golden/compare-rasterizers.ts';
import type { Picture } from '../../../golden/picture.ts';
import { canDraw, composed } from '../../../golden/render-case.ts';
import { countGlyphs } from '../../../golden/word-origins.ts';
import { drawByResvg } from './draw-by-resvg.ts';

/** The maximum of the mean difference of a channel, of 255. */
const MOST_MEAN = 1.7;

/** On white, as colours are compared there. */
function onWhite({ width, height, pixels }: Raster): Picture {
  const opaque = new Uint8Array(pixels.length).fill(255);
  for (let i = 0; i < pixels.length; i += 4) {
    const white = 255 - (pixels[i + 3] ?? 0);
    for (let c = 0; c < 3; c++) opaque[i + c] = Math.min(255, (pixels[i + c] ?? 0) + white);
  }
  return { width, height, pixels: opaque };
}

function meanDifference(a: Picture, b: Picture): number {
  let sum = 0;
  for (const [i, value] of a.pixels.entries()) sum += Math.abs(value - (b.pixels[i] ?? 0));
  return sum / a.pixels.length;
}

for (const found of CASES) {
  test.skipIf(!canDraw(found))(found.name, async () => {
    const { list, resources } = await composed(found);
    const ours = onWhite(await rasterize(list, resources, 1));
    const theirs = onWhite(await drawByResvg(list, resources));
    expect(compareRasterizers(ours, theirs, countGlyphs(list.ops)).agrees).toBe(true);
    expect(meanDifference(ours, theirs)).toBeLessThan(MOST_MEAN);
  });
}
