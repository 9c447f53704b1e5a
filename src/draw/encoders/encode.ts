// Encodes finished device pixels as a PNG, JPEG, WebP or AVIF file.
//
// Equal rasters and options give equal bytes in every process; no metadata is written.

import { AppError } from '#base/errors.ts';
import type { Size } from '#core/geometry.ts';
import { decoded, openPixels } from '#draw/images/open-image.ts';
import { borrowPixels, returnPixels } from '#draw/images/pixel-pool.ts';
import type { IndexedRaster, Pixels, Raster } from '#draw/images/raster.ts';
import { type ChromaSubsampling, chromaOf } from './chroma.ts';
import type { BandCache } from './png/band-cache.ts';
import { encodePng } from './png/encode-png.ts';
import { ensureMemory, KERNEL_BASE, openKernel } from './png/kernels.ts';
import { encodeWebp, encodeWebpWithAlpha } from './webp/encode-webp.ts';

export type RasterFormat = 'png' | 'jpeg' | 'webp' | 'avif';

export interface EncodeOptions {
  /** JPEG, WebP and AVIF, 0 to 100. */
  readonly quality: number;
  readonly compression: 'fast' | 'small';
  /** Of JPEG; absent = as the quality asks for. */
  readonly chromaSubsampling?: ChromaSubsampling | undefined;
}

/** Longest side that each file format can store, px. */
export const MAX_ENCODED_SIDE = { png: 65_535, jpeg: 65_500, webp: 16_383, avif: 16_384 } as const satisfies Record<
  RasterFormat,
  number
>;

/**
 * Most pixels of a WebP that the library encodes: it takes 19 bytes per pixel beyond the raster's four, where Platen's
 * own encoder takes next to none. So no WebP takes more than 400 MB.
 */
export const MOST_LIBRARY_WEBP = 16_000_000;

/**
 * Most pixels of an AVIF, those of 4K: its encoder takes 50 bytes per pixel, and up to a microsecond for each of them, and
 * cannot be stopped.
 */
const MOST_AVIF = 3_840 * 2_160;

/** Whether few pixels equal their left neighbour, judged on some 20,000 samples. */
function isPhotographic({ pixels }: Raster): boolean {
  const step = 4 * Math.max(1, Math.floor(pixels.length / 4 / 20_011));
  let equal = 0;
  let seen = 0;
  for (let at = step; at < pixels.length; at += step) {
    seen += 1;
    if (
      pixels[at] === pixels[at - 4] &&
      pixels[at + 1] === pixels[at - 3] &&
      pixels[at + 2] === pixels[at - 2] &&
      pixels[at + 3] === pixels[at - 1]
    )
      equal += 1;
  }
  return equal < seen / 2;
}

/**
 * Encodes a raster as a format with alpha.
 *
 * Platen's own PNG and WebP encoders are used where they take at most two thirds of the library's CPU time for files of
 * the same quality and size (`node bench/encoders/main.ts`), and for WebPs of more than `MOST_LIBRARY_WEBP`. JPEG, and
 * everything else with compression `small`, uses the library, as does AVIF.
 *
 * @throws AppError `invalid_request` when a side is longer than the format allows, an AVIF has more than `MOST_AVIF`
 *   pixels, or a WebP is too detailed for it
 */
export async function encodeRaster(
  raster: Raster,
  format: Exclude<RasterFormat, 'jpeg'>,
  { quality, compression }: EncodeOptions,
): Promise<Uint8Array> {
  checkSides(raster, format);
  if (format === 'avif') return encodeAvif(raster, qualityOf(quality), compression);
  if (format === 'webp' && raster.width * raster.height > MOST_LIBRARY_WEBP) return encodeLargeWebp(raster, quality);
  const isFast = compression === 'fast';
  const fast = format === 'png' ? await encodePng(raster) : await encodeWebp(raster, qualityOf(quality));
  if (isFast && fast) return fast;
  const searched = await encodeByLibrary(raster, format, qualityOf(quality), isFast);
  // For a photo, whose noise has no matches to find, the fast encoder's file may be smaller.
  return fast && fast.length <= searched.length ? fast : searched;
}

/** With the library's effort 2 a card takes four times as long as with 0. Higher ones, its default among them, take seconds. */
const AVIF_EFFORT = { fast: 0, small: 2 } as const satisfies Record<EncodeOptions['compression'], number>;

async function encodeAvif(
  raster: Raster,
  quality: number,
  compression: EncodeOptions['compression'],
): Promise<Uint8Array> {
  const { width, height } = raster;
  checkAvif(raster);
  const picture = openPixels(raster.pixels, { width, height, channels: 4, premultiplied: true });
  return decoded('picture', picture.avif({ quality, effort: AVIF_EFFORT[compression] }).toBuffer());
}

