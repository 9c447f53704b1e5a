// Checks an untrusted image file and returns an image that can be drawn.
//
// The header is checked against the limits. Then every pixel is decoded once, so that a false header or a truncated
// file is found here, where the layer can still be named. With the look `header`, opaque pictures of most formats skip
// this, because decoding is most of the cost of a new photo; drawing then finds the error (scale.ts, `DamagedImage`).

import { AppError } from '#base/errors.ts';
import type { Size } from '#core/geometry.ts';
import type { ImageResource, OwnFit } from '#core/resources.ts';
import { type ImageFormat, isGzip, sniffFormat } from '#core/sniff.ts';
import { type DecodeCost, decodeCost, type ImageHeader, isTurnedJpeg } from './decode-cost.ts';
import { decodeImage } from './decode-image.ts';
import { gifFrameOf } from './gif-frame.ts';
import { MAX_DECODE_BYTES, MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from './limits.ts';
import { decoded, openImage } from './open-image.ts';
import { PdfFile, pageSize } from './pdf-file.ts';
import { readSvgImage } from './svg-image.ts';

/** An `ImageResource` without key and focus; `width` and `height` are those of the upright picture. */
export interface InspectedImage extends Size {
  readonly format: ImageFormat;
  /** The file unchanged; for an SVG, sanitised. */
  readonly bytes: Uint8Array;
  readonly hasAlpha: boolean;
  /** Set for an SVG without width and height. */
  readonly hasNoSize?: true;
  /** How an SVG fits into a box of other proportions; absent = stretched. */
  readonly ownFit?: OwnFit;
  /** Of an SVG, what a browser would show and is left out; absent = nothing. */
  readonly leftOut?: readonly string[];
}

/** How thoroughly a file is checked: `header` decodes pixels only where necessary. */
export type InspectionDepth = 'header' | 'pixels';

/** Formats whose decoders are fast enough, or can be killed, to run on an unchecked file during a render. */
const QUICK: readonly ImageFormat[] = ['jpeg', 'png', 'webp', 'avif'];

const NAMES = { png: 'PNG', jpeg: 'JPEG', webp: 'WebP', gif: 'GIF', avif: 'AVIF' } as const;
type RasterFormat = keyof typeof NAMES;

function refuse(message: string): never {
  throw new AppError('invalid_request', message);
}

/**
 * Reads an image file of unknown format.
 *
 * @throws AppError `invalid_request` with a sentence that says why it is not accepted
 */
export async function inspectImage(bytes: Uint8Array, look: InspectionDepth = 'pixels'): Promise<InspectedImage> {
  if (bytes.length === 0) refuse('The file is empty.');
  if (bytes.length > MAX_IMAGE_BYTES) refuse(`The file is larger than ${MAX_IMAGE_BYTES / 2 ** 20} MiB.`);
  const format = sniffFormat(bytes);
  if (format === null) {
    refuse(
      isGzip(bytes)
        ? 'The file is compressed with gzip: send the SVG itself.'
        : 'The file is not a PNG, JPEG, WebP, GIF, AVIF or SVG image.',
    );
  }
  if (format === 'pdf') return { format, hasAlpha: true, bytes, ...(await pdfPageSize(bytes, 1)) };
  if (format === 'svg') return { format, hasAlpha: true, ...(await readSvgImage(bytes)) };
  return inspectRaster(bytes, format, look);
}

/** The size of a page of a PDF, px. @throws AppError `invalid_request` when it cannot be shown */
export async function pdfPageSize(pdf: Uint8Array, page: number): Promise<Size> {
  return pageSize(await (await PdfFile.open(pdf)).page(page));
}

async function inspectRaster(bytes: Uint8Array, format: RasterFormat, look: InspectionDepth): Promise<InspectedImage> {
  const what = `${NAMES[format]} file`;
  const header = await readHeader(bytes, format, what);
  const { width, height } = header;
  if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) {
    refuse(`The ${what} is ${width} × ${height} px; at most ${MAX_IMAGE_SIDE} px a side are allowed.`);
  }
  if (width * height > MAX_IMAGE_PIXELS) {
    refuse(`The ${what} is ${width} × ${height} px; at most ${MAX_IMAGE_PIXELS / 1e6} million pixels are allowed.`);
  }
  const cost = weigh(bytes, header);
  if (cost.full > MAX_DECODE_BYTES) {
    const megabytes = Math.ceil(cost.full / 1e6);
    refuse(
      `The ${what} is ${width} × ${height} px and would take ${megabytes} MB to decode; at most ` +
        `${MAX_DECODE_BYTES / 1e6} MB are allowed. Make it smaller, or save it as a baseline JPEG or a plain PNG.`,
    );
  }
  if (look === 'header' && !header.hasAlpha && QUICK.includes(format)) {
    return { format, width, height, bytes, hasAlpha: false };
  }
  const file = { format, bytes, cost };
  const [isTranslucent] = await decodeImage(what, file, { want: 'opacity', hasAlpha: header.hasAlpha });
  return { format, width, height, bytes, hasAlpha: isTranslucent === 1 };
}

async function readHeader(bytes: Uint8Array, format: RasterFormat, what: string): Promise<ImageHeader> {
  const { autoOrient, hasAlpha, orientation = 1 } = await decoded(what, openImage(bytes).metadata());
  return { format, ...autoOrient, hasAlpha: hasAlpha || gifFrameOf(bytes) !== null, isTurned: orientation !== 1 };
}

/** By file, as long as it is in memory. */
const costs = new WeakMap<Uint8Array, DecodeCost>();

function weigh(bytes: Uint8Array, header: ImageHeader): DecodeCost {
  const cost = decodeCost(bytes, header);
  costs.set(bytes, cost);
  return cost;
}

/** The decoding cost of an inspected image; nothing for an SVG, which is drawn elsewhere. */
export function costOf(image: Pick<ImageResource, 'format' | 'bytes' | 'hasAlpha' | 'width' | 'height'>): DecodeCost {
  const { format, bytes } = image;
  if (format === 'svg' || format === 'pdf') return { full: 0, shrunk: 0 };
  return costs.get(bytes) ?? weigh(bytes, { ...image, format, isTurned: format !== 'jpeg' || isTurnedJpeg(bytes) });
}
