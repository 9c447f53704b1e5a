// Scales and premultiplies what each image operation shows, and caches it between renders by file, part and size.
//
// Pictures are scaled outside this thread while it paints what lies below them: of a card of which everything changes
// that is a quarter of the time.

import { limiter } from '#base/concurrency/limiter.ts';
import { nextTurn } from '#base/runtime.ts';
import { scalePicture } from '#draw/platform/scale-picture.ts';
import { fileDigest } from '../file-digest.ts';
import { nearestPixels, wholePixels } from '../nearest-pixels.ts';
import { resourceCache } from '../resource-cache.ts';
import { decodedPictures } from './decoded-pictures.ts';
import type { ImageOp, PlacedImage } from './place-images.ts';

/** Premultiplied RGBA, one integer per pixel. */
export interface ScaledPicture {
  /** Equal for equal pixels: the file's digest, the part that is shown, the size, and how it is scaled. */
  readonly key: string;
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
  readonly isOpaque: boolean;
}

const kept = resourceCache.of<ScaledPicture>('pictures');

/** Pictures of one list that are scaled at the same time. */
const CONCURRENCY = 8;

/** The pictures of a list; some may still be being scaled. */
export class ScaledPictures {
  readonly #pictures = new Map<ImageOp, ScaledPicture>();
  readonly #coming = new Map<ImageOp, Promise<void>>();

  /** Starts scaling what is not kept. Equal pictures are scaled once. */
  constructor(placed: ReadonlyMap<ImageOp, PlacedImage>) {
    const limit = limiter(CONCURRENCY);
    const coming = new Map<string, Promise<ScaledPicture>>();
    for (const [op, shown] of placed) {
      const key = keyOf(shown);
      const picture = kept.get(key);
      if (picture) {
        this.#pictures.set(op, picture);
        continue;
      }
      const scaling = coming.get(key) ?? limit(() => scaledOnce(key, shown));
      coming.set(key, scaling);
      const arriving = scaling.then((scaled) => {
        this.#coming.delete(op);
        this.#pictures.set(op, scaled);
      });
      // Painting may end before it needs this picture.
      arriving.catch(() => {});
      this.#coming.set(op, arriving);
    }
  }

  get areComing(): boolean {
    return this.#coming.size > 0;
  }

  /** What an operation shows; undefined where nothing of it is visible, or before it has come. */
  get(op: ImageOp): ScaledPicture | undefined {
    return this.#pictures.get(op);
  }

  /** The end of scaling an operation's picture, if it is not over; rejects if it fails. */
  coming(op: ImageOp): Promise<void> | undefined {
    return this.#coming.get(op);
  }

  /** Waits for pictures that nothing has waited for: one that cannot be decoded is an error also where none shows. */
  async allCome(): Promise<void> {
    await Promise.all(this.#coming.values());
  }
}

async function scaledOnce(key: string, shown: PlacedImage): Promise<ScaledPicture> {
  const picture = { key, ...(await scaled(shown)) };
  kept.set(key, picture, picture.pixels.byteLength);
  return picture;
}

function keyOf({ image, source, size, isPixelated }: PlacedImage): string {
  const { x, y, width, height } = source;
  return `${fileDigest(image.bytes)} ${x} ${y} ${width} ${height} ${size.width}×${size.height}${isPixelated ? ' pixelated' : ''}`;
}

async function scaledBytes({ image, source, size, isPixelated }: PlacedImage): Promise<Uint8Array> {
  const whole = isPixelated ? wholePixels(image, source) : null;
  if (whole === null) return scalePicture(image, source, size, decodedPictures);
  const { width, height } = whole;
  const pixels = await scalePicture(image, whole, { width, height }, decodedPictures);
  return nearestPixels(pixels, 4, whole, source, size);
}

async function scaled(placed: PlacedImage): Promise<Omit<ScaledPicture, 'key'>> {
  const { image, size } = placed;
  const bytes = await scaledBytes(placed);
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
