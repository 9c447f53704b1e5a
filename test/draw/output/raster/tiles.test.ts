// Tests that a canvas painted in small tiles looks the same as in one piece: nothing depends on tile borders.

import { expect, test } from 'vitest';
import { rasterize, rasterizeOnWhite } from '#draw/output/raster/rasterize.ts';
import { CASES } from '../../../golden/cases.ts';
import { canDraw, composed } from '../../../golden/render-case.ts';
import { farthest } from './kernels/kernel-memory.ts';

for (const found of CASES.filter(({ name }) => /^(effects|gradient|image|mask|shape)\//.test(name))) {
  test.skipIf(!canDraw(found))(found.name, async () => {
    const { list, resources } = await composed(found);
    const whole = await rasterize(list, resources, 1);
    const tiled = await rasterize(list, resources, 1, { tilePixels: 1 });
    expect(farthest(tiled.pixels, whole.pixels)).toBeLessThanOrEqual(1);
    const onWhite = await rasterizeOnWhite(list, resources, 1, { tilePixels: 1 });
    expect(farthest(onWhite.data, withoutAlpha(tiled.pixels))).toBe(0);
  });
}

/** RGB of premultiplied RGBA on white. */
function withoutAlpha(pixels: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((pixels.length / 4) * 3);
  for (let at = 0, to = 0; at < pixels.length; at += 4) {
    const white = 255 - (pixels[at + 3] ?? 0);
    for (let c = 0; c < 3; c++) rgb[to++] = (pixels[at + c] ?? 0) + white;
  }
  return rgb;
}