/** @throws AppError `invalid_request` */
export function checkAvif({ width, height }: Size): void {
  if (width * height <= MOST_AVIF) return;
  throw new AppError(
    'invalid_request',
    `An avif image can have at most ${inWords(MOST_AVIF)} px, and this has ${inWords(width * height)}; lower the scale, or choose png, jpeg or webp.`,
  );
}

const inWords = (pixels: number) => pixels.toLocaleString('en');

async function encodeLargeWebp(raster: Raster, quality: number): Promise<Uint8Array> {
  const file =
    (await encodeWebp(raster, qualityOf(quality))) ?? (await encodeWebpWithAlpha(raster, qualityOf(quality)));
  if (file) return file;
  const { width, height } = raster;
  throw new AppError(
    'invalid_request',
    `A webp image of ${width} × ${height} px cannot hold so much detail; lower quality or scale, or choose png or jpeg.`,
  );
}

/**
 * Encodes a picture as a PNG file, with Platen's own encoder.
 *
 * @param cache of the bands of rasters that have digests
 * @throws AppError `invalid_request` when a side is longer than PNG allows
 */
export async function encodeFastPng(picture: Raster | IndexedRaster, cache: BandCache): Promise<Uint8Array> {
  checkSides(picture, 'png');
  return encodePng(picture, cache);
}

/** Encodes opaque pixels as a JPEG file. @throws AppError `invalid_request` when a side is longer than JPEG allows */
export async function encodeJpeg(
  { data, ...raw }: Pixels,
  { quality, compression, chromaSubsampling: asked }: EncodeOptions,
): Promise<Uint8Array> {
  checkSides(raw, 'jpeg');
  const chromaSubsampling = chromaOf(quality, asked);
  const options = { quality: qualityOf(quality), optimiseCoding: compression === 'small', chromaSubsampling };
  return decoded('picture', openPixels(data, raw).jpeg(options).toBuffer());
}

function checkSides({ width, height }: Size, format: RasterFormat): void {
  if (Math.max(width, height) <= MAX_ENCODED_SIDE[format]) return;
  throw new AppError('invalid_request', `A ${format} image can be at most ${MAX_ENCODED_SIDE[format]} px a side.`);
}

/** The library's qualities start at 1; its 0 would mean "the default". */
const qualityOf = (quality: number) => Math.max(1, Math.round(quality));

async function encodeByLibrary(
  raster: Raster,
  format: 'png' | 'webp',
  quality: number,
  isFast: boolean,
): Promise<Uint8Array> {
  const { width, height } = raster;
  const packed = packOpaque(raster);
  const picture = packed
    ? openPixels(packed.rgb, { width, height, channels: 3 })
    : openPixels(raster.pixels, { width, height, channels: 4, premultiplied: true });
  const file =
    format === 'png'
      ? picture.png({ compressionLevel: 9, adaptiveFiltering: isPhotographic(raster) })
      : picture.webp({ quality, effort: isFast ? 0 : 4 });
  const bytes = await decoded('picture', file.toBuffer());
  // After a failed encoding the library may still be reading the pixels, so they are not released then.
  packed?.release();
  return bytes;
}

/** Encodes opaque pixels as a JPEG file of print quality. */
export async function encodePrintJpeg({ width, height, channels, data }: Pixels): Promise<Uint8Array> {
  const picture = openPixels(data, { width, height, channels }).removeAlpha();
  return decoded('picture', picture.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer());
}

// Converts an opaque raster to RGB. Encoders need three bytes per pixel, and libvips takes longer to drop the fourth
// than to encode the rest.

/** Pixels that the kernel converts at a time. */
const STEP = 16_384;

const kernel = openKernel();
ensureMemory(kernel, 8 * STEP);

/** RGB, row by row. */
interface PackedPixels {
  readonly rgb: Uint8Array;
  /** Releases the memory of `rgb`, which must not be read afterwards. */
  release(): void;
}

/** @returns null when some pixel is not opaque */
export function packOpaque({ pixels }: Raster): PackedPixels | null {
  const memory = new Uint8Array(kernel.memory.buffer, KERNEL_BASE);
  const packed = borrowPixels((pixels.length / 4) * 3);
  for (let at = 0; at < pixels.length; at += 4 * STEP) {
    const part = pixels.subarray(at, at + 4 * STEP);
    memory.set(part);
    if (kernel.packOpaque(KERNEL_BASE, part.length / 4, KERNEL_BASE + 4 * STEP) !== 255) {
      returnPixels(packed);
      return null;
    }
    packed.set(memory.subarray(4 * STEP, 4 * STEP + (part.length / 4) * 3), (at / 4) * 3);
  }
  return { rgb: packed, release: () => returnPixels(packed) };
}
