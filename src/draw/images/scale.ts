// Scales a part of an image to pixels of exactly the requested size.
//
// One kernel (Lanczos, 3 lobes) on gamma-encoded values, as in browsers. The result is upright, in sRGB, 8 bits per
// channel. Equal images, parts and sizes give equal bytes in every process.

import { AppError } from '#base/errors.ts';
import type { Rect, Size } from '#core/geometry.ts';
import type { ImageResource } from '#core/resources.ts';
import { loadWasm } from '#draw/platform/load-wasm.ts';
import { isTurnedJpeg } from './decode-cost.ts';
import { decodeImage } from './decode-image.ts';
import { type Cuts, cutPixels, type DecodeTask, type PixelForm, writeIn } from './decode-task.ts';
import { costOf } from './inspect.ts';
import { type Taps, tapsOf } from './lanczos.ts';
import { MAX_OUTPUT_PIXELS } from './limits.ts';
import { decoded, openPixels } from './open-image.ts';
import type { Pixels } from './raster.ts';
import { drawSvg } from './svg-image.ts';

/** A file that cannot be decoded although its header was accepted; the error does not name the layer yet. */
export class DamagedImage extends AppError {}

/**
 * Keeps decoded files between calls. Returns the pixels of a file that is kept, or that is worth keeping after `decode`;
 * null when it should be read anew.
 */
export type PixelCache = (file: Uint8Array, decode: () => Promise<Pixels>) => Promise<Pixels | null>;

/** Largest picture that is offered to a `PixelCache`, px: 8 MB. */
const MOST_KEPT_PIXELS = 2_600_000;

type Drawable = Pick<ImageResource, 'format' | 'bytes' | 'hasAlpha' | 'width' | 'height'>;

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

/** One axis of `planCuts`: whole px `from`..`to` are scaled to `scaled` px, which are shown from `offset` on. */
function planAxis(start: number, length: number, total: number, target: number, whole: boolean) {
  const shown = clamp(length, 1, total);
  const at = clamp(start - (shown - length) / 2, 0, total - shown);
  const from = whole ? 0 : Math.floor(at + 1e-6);
  const to = whole ? total : Math.ceil(at + shown - 1e-6);
  const factor = target / shown;
  const scaled = Math.max(target, Math.round((to - from) * factor));
  return { from, to, scaled, offset: clamp(Math.round((at - from) * factor), 0, scaled - target) };
}

/**
 * A crop rarely falls on whole pixels of the file. The pixels that it touches are scaled together and the surplus is
 * cropped afterwards, so that the picture moves by half a device pixel at most, even when it is enlarged a hundred
 * times.
 */
function planCuts(image: Drawable, source: Rect, size: Size): Cuts & { readonly shrinks: boolean } {
  // A decoder that can skip detail while it reads (JPEG, WebP) saves more than cropping first would.
  const shrinks =
    (image.format === 'jpeg' || image.format === 'webp') &&
    size.width * 2 <= source.width &&
    size.height * 2 <= source.height;
  const x = planAxis(source.x, source.width, image.width, size.width, shrinks);
  const y = planAxis(source.y, source.height, image.height, size.height, shrinks);
  const uncut = x.from === 0 && y.from === 0 && x.to === image.width && y.to === image.height;
  const exact = x.scaled === size.width && y.scaled === size.height;
  return {
    before: uncut ? null : { left: x.from, top: y.from, width: x.to - x.from, height: y.to - y.from },
    scaled: { width: x.scaled, height: y.scaled },
    after: exact ? null : { left: x.offset, top: y.offset, ...size },
    shrinks,
  };
}

async function scale(
  image: Drawable,
  source: Rect,
  size: Size,
  form: PixelForm,
  cache?: PixelCache,
): Promise<Uint8Array> {
  checkSize(size);
  if (image.format === 'pdf') {
    throw new AppError(
      'invalid_request',
      'A PDF as a picture has no pixels: it cannot be blurred, filtered or a mask.',
    );
  }
  if (image.format === 'svg') {
    const { data } = await drawSvg(image.bytes, source, size);
    return form === 'png' ? writeIn(form, openPixels(data, { ...size, channels: 4 })) : data;
  }
  const { shrinks, ...cuts } = planCuts(image, source, size);
  const isWhole = isKeepable(image, cuts);
  const pixels = cache && isWhole ? await cache(image.bytes, () => decodeWhole(image)) : null;
  if (isWhole && isModest(image, cuts)) {
    return inForm(scaleOpaque(pixels ?? (await decodeWhole(image)), cuts), size, form);
  }
  const fills = form === 'rgba' && !image.hasAlpha && size.width * size.height <= MOST_MODEST;
  const asked = fills ? 'pixels' : form;
  const cut = pixels
    ? await decoded('image', cutPixels(pixels, cuts, asked))
    : await decodeCut(image, { want: 'picture', hasAlpha: image.hasAlpha, cuts, form: asked, shrinks });
  return fills ? filledPixels(cut) : cut;
}

