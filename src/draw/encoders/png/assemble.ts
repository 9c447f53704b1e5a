// Assembles a PNG file from the bands of a picture (PNG 3).

import type { Size } from '#core/geometry.ts';
import type { IndexedRaster } from '#draw/images/raster.ts';
import type { Band, PngPixels } from './band-encoder.ts';
import { chunk } from './chunk.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** PNG's colour types (§6.1), all with eight bits. */
const COLOR_TYPES = { rgb: 2, indices: 3, rgba: 6 } as const;

/** @param bands all of them, from the top */
export function assemblePng(
  { width, height, colors }: Size & Partial<Pick<IndexedRaster, 'colors'>>,
  form: PngPixels,
  bands: readonly Band[],
): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, COLOR_TYPES[form], 0, 0, 0], 8);
  const sum = new Uint8Array(4);
  const adler = bands.reduce((before, band) => adlerCombine(before, band.adler, band.length), 1);
  new DataView(sum.buffer).setUint32(0, adler);
  return joined([
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', header),
    ...(colors ? paletteChunks(colors) : []),
    ...bands.map((band) => band.bytes),
    chunk('IDAT', sum),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** The colours, and their alphas if one is not opaque (§11.2.2, §11.3.1.1). */
function paletteChunks(colors: Uint32Array): readonly Uint8Array[] {
  const straight = [...colors].map(unpremultiplied);
  const alphas = straight.map(([, , , alpha]) => alpha);
  const palette = chunk('PLTE', Uint8Array.from(straight.flatMap((color) => color.slice(0, 3))));
  return alphas.every((alpha) => alpha === 255) ? [palette] : [palette, chunk('tRNS', Uint8Array.from(alphas))];
}

/** As the kernel `packTranslucent` does it. */
function unpremultiplied(color: number): readonly [r: number, g: number, b: number, alpha: number] {
  const alpha = color >>> 24;
  const channel = (shift: number) =>
    alpha === 0 ? 0 : Math.min(255, Math.floor((((color >>> shift) & 255) * 255 + (alpha >> 1)) / alpha));
  return [channel(0), channel(8), channel(16), alpha];
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// Combines the Adler-32 checksums of two byte ranges into that of both in a row (RFC 1950, §8.2), so that bands can be
// summed separately.

const MODULUS = 65_521;

/** @param secondBytes number of bytes that `second` is the checksum of */
export function adlerCombine(first: number, second: number, secondBytes: number): number {
  // Each sum starts at 1, which must not be counted twice.
  const before = (first & 0xffff) - 1 + MODULUS;
  const a = (before + (second & 0xffff)) % MODULUS;
  const b = ((first >>> 16) + (second >>> 16) + (secondBytes % MODULUS) * before) % MODULUS;
  return ((b << 16) | a) >>> 0;
}
