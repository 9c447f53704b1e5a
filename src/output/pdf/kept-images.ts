// Images that were cut, scaled and encoded before, for as long as there is room: a template's photo, render after render.
//
// A file is known by its bytes in memory, which never change and which the loader keeps between renders; a copy of them
// is another file. What is kept makes no difference to the output.

import { LruCache } from '#core/text/lru-cache.ts';
import type { EncodedImage } from './encoded-image.ts';

const KEPT_BYTES = 64 * 2 ** 20;

const kept = new LruCache<string, EncodedImage>(KEPT_BYTES);
const numbers = new WeakMap<Uint8Array, number>();
let files = 0;

/** @param how tells apart all that is made of one file */
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
  const key = `${number} ${how}`;
  const known = kept.get(key);
  if (known) return known;
  const image = await encode();
  kept.set(key, image, image.color.bytes.length + (image.opacity?.bytes.length ?? 0));
  return image;
}
