// Types for the pictures of a page: a picture, what it takes to make one, and the pixel tools that the caller supplies.

import type { Rect, Size } from '#core/geometry.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import type { Pixels, Raster } from '#draw/images/raster.ts';
import type { Canvas } from './canvas-space.ts';
import type { EncodedImage } from './encoded-image.ts';
import type { EncodedPaper } from './letter-paper.ts';
import type { Recolourings } from './recolouring.ts';

/**
 * The pixel operations that writing a PDF needs; supplied by the caller, because this folder has no codec and no
 * rasteriser.
 */
export interface PixelTools {
  /** Cuts `source` (whole image px) out of an image, upright and in sRGB, and scales it to `size`. */
  crop(image: ImageResource, source: Rect, size: Size): Promise<Pixels>;
  /** Encodes RGB pixels as a JPEG file of print quality. */
  encodeJpeg(rgb: Pixels): Promise<Uint8Array>;
  /** @param scale device px per canvas px */
  rasterize(list: DisplayList, resources: Resources, scale: number): Promise<Raster>;
}

export interface Picture {
  readonly image: EncodedImage | EncodedPaper;
  /** Its place and its clip, in the coordinates of its operation, or within its group. */
  readonly place: Rect;
  readonly clip: Rect | null;
  /** Whether readers may interpolate: the picture has no detail that smoothing could lose. */
  readonly smooth: boolean;
}

/** By the operation that shows it; an operation without a picture shows nothing. */
export type Pictures = ReadonlyMap<PaintOp, Picture>;

/** A picture that is still to be made. */
export interface PictureJob extends Omit<Picture, 'image'> {
  /** Equal keys make equal pixels. */
  readonly key: string;
  encode(): Promise<EncodedImage | EncodedPaper>;
}

/** What is needed to make a picture. */
export interface PictureContext {
  readonly canvas: Canvas;
  readonly resources: Resources;
  readonly recolourings: Recolourings;
  readonly tools: PixelTools;
  /** Most embedded pixels per canvas px, in each direction. */
  readonly density: number;
  /** Once it is aborted, pixels that are there are not encoded any more. */
  readonly signal?: AbortSignal | undefined;
}
