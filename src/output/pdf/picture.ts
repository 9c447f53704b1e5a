// What the page shows of pixels: a picture, what it takes to make one, and the tools that are handed in for it.

import type { Rect, Size } from '#core/geometry.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import type { Pixels, Raster } from '#images/raster.ts';
import type { EncodedImage } from './encoded-image.ts';

/** The pixel work that writing a PDF needs done; handed in, for this folder knows no codec and no rasteriser. */
export interface PixelTools {
  /** Cuts `source` (whole image px) out of an image, upright and in sRGB, and scales it to `size`. */
  crop(image: ImageResource, source: Rect, size: Size): Promise<Pixels>;
  /** A JPEG file of RGB pixels, good enough to print. */
  encodeJpeg(rgb: Pixels): Promise<Uint8Array>;
  /** @param scale device px per canvas px */
  rasterize(list: DisplayList, resources: Resources, scale: number): Promise<Raster>;
}

export interface Picture {
  readonly image: EncodedImage;
  /** Where it lands, and what cuts it; in the coordinates of its operation, or within its group. */
  readonly place: Rect;
  readonly clip: Rect | null;
  /** It has no detail that a reader could lose by smoothing between its pixels. */
  readonly smooth: boolean;
}

/** By the operation that shows it; one without a picture shows nothing. */
export type Pictures = ReadonlyMap<PaintOp, Picture>;

/** A picture that is still to be made. */
export interface PictureJob extends Omit<Picture, 'image'> {
  /** Equal keys make equal pixels. */
  readonly key: string;
  encode(): Promise<EncodedImage>;
}

/** What a picture is made with. */
export interface PictureContext {
  readonly canvas: Size;
  readonly resources: Resources;
  readonly tools: PixelTools;
  /** The most pixels that are embedded to a canvas px, in each direction. */
  readonly density: number;
}
