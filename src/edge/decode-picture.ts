// Decodes image files with WebAssembly decoders (@jsquash: mozjpeg, libwebp, image-png), each loaded on first use.
//
// The header has been checked against the limits before (image-header.ts), so that no file of unknown size is decoded.

import decodeJpeg, { init as startJpeg } from '@jsquash/jpeg/decode.js';
import { decode as decodePng, init as startPng } from '@jsquash/png/decode.js';
import decodeWebp, { init as startWebp } from '@jsquash/webp/decode.js';
import { AppError } from '#base/errors.ts';
import type { Rect, Size } from '#core/geometry.ts';
import type { ImageResource } from '#core/resources.ts';
import type { ColorTag } from '#draw/images/color-tags.ts';
import { MAX_EDGE_PIXELS } from './image-header.ts';
import { colorsOf, decodableFile, firstFrame, orientationIn, webpChunks } from './picture-file.ts';
import { wasmFile } from './wasm-files.ts';

/** RGBA, straight alpha, row by row. */
export interface DecodedPicture extends Size {
  readonly data: Uint8ClampedArray | Uint8Array;
}

/** Decoded pixels, and the part of them to scale. */
export interface DrawnPicture {
  readonly pixels: DecodedPicture;
  readonly source: Rect;
  /** What converts its colours to sRGB, after they were scaled; null = nothing. */
  readonly tag: ColorTag | null;
}

/** Draws an SVG file in its own proportions, as wide or as high as the size. */
export type DrawSvg = (svg: Uint8Array, size: Size) => Promise<DecodedPicture>;

let drawSvg: DrawSvg | null = null;

/** Sets the SVG renderer. It is larger than everything else, so only `platen/og` provides it. */
export function provideSvg(draw: DrawSvg): void {
  drawSvg = draw;
}

/** A substitute for the ImageData that the decoders create; browsers and Deno have their own. */
class PlainImageData {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

type Decode = (file: ArrayBuffer) => Promise<DecodedPicture>;

/** Turned by its EXIF orientation, as its header is read. */
const UPRIGHT = { preserveOrientation: true };

const DECODERS: Readonly<Record<string, () => Promise<Decode>>> = {
  async jpeg() {
    await startJpeg(await wasmFile('decode-jpeg'));
    return (file) => decodeJpeg(file, UPRIGHT);
  },
  async png() {
    await startPng(await wasmFile('decode-png'));
    return (file) => decodePng(file);
  },
  async webp() {
    await startWebp(await wasmFile('decode-webp'));
    return (file) => decodeWebp(file);
  },
};

const started = new Map<string, Promise<Decode>>();

function decoderOf(format: string): Promise<Decode> {
  const known = started.get(format);
  if (known) return known;
  (globalThis as { ImageData?: unknown }).ImageData ??= PlainImageData;
  const start = DECODERS[format];
  if (!start) throw new AppError('invalid_request', `${format.toUpperCase()} images are not decoded at the edge.`);
  const starting = start();
  started.set(format, starting);
  starting.catch(() => started.delete(format));
  return starting;
}

/** @throws AppError `invalid_request` when the file is damaged, or its format is not supported at the edge */
export async function decodePicture(image: ImageResource, source: Rect, size: Size): Promise<DrawnPicture> {
  if (image.format === 'svg') return drawnSvg(image, source, size);
  const decode = await decoderOf(image.format);
  const { format, bytes } = image;
  const decoded = await decode(ownBuffer(decodableFile(format, bytes))).catch((cause: unknown) => {
    throw new AppError('invalid_request', `The ${image.format.toUpperCase()} file is damaged.`, { cause });
  });
  const whole = format === 'webp' ? onCanvas(decoded, bytes) : decoded;
  const pixels = format === 'jpeg' ? whole : turned(whole, orientationIn(format as 'png' | 'webp', bytes));
  if (pixels.width !== image.width || pixels.height !== image.height) {
    throw new AppError('invalid_request', `The ${image.format.toUpperCase()} file is not as large as its header says.`);
  }
  return { pixels, source, tag: (await colorsOf(format, bytes)).tag };
}

/** An animation's first frame where it is on the canvas, which is transparent beside it. */
function onCanvas(picture: DecodedPicture, file: Uint8Array): DecodedPicture {
  const frame = firstFrame(file);
  const canvas = frame && [...webpChunks(file)].find(({ type }) => type === 'VP8X')?.body;
  if (!frame || !canvas) return picture;
  const side = (at: number) => 1 + (canvas[at] ?? 0) + 256 * (canvas[at + 1] ?? 0) + 65_536 * (canvas[at + 2] ?? 0);
  const [width, height] = [side(4), side(7)];
  const data = new Uint8Array(4 * width * height);
  const shown = Math.max(0, Math.min(picture.width, width - frame.x));
  for (let y = 0; y < Math.min(picture.height, height - frame.y); y++) {
    const from = 4 * y * picture.width;
    data.set(picture.data.subarray(from, from + 4 * shown), 4 * ((frame.y + y) * width + frame.x));
  }
  return { width, height, data };
}

/** Upright, of an EXIF orientation: 1 to 4 keep the sides, 5 to 8 exchange them. */
function turned({ width, height, data }: DecodedPicture, orientation: number): DecodedPicture {
  if (orientation === 1) return { width, height, data };
  const swaps = orientation >= 5;
  const size = swaps ? { width: height, height: width } : { width, height };
  const [from, to] = [new Uint32Array(data.slice().buffer), new Uint32Array(width * height)];
  // As TIFF 6 numbers them: which ends of the stored rows and columns come first.
  const isMirrored = [2, 3, 7, 8].includes(orientation);
  const isUpsideDown = [3, 4, 6, 7].includes(orientation);
  for (let y = 0, at = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++, at++) {
      const [u, v] = swaps ? [y, x] : [x, y];
      const column = isMirrored ? width - 1 - u : u;
      const row = isUpsideDown ? height - 1 - v : v;
      to[at] = from[row * width + column] ?? 0;
    }
  }
  return { ...size, data: new Uint8Array(to.buffer) };
}

function ownBuffer({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

/** Draws the whole SVG at the scale at which its part has the given size. */
async function drawnSvg(image: ImageResource, source: Rect, size: Size): Promise<DrawnPicture> {
  if (!drawSvg) throw new AppError('invalid_request', 'SVG images are not drawn by platen/edge; hand in a PNG.');
  const [across, down] = [size.width / source.width, size.height / source.height];
  const width = Math.max(1, Math.round(image.width * across));
  const height = Math.max(1, Math.round(image.height * down));
  if (!(width * height <= MAX_EDGE_PIXELS)) {
    throw new AppError(
      'invalid_request',
      `An SVG image would be drawn at ${width} × ${height} px, which is too large.`,
    );
  }
  const pixels = await drawSvg(image.bytes, { width, height });
  const [x, y] = [pixels.width / image.width, pixels.height / image.height];
  return {
    pixels,
    source: { x: source.x * x, y: source.y * y, width: source.width * x, height: source.height * y },
    tag: null,
  };
}
