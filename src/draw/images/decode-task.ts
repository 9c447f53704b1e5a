// Decoding tasks as plain data, and their execution with libvips, in this process or another.

import type { Sharp } from 'sharp';
import type { Size } from '#core/geometry.ts';
import { sniffFormat } from '#core/sniff.ts';
import { type ColorTag, colorTagOf, toSrgb } from './color-tags.ts';
import { gifFrameOf } from './gif-frame.ts';
import { openImage, openPixels, sharpLibrary } from './open-image.ts';
import type { Pixels } from './raster.ts';

/** Whole px. */
interface Region extends Size {
  readonly left: number;
  readonly top: number;
}

/** How a raster is cropped: whole pixels of the file, the size to which they are scaled, whole pixels of the result. */
export interface Cuts {
  readonly before: Region | null;
  readonly scaled: Size;
  readonly after: Region | null;
}

/** Pixels with the picture's channels, pixels with alpha, or an uncompressed PNG file. */
export type PixelForm = 'pixels' | 'rgba' | 'png';

export type DecodeTask =
  /** Decodes every row. Returns 1 when a pixel is not opaque, else 0. */
  | { readonly want: 'opacity'; readonly hasAlpha: boolean }
  | {
      readonly want: 'picture';
      readonly hasAlpha: boolean;
      readonly cuts: Cuts;
      readonly form: PixelForm;
      /** Whether the decoder can skip detail while it reads. */
      readonly shrinks: boolean;
    }
  /** Returns two numbers: the offset of the best crop of this size from the left and the top. */
  | { readonly want: 'focus'; readonly crop: Size; readonly by: 'attention' | 'entropy' };

type PictureTask = Extract<DecodeTask, { want: 'picture' }>;

export type DecodeAnswer = Uint8Array | readonly number[];

/**
 * @param seconds time limit
 * @throws Error with libvips's message when the file cannot be decoded
 */
export function performDecode(file: Uint8Array, task: DecodeTask, seconds: number): Promise<DecodeAnswer> {
  switch (task.want) {
    case 'opacity':
      // What a GIF's first frame leaves of the canvas is transparent, which libvips does not tell.
      if (gifFrameOf(file) !== null) return decodeAll(openImage(file, seconds)).then(() => [1]);
      return task.hasAlpha ? isTranslucent(openImage(file, seconds)) : decodeAll(openImage(file, seconds));
    case 'picture':
      return drawPart(file, task, seconds);
    case 'focus':
      return bestCrop(openImage(file, seconds), task.crop, task.by);
  }
}

async function drawPart(file: Uint8Array, task: PictureTask, seconds: number): Promise<Uint8Array> {
  const { cuts, form, hasAlpha } = task;
  const frame = gifFrameOf(file);
  const opened = frame ? await onCanvas(openImage(file, seconds), frame) : openImage(file, seconds);
  const cut = cutOut(opened, cuts);
  const tag = colorTagOf(sniffFormat(file) ?? '', file);
  return tag ? converted(hasAlpha ? cut.ensureAlpha() : cut.removeAlpha(), tag, form) : inForm(cut, form, hasAlpha);
}

/** The whole canvas, transparent around the frame. */
async function onCanvas(file: Sharp, { left, top, width, height }: Region): Promise<Sharp> {
  const { data, info } = await file
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  for (let y = 0; y < info.height; y++) {
    const [start, end] = [4 * y * info.width, 4 * (y + 1) * info.width];
    const isBeside = y < top || y >= top + height;
    data.fill(0, start, isBeside ? end : start + 4 * left);
    if (!isBeside) data.fill(0, Math.min(end, start + 4 * (left + width)), end);
  }
  return openPixels(data, { width: info.width, height: info.height, channels: 4 });
}

async function converted(cut: Sharp, tag: ColorTag, form: PixelForm): Promise<Uint8Array> {
  const { data, info } = await cut.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const channels = info.channels as 3 | 4;
  toSrgb(data, channels, tag);
  return form === 'pixels'
    ? data
    : writeIn(form, openPixels(data, { width: info.width, height: info.height, channels }));
}

/**
 * Decodes every row and keeps next to nothing. JPEG and WebP decode at a fraction of their size, but read the whole
 * file.
 */
async function decodeAll(file: Sharp): Promise<[0]> {
  await file.resize(32, 32, { fit: 'fill' }).raw().toBuffer();
  return [0];
}

/** Reads the alpha channel, which is often fully opaque; the picture can then be stored without it. */
async function isTranslucent(file: Sharp): Promise<[0 | 1]> {
  const alpha = await file.extractChannel('alpha').raw({ depth: 'uchar' }).toBuffer();
  for (let at = 0; at < alpha.length; at += 1) if (alpha[at] !== 255) return [1];
  return [0];
}

function cutOut(file: Sharp, { before, scaled, after }: Cuts): Sharp {
  const part = before === null ? file : file.extract(before);
  const whole = part.resize({ ...scaled, fit: 'fill', kernel: 'lanczos3' });
  return (after === null ? whole : whole.extract(after)).toColourspace('srgb');
}

/** Crops and scales a picture that is decoded already. */
export function cutPixels({ data, ...raw }: Pixels, cuts: Cuts, form: PixelForm): Promise<Uint8Array> {
  return inForm(cutOut(openPixels(data, raw), cuts), form, raw.channels === 4);
}

function inForm(cut: Sharp, form: PixelForm, hasAlpha: boolean): Promise<Uint8Array> {
  return writeIn(form, hasAlpha ? cut.ensureAlpha() : cut.removeAlpha());
}

/** Writes a picture in a form; `pixels` has three or four channels, like the picture. */
export function writeIn(form: PixelForm, picture: Sharp): Promise<Uint8Array> {
  if (form === 'png') return picture.png({ compressionLevel: 0 }).toBuffer();
  return (form === 'rgba' ? picture.ensureAlpha() : picture).raw({ depth: 'uchar' }).toBuffer();
}

/** The offsets of the most interesting crop, by libvips's measure. */
export async function bestCrop(picture: Sharp, crop: Size, by: 'attention' | 'entropy'): Promise<[number, number]> {
  const pipeline = picture.resize({ ...crop, fit: 'cover', position: sharpLibrary().strategy[by] });
  const { info } = await pipeline.raw().toBuffer({ resolveWithObject: true });
  return [-(info.cropOffsetLeft ?? 0), -(info.cropOffsetTop ?? 0)];
}