/** @param rgba opaque */
function inForm(rgba: Uint8Array, size: Size, form: PixelForm): Uint8Array | Promise<Uint8Array> {
  if (form === 'rgba') return rgba;
  const rgb = withoutAlpha(rgba);
  return form === 'pixels' ? rgb : writeIn(form, openPixels(rgb, { ...size, channels: 3 }));
}

async function decodeCut({ format, bytes, ...image }: Drawable, task: DecodeTask): Promise<Uint8Array> {
  const cost = costOf({ format, bytes, ...image });
  return (await decodeImage('image', { format, bytes, cost }, task).catch(asDamaged)) as Uint8Array;
}

/**
 * Whether scaling the decoded picture gives the same bytes as scaling the file: upright JPEG files where sharp skips no
 * detail while it reads. It does when both sides shrink to a third or less, never to nearly half, where libjpeg rounds.
 */
function isKeepable({ format, bytes, width, height }: Drawable, { before, scaled }: Cuts): boolean {
  const skipsDetail = before === null && scaled.width * 3 <= width && scaled.height * 3 <= height;
  return format === 'jpeg' && !skipsDetail && width * height <= MOST_KEPT_PIXELS && !isTurnedJpeg(bytes);
}

/**
 * Whether a decoded picture is scaled here, and not by libvips, which takes half a millisecond for each step whatever the
 * size: to at most `MOST_MODEST` px, and to less than its size by less than four. Otherwise libvips averages blocks first,
 * or interpolates.
 */
function isModest(image: Size, { before, scaled, after }: Cuts): boolean {
  const part = before ?? image;
  const shown = after ?? scaled;
  const isShrunk = (from: number, to: number) => from >= to && from < 4 * to;
  return (
    shown.width * shown.height <= MOST_MODEST &&
    isShrunk(part.width, scaled.width) &&
    isShrunk(part.height, scaled.height)
  );
}

async function decodeWhole(image: Drawable): Promise<Pixels> {
  const { width, height } = image;
  const cuts = { before: null, scaled: { width, height }, after: null };
  const task = { want: 'picture', hasAlpha: false, cuts, form: 'pixels', shrinks: false } as const;
  return { width, height, channels: 3, data: await decodeCut(image, task) };
}

function checkSize({ width, height }: Size): void {
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1) {
    throw new RangeError(`cannot scale to ${width} × ${height} px`);
  }
  if (width * height > MAX_OUTPUT_PIXELS) {
    throw new AppError('invalid_request', `An image would be drawn at ${width} × ${height} px, which is too large.`);
  }
}

function asDamaged(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
  throw new DamagedImage(error.code, error.message, { cause: error.cause });
}

/**
 * Scales the `source` part (image px, upright) of an image to `size` (whole px, each at least 1).
 *
 * @throws DamagedImage `invalid_request` when the file cannot be decoded; AppError when the result would be too large
 */
export async function scaleToPixels(image: Drawable, source: Rect, size: Size): Promise<Pixels> {
  return { ...size, channels: image.hasAlpha ? 4 : 3, data: await scale(image, source, size, 'pixels') };
}

/** `scaleToPixels` with an alpha channel even for opaque images. */
export function scaleToRgba(image: Drawable, source: Rect, size: Size, cache?: PixelCache): Promise<Uint8Array> {
  return scale(image, source, size, 'rgba', cache);
}

/** Largest picture for whose scaling, or for whose alpha channel, this thread has time, px. */
const MOST_MODEST = 1 << 18;

function withoutAlpha(rgba: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, at = 0; at < rgb.length; from += 4, at += 3) {
    rgb[at] = rgba[from] ?? 0;
    rgb[at + 1] = rgba[from + 1] ?? 0;
    rgb[at + 2] = rgba[from + 2] ?? 0;
  }
  return rgb;
}

/** Opaque RGBA of RGB. */
function filledPixels(rgb: Uint8Array): Uint8Array {
  const filled = new Uint32Array(rgb.length / 3);
  for (let i = 0, at = 0; i < filled.length; i++, at += 3) {
    filled[i] = (rgb[at] ?? 0) | ((rgb[at + 1] ?? 0) << 8) | ((rgb[at + 2] ?? 0) << 16) | 0xff000000;
  }
  return new Uint8Array(filled.buffer);
}

/** `scaleToPixels` as an uncompressed PNG file, for a reader in the same process. */
export async function scaleToPng(image: Drawable, source: Rect, size: Size): Promise<Uint8Array> {
  return scale(image, source, size, 'png');
}

// Scales decoded pictures without transparency in WebAssembly. A small one takes a third of the time of libvips, where each
// step of a pipeline costs half a millisecond whatever the size.

