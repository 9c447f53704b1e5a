// An image file in, its pixels out, by wasm decoders (@jsquash: mozjpeg, libwebp, image-png), each loaded at its first use.
//
// The header was read and held to the limits before (image-header.ts), so that nothing is decoded whose size is not known.

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

/** What is to be scaled, and the part of it. */
export interface DrawnPicture {
  readonly pixels: DecodedPicture;
  readonly source: Rect;
}

/** Draws an SVG file so large. */
export type DrawSvg = (svg: Uint8Array, size: Size) => Promise<DecodedPicture>;

let drawSvg: DrawSvg | null = null;

/** Hands in what draws SVG files, which is larger than all else: only `platen/og` has it. */
export function provideSvg(draw: DrawSvg): void {
  drawSvg = draw;
}

/** What the decoders make; browsers and Deno have it. */
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

const DECODERS: Readonly<Record<string, () => Promise<Decode>>> = {
  async jpeg() {
    await startJpeg(await wasmFile('decode-jpeg'));
    return (file) => decodeJpeg(file);
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

/** @throws AppError `invalid_request` when the file is damaged, or its kind is not decoded here */
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

/** The whole drawing, as large as it must be for its part to have the size. */
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
