// A display list in, RGBA pixels out, by way of SVG. The door to resvg.

import type { DisplayList } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';

/** Device pixels, 8 bits a channel, row by row, no padding. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** RGBA, alpha premultiplied (what resvg hands out). */
  readonly pixels: Uint8Array;
}

/** @param scale device px per canvas px */
export async function rasterize(_list: DisplayList, _resources: Resources, _scale: number): Promise<Raster> {
  throw new Error('not built yet');
}
