// What a picture shows in, its pixels as a tile out, scaled once and kept.

import type { Pixels } from '#pixels/raster.ts';
import { scaleToPixels } from '#pixels/scale.ts';
import { keptMemory } from '../../kept-memory.ts';
import type { PlacedImage } from '../place-images.ts';
import { pictureKey } from './op-digest.ts';
import type { Tile } from './surface.ts';

const pictures = keptMemory.of<Tile>('pictures');

/** Lies at 0, 0. */
export async function pictureTile(shown: PlacedImage): Promise<Tile> {
  const key = pictureKey(shown);
  const kept = pictures.get(key);
  if (kept) return kept;
  const tile = tileOf(await scaleToPixels(shown.image, shown.source, shown.size));
  pictures.set(key, tile, tile.pixels.byteLength);
  return tile;
}

function tileOf({ width, height, channels, data }: Pixels): Tile {
  const pixels = new Uint32Array(width * height);
  const isOpaque = channels === 3;
  for (let i = 0, at = 0; i < pixels.length; i++, at += channels) {
    const color = (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8) | ((data[at + 2] ?? 0) << 16);
    const alpha = isOpaque ? 255 : (data[at + 3] ?? 0);
    pixels[i] = alpha === 255 ? (color | 0xff000000) >>> 0 : multiplied(color, alpha);
  }
  return { x: 0, y: 0, width, height, pixels, isOpaque };
}

function multiplied(color: number, alpha: number): number {
  const part = (shift: number) => Math.round((((color >> shift) & 255) * alpha) / 255) << shift;
  return (part(0) | part(8) | part(16) | (alpha << 24)) >>> 0;
}
