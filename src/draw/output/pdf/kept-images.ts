// Caches images that were cropped, drawn and encoded, such as a template's photo and its shadows, between renders.
//
// The cache does not affect the output.

import { resourceCache } from '../resource-cache.ts';
import type { EncodedImage } from './encoded-image.ts';

const kept = resourceCache.of<EncodedImage>('pdf images');
const numbers = new WeakMap<Uint8Array, number>();
let files = 0;

/**
 * Returns the encoded image made from a file, from the cache if possible. The file is identified by its byte array in
 * memory, which never changes and which the loader keeps between renders; a copy counts as another file.
 *
 * @param how distinguishes the images made from one file
 */
export async function keepImage(
  file: Uint8Array,
  how: string,
  encode: () => Promise<EncodedImage>,
): Promise<EncodedImage> {
  let number = numbers.get(file);
  if (number === undefined) {
    number = files++;
    numbers.set(file, number);
  }
  return keep(`file ${number} ${how}`, encode);
}

/** @param digest of everything that determines what is drawn */
export async function keepDrawing(digest: string, encode: () => Promise<EncodedImage>): Promise<EncodedImage> {
  return keep(`drawing ${digest}`, encode);
}

async function keep(key: string, encode: () => Promise<EncodedImage>): Promise<EncodedImage> {
  const known = kept.get(key);
  if (known) return known;
  const image = await encode();
  kept.set(key, image, image.color.bytes.length + (image.opacity?.bytes.length ?? 0));
  return image;
}
