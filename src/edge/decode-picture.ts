// Decodes image files with WebAssembly decoders (@jsquash: mozjpeg, libwebp, image-png), each loaded on first use.
//
// The header has been checked against the limits before (image-header.ts), so that no file of unknown size is decoded.

import decodeJpeg, { init as startJpeg } from '@jsquash/jpeg/decode.js';
import { decode as decodePng, init as startPng } from '@jsquash/png/decode.js';
import decodeWebp, { init as startWebp } from '@jsquash/webp/decode.js';
import type { Rect, Size } from '#core/geometry.ts';
import type { ImageResource } from '#core/resources.ts';
import { AppError } from '#errors';
import { MAX_EDGE_PIXELS } from './image-header.ts';
import { wasmFile } from './wasm-files.ts';

/** RGBA, straight alpha, row by row. */
export interface DecodedPicture extends Size {
  readonly data: Uint8ClampedArray | Uint8Array;
}

/** Decoded pixels, and the part of them to scale. */
export interface DrawnPicture {
  readonly pixels: DecodedPicture;
  readonly source: Rect;
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
  const pixels = await decode(ownBuffer(image.bytes)).catch((cause: unknown) => {
    throw new AppError('invalid_request', `The ${image.format.toUpperCase()} file is damaged.`, { cause });
  });
  if (pixels.width !== image.width || pixels.height !== image.height) {
    throw new AppError('invalid_request', `The ${image.format.toUpperCase()} file is not as large as its header says.`);
  }
  return { pixels, source };
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
  };
}
