// Scales and premultiplies what each image operation shows, and caches it between renders by file, part and size.

import PQueue from 'p-queue';
import { nextTurn } from '#platform/next-turn.ts';
import { scalePicture } from '#platform/scale-picture.ts';
import { fileDigest } from '../file-digest.ts';
import { keptMemory } from '../kept-memory.ts';
import type { ImageOp, PlacedImage } from './place-images.ts';

/** Premultiplied RGBA, one integer per pixel. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
  readonly isOpaque: boolean;
}

const kept = keptMemory.of<Picture>('pictures');

/** Pictures of one list that are scaled at the same time. */
const CONCURRENCY = 8;

/** Equal pictures are scaled once. */
export async function scalePictures(placed: ReadonlyMap<ImageOp, PlacedImage>): Promise<ReadonlyMap<ImageOp, Picture>> {
  const pictures = new Map<ImageOp, Picture>();
  const missing = new Map<string, ImageOp[]>();
  for (const [op, shown] of placed) {
    const key = keyOf(shown);
    const picture = kept.get(key);
    if (picture) pictures.set(op, picture);
    else missing.set(key, [...(missing.get(key) ?? []), op]);
  }
  if (missing.size === 0) return pictures;
  const queue = new PQueue({ concurrency: CONCURRENCY });
  const scaling = [...missing].map(([key, ops]) =>
    queue.add(async () => {
      const shown = ops[0] && placed.get(ops[0]);
      if (!shown) return;
      const picture = await scaled(shown);
      kept.set(key, picture, picture.pixels.byteLength);
      for (const op of ops) pictures.set(op, picture);
    }),
  );
  await Promise.all(scaling);
  return pictures;
}

function keyOf({ image, source, size }: PlacedImage): string {
  const { x, y, width, height } = source;
  return `${fileDigest(image.bytes)} ${x} ${y} ${width} ${height} ${size.width}×${size.height}`;
}

async function scaled({ image, source, size }: PlacedImage): Promise<Picture> {
  const bytes = await scalePicture(image, source, size);
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const pixels = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
  if (image.hasAlpha) await premultiply(pixels);
  return { width: size.width, height: size.height, pixels, isOpaque: !image.hasAlpha };
}

/** Pixels per slice, between which other work gets a turn: some milliseconds. */
const SLICE = 1_000_000;

async function premultiply(pixels: Uint32Array): Promise<void> {
  for (let from = 0; from < pixels.length; from += SLICE) {
    if (from > 0) await nextTurn();
    premultiplySlice(pixels.subarray(from, from + SLICE));
  }
}

function premultiplySlice(pixels: Uint32Array): void {
  for (let i = 0; i < pixels.length; i++) {
    const pixel = pixels[i] ?? 0;
    const alpha = pixel >>> 24;
    if (alpha === 255) continue;
    const r = byteProduct(pixel & 255, alpha);
    const g = byteProduct((pixel >>> 8) & 255, alpha);
    const b = byteProduct((pixel >>> 16) & 255, alpha);
    pixels[i] = r | (g << 8) | (b << 16) | (alpha << 24);
  }
}

/** a · b / 255, rounded to the nearest, without dividing. */
function byteProduct(a: number, b: number): number {
  const product = a * b + 128;
  return (product + (product >> 8)) >> 8;
}
