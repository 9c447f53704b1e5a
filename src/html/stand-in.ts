// Stands for a picture in a page: a PNG of its size without pixels, which satori lays out and nothing draws.

import type { Size } from '#core/geometry.ts';
import { chunk } from '#encoders/png/chunk.ts';
import { base64Of } from '#platform/base64.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A PNG's first bytes: all that a layout reads of it. `index` makes it unlike any other. */
export function standInFor({ width, height }: Size, index: number): string {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  // Satori reads sixteen bits of each; more is allowed to no picture.
  view.setUint32(0, Math.max(1, Math.round(width)));
  view.setUint32(4, Math.max(1, Math.round(height)));
  header.set([8, 6, 0, 0, 0], 8);
  const name = new TextEncoder().encode(`platen\0image-${index}`);
  const parts = [chunk('IHDR', header), chunk('tEXt', name), chunk('IEND', new Uint8Array(0))];
  const png = Uint8Array.from([...SIGNATURE, ...parts.flatMap((part) => [...part])]);
  return `data:image/png;base64,${base64Of(png)}`;
}
