// A display list in, every picture that its page needs out, encoded: the awaiting before the drawing.
//
// A picture is what an image operation shows, or a group that PDF cannot express (a blur) drawn by the raster back end.
// One is made at a time, so that no more than one is in memory as pixels.

import { IDENTITY, type Matrix, multiply } from '#core/geometry.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { after, type ColorMatrix, recolouring } from './color-matrix.ts';
import type { EncodedImage } from './encoded-image.ts';
import { groupPicture } from './group-picture.ts';
import { imagePicture } from './image-picture.ts';
import type { Picture, PictureContext, PictureJob, Pictures, PixelTools } from './picture.ts';

/** @param density the most pixels that are embedded to a canvas px, in each direction */
export async function loadPictures(
  list: DisplayList,
  resources: Resources,
  tools: PixelTools,
  density: number,
): Promise<Pictures> {
  const encoded = new Map<string, EncodedImage>();
  const pictures = new Map<PaintOp, Picture>();
  for (const [op, { key, encode, ...placement }] of jobs(
    { canvas: list, resources, tools, density },
    list.ops,
    IDENTITY,
    null,
  )) {
    const image = encoded.get(key) ?? (await encode());
    encoded.set(key, image);
    pictures.set(op, { ...placement, image });
  }
  return pictures;
}

function* jobs(
  context: PictureContext,
  ops: readonly PaintOp[],
  toCanvas: Matrix,
  colorMatrix: ColorMatrix | null,
): Generator<readonly [PaintOp, PictureJob]> {
  for (const op of ops) {
    if (op.kind === 'image') {
      const job = imagePicture(context, op, toCanvas, colorMatrix);
      if (job) yield [op, job];
    } else if (op.kind === 'group' && op.opacity > 0) {
      const inner = multiply(toCanvas, op.transform);
      const matrix = recolouring(op);
      if (op.filters.length > 0 && !matrix) {
        const job = groupPicture(context, op, inner, colorMatrix);
        if (job) yield [op, job];
      } else yield* jobs(context, op.ops, inner, after(colorMatrix, matrix));
    }
  }
}