/** What kernels/scale-rows.ts exports. */
interface ScaleKernel {
  readonly memory: WebAssembly.Memory;
  pairedBytes(width: number): number;
  scaleRows(
    source: number,
    stride: number,
    width: number,
    pairs: number,
    paired: number,
    downStarts: number,
    downWeights: number,
    downTaps: number,
    rows: number,
    acrossStarts: number,
    acrossWeights: number,
    acrossTaps: number,
    columns: number,
    line: number,
    result: number,
  ): void;
}

/** What 1 is as a weight of the kernel. */
const ONE = 1 << 14;
/** Bytes of source rows in the kernel's memory at a time: few enough to stay in the processor's cache. */
const SOURCE_BYTES = 1 << 17;
/** Extra bytes, because the kernel reads and writes sixteen at a time. */
const MARGIN = 64;
const PAGE = 65_536;

let kernel: ScaleKernel | null = null;

/** Weights as the kernel has them: an even number for each target pixel, from an even source pixel on. */
interface KernelTaps {
  readonly taps: number;
  readonly starts: Int32Array;
  readonly weights: Int16Array;
}

function kernelTaps({ taps, starts, weights }: Taps): KernelTaps {
  const even = (taps + 2) & ~1;
  const whole = new Int16Array(even * starts.length);
  for (let i = 0; i < starts.length; i++) {
    const from = i * even + ((starts[i] ?? 0) & 1);
    let rest = ONE;
    let largest = from;
    for (let k = 0; k < taps; k++) {
      const weight = Math.round(ONE * (weights[i * taps + k] ?? 0));
      whole[from + k] = weight;
      rest -= weight;
      if (weight > (whole[largest] ?? 0)) largest = from + k;
    }
    // They add up to exactly 1, so that a plain colour stays what it is.
    whole[largest] = (whole[largest] ?? 0) + rest;
  }
  return { taps: even, starts: starts.map((start) => start & ~1), weights: whole };
}

/** @param pixels RGB; returns RGBA of the size that the cuts lead to */
export function scaleOpaque({ data, width, height }: Pixels, { before, scaled, after }: Cuts): Uint8Array {
  const part = before ?? { left: 0, top: 0, width, height };
  const shown = after ?? { left: 0, top: 0, ...scaled };
  const window = (from: number, count: number) => ({ from, count });
  const across = kernelTaps(tapsOf(0, part.width, part.width, scaled.width, window(shown.left, shown.width)));
  const down = kernelTaps(tapsOf(0, part.height, part.height, scaled.height, window(shown.top, shown.height)));
  const stride = 3 * width;
  const mostRows = Math.max(down.taps, 2 * Math.floor(SOURCE_BYTES / stride / 2));
  kernel ??= new WebAssembly.Instance(loadWasm('draw/images/kernels.wasm')).exports as unknown as ScaleKernel;
  const at = layOut(kernel, {
    source: stride * mostRows,
    paired: (kernel.pairedBytes(part.width) * mostRows) / 2,
    line: 14 * part.width + 8 * across.taps,
    result: 4 * shown.width * shown.height,
    downStarts: down.starts.byteLength,
    downWeights: down.weights.byteLength,
    acrossStarts: across.starts.byteLength,
    acrossWeights: across.weights.byteLength,
  });
  const { buffer } = kernel.memory;
  const memory = new Uint8Array(buffer);
  new Int32Array(buffer, at.acrossStarts).set(across.starts);
  new Int16Array(buffer, at.acrossWeights).set(across.weights);
  new Int16Array(buffer, at.downWeights).set(down.weights);
  for (let row = 0, end = 0; row < shown.height; row = end) {
    const first = down.starts[row] ?? 0;
    while (end < shown.height && (down.starts[end] ?? 0) + down.taps - first <= mostRows) end++;
    const last = Math.min(part.height, (down.starts[end - 1] ?? 0) + down.taps);
    const from = stride * (part.top + first) + 3 * part.left;
    memory.set(data.subarray(from, stride * (part.top + last)), at.source);
    new Int32Array(buffer, at.downStarts).set(down.starts.subarray(row, end).map((start) => start - first));
    kernel.scaleRows(
      at.source,
      stride,
      part.width,
      (last - first + 1) >> 1,
      at.paired,
      at.downStarts,
      at.downWeights + 2 * down.taps * row,
      down.taps,
      end - row,
      at.acrossStarts,
      at.acrossWeights,
      across.taps,
      shown.width,
      at.line,
      at.result + 4 * shown.width * row,
    );
  }
  return memory.slice(at.result, at.result + 4 * shown.width * shown.height);
}

/** Gives each part its address, from what the module itself uses on. */
function layOut<Part extends string>({ memory }: ScaleKernel, sizes: Record<Part, number>): Record<Part, number> {
  let next = PAGE;
  const places = {} as Record<Part, number>;
  for (const part of Object.keys(sizes) as Part[]) {
    places[part] = next;
    next += Math.ceil((sizes[part] + MARGIN) / 16) * 16;
  }
  const missing = next - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  return places;
}
