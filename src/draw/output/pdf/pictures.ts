// Encodes every picture that a page needs, so that all awaiting is done before drawing, which is synchronous.
//
// A picture is the content of an image operation, or a group that PDF cannot express (a blur), drawn by the raster back
// end. They are made one at a time, so that at most one is in memory as pixels.

import { IDENTITY, type Matrix, multiply } from '#core/geometry.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { TooMuchToDraw } from '../raster/too-much-to-draw.ts';
import { after, type ColorMatrices } from './color-matrix.ts';
import type { EncodedImage } from './encoded-image.ts';
import { groupPicture } from './group-picture.ts';
import { imagePicture } from './image-picture.ts';
import type { Picture, PictureContext, PictureJob, Pictures, PixelTools } from './picture.ts';
import { Recolourings } from './recolouring.ts';

/** Encoded pictures by what determines them, so that those that pages share are encoded once. */
export type EncodedImages = Map<string, EncodedImage>;

/**
 * @param density most embedded pixels per canvas px, in each direction
 * @param encoded those of earlier pages, to which this page's are added
 * @throws TooMuchToDraw for the operation whose pictures took the most time; the signal's reason
 */
export async function loadPictures(
  list: DisplayList,
  resources: Resources,
  tools: PixelTools,
  density: number,
  signal?: AbortSignal,
  encoded: EncodedImages = new Map(),
): Promise<Pictures> {
  const recolourings = new Recolourings(resources.images);
  const context = { canvas: list, resources, recolourings, tools, density, signal };
  const pictures = new Map<PaintOp, Picture>();
  let slowest = { index: 0, took: -1 };
  for (const [index, whole] of list.ops.entries()) {
    if (whole.kind !== 'image' && whole.kind !== 'group') continue;
    const begun = performance.now();
    try {
      for (const [op, { key, encode, ...placement }] of jobs(context, [whole], IDENTITY, null)) {
        signal?.throwIfAborted();
        const image = encoded.get(key) ?? (await encode());
        encoded.set(key, image);
        pictures.set(op, { ...placement, image });
      }
    } catch (error) {
      if (!(error instanceof TooMuchToDraw)) throw error;
      const isSlowest = performance.now() - begun > slowest.took;
      throw new TooMuchToDraw(error.problem, { op: isSlowest ? index : slowest.index, cause: error });
    }
    const took = performance.now() - begun;
    if (took > slowest.took) slowest = { index, took };
  }
  return pictures;
}

function* jobs(
  context: PictureContext,
  ops: readonly PaintOp[],
  toCanvas: Matrix,
  colorMatrices: ColorMatrices | null,
): Generator<readonly [PaintOp, PictureJob]> {
  for (const op of ops) {
    if (op.kind === 'image') {
      const job = imagePicture(context, op, toCanvas, colorMatrices);
      if (job) yield [op, job];
    } else if (op.kind === 'group' && op.opacity > 0) {
      const inner = multiply(toCanvas, op.transform);
      if (op.mask) yield* jobs(context, op.mask, inner, null);
      if (context.recolourings.needsPixels(op)) {
        const job = groupPicture(context, op, inner, colorMatrices);
        if (job) yield [op, job];
      } else yield* jobs(context, op.ops, inner, after(colorMatrices, context.recolourings.of(op)));
    }
  }
}
