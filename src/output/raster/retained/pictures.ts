// What a picture shows in, its pixels as a tile out, scaled once and kept.

import { setImmediate } from 'node:timers/promises';
import { scaleToRgba } from '#images/scale.ts';
import { keptMemory } from '../../kept-memory.ts';
import { pictureKey } from './op-digest.ts';
import type { Picture } from './pieces.ts';
import { type Tile, words } from './surface.ts';

/** Where they lie means nothing. */
const pictures = keptMemory.of<Tile>('pictures');

/** In its place; at once, if it was kept. */
export function pictureTile({ shown, place }: Picture): Tile | Promise<Tile> {
  const kept = pictures.get(pictureKey(shown));
  return kept ? { ...kept, x: place.x, y: place.y } : scaledTile(shown, place);
}

async function scaledTile(shown: Picture['shown'], place: Picture['place']): Promise<Tile> {
  const { image, source, size } = shown;
  const pixels = words(await scaleToRgba(image, source, size));
  if (image.hasAlpha) await premultiply(pixels);
  const tile: Tile = { ...place, pixels, stretch: null, edges: image.hasAlpha ? 'layer' : 'opaque', opacity: 1 };
  pictures.set(pictureKey(shown), tile, pixels.byteLength);
  return tile;
}

/** Pixels after which other work may go on: some milliseconds. */
const SLICE = 1_000_000;

async function premultiply(pixels: Uint32Array): Promise<void> {
  for (let from = 0; from < pixels.length; from += SLICE) {
    if (from > 0) await setImmediate();
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
