// What a picture shows in, its pixels as a tile out, scaled once and kept.

import { scaleToRgba } from '#pixels/scale.ts';
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
  if (image.hasAlpha) premultiply(pixels);
  const tile: Tile = { ...place, pixels, edges: image.hasAlpha ? 'layer' : 'opaque', opacity: 1 };
  pictures.set(pictureKey(shown), tile, pixels.byteLength);
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
