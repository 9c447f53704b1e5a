// Tests that a canvas painted in small tiles looks the same as in one piece: nothing depends on tile borders.

import { expect, test } from 'vitest';
import { rasterize } from '#output/raster/rasterize.ts';
import { CASES } from '../../golden/cases.ts';
import { canDraw, composed } from '../../golden/render-case.ts';
import { farthest } from './kernels/kernel-memory.ts';

for (const found of CASES.filter(({ name }) => /^(effects|gradient|image|mask|shape)\//.test(name))) {
  test.skipIf(!canDraw(found))(found.name, async () => {
    const { list, resources } = await composed(found);
    const whole = await rasterize(list, resources, 1);
    const tiled = await rasterize(list, resources, 1, { tilePixels: 1 });
    expect(farthest(tiled.pixels, whole.pixels)).toBeLessThanOrEqual(1);
  });
}
