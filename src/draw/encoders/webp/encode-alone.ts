// Encodes a raster as lossy WebP on one thread, row by row, so that little memory beyond its pixels and its file is needed.
//
// Each encoder is a generator of short steps.

import type { Raster } from '#draw/images/raster.ts';
import { newBorders } from './borders.ts';
import { inContainer, inContainerWithAlpha } from './container.ts';
import { encodeAlpha } from './encode-alpha.ts';
import { FrameCoder } from './frame-coder.ts';
import { quantizerOf } from './quantizer.ts';
import { type CopyRows, type DecidedRow, macroblocks, RowDecider } from './row-decider.ts';

/** Most bytes of decisions that are kept: those of a photo of some ten million pixels. */
const MOST_KEPT = 24 * 1024 * 1024;

type Encoding = Generator<undefined, Uint8Array | null>;

/**
 * @param quality 1 to 100, on libwebp's scale
 * @returns null when a pixel is not opaque, or the picture is more than one VP8 frame can hold
 */
export function* encodeOpaque(raster: Raster, quality: number): Encoding {
  const frame = yield* decideAndCode(raster, quality);
  return frame && inContainer(frame);
}

/** @returns null when the picture is more than one VP8 frame can hold */
export function* encodeWithAlpha(raster: Raster, quality: number): Encoding {
  const frame = yield* decideAndCode(raster, quality, copyColors);
  return frame && inContainerWithAlpha(frame, yield* encodeAlpha(raster), raster);
}

function* decideAndCode(raster: Raster, quality: number, copyRows?: CopyRows): Encoding {
  const borders = newBorders(macroblocks(raster.width), macroblocks(raster.height), ArrayBuffer);
  const decider = new RowDecider(raster, quality, borders, copyRows);
  let coder: FrameCoder | null = null;
  let kept: DecidedRow[] = [];
  let bytes = 0;
  for (let y = 0; y < decider.count; y++) {
    // This thread has made the row above itself, so there is never a wait.
    const row = decider.decide(y).next().value as DecidedRow | null;
    if (!row) {
      decider.release();
      return null;
    }
    kept.push(row);
    bytes += row.decisions.length;
    yield;
    if (bytes < MOST_KEPT && y < decider.count - 1) continue;
    coder ??= new FrameCoder(raster, quantizerOf(quality));
    yield* coder.code(kept, decider.counts);
    kept = [];
    bytes = 0;
  }
  decider.release();
  return coder?.finish() ?? null;
}

// Copies the colours of pixels without their alpha, which lossy WebP stores separately.

/**
 * Writes the colours of premultiplied pixels as opaque pixels. Where nothing shows, the colour before is repeated,
 * which takes the fewest bits.
 */
function copyColors(pixels: Uint8Array, colors: Uint8Array): void {
  let [red, green, blue] = [0, 0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha > 0) {
      red = unpremultiplied(pixels[at] ?? 0, alpha);
      green = unpremultiplied(pixels[at + 1] ?? 0, alpha);
      blue = unpremultiplied(pixels[at + 2] ?? 0, alpha);
    }
    colors[at] = red;
    colors[at + 1] = green;
    colors[at + 2] = blue;
    colors[at + 3] = 255;
  }
}

function unpremultiplied(value: number, alpha: number): number {
  return alpha === 255 ? value : Math.min(255, ((255 * value + (alpha >> 1)) / alpha) | 0);
}
