// What a picture shows in, its pixels as a tile out, scaled once and kept.

import { scaleToRgba } from '#pixels/scale.ts';
import { keptMemory } from '../../kept-memory.ts';
import type { PlacedImage } from '../place-images.ts';
import { pictureKey } from './op-digest.ts';
import { type Tile, words } from './surface.ts';

const pictures = keptMemory.of<Tile>('pictures');

/** Lies at 0, 0. */
export async function pictureTile(shown: PlacedImage): Promise<Tile> {
  const key = pictureKey(shown);
  const kept = pictures.get(key);
  if (kept) return kept;
  const { image, source, size } = shown;
  const pixels = words(await scaleToRgba(image, source, size));
  if (image.hasAlpha) premultiply(pixels);
  const tile = { x: 0, y: 0, ...size, pixels, isOpaque: !image.hasAlpha };
  pictures.set(key, tile, pixels.byteLength);
  return tile;
}

function premultiply(pixels: Uint32Array): void {
  for (let i = 0; i < pixels.length; i++) {
    const pixel = pixels[i] ?? 0;
    const alpha = pixel >>> 24;
    if (alpha !== 255) pixels[i] = multiplied(pixel, alpha);
  }
}

function multiplied(color: number, alpha: number): number {
  const part = (shift: number) => Math.round((((color >> shift) & 255) * alpha) / 255) << shift;
  return (part(0) | part(8) | part(16) | (alpha << 24)) >>> 0;
}
