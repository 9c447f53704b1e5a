// Images that were cut, drawn and encoded before, for as long as there is room: a template's photo and its shadows,
// render after render.
//
// What is kept makes no difference to the output.

import { keptMemory } from '../kept-memory.ts';
import type { EncodedImage } from './encoded-image.ts';

const kept = keptMemory.of<EncodedImage>('pdf images');
const numbers = new WeakMap<Uint8Array, number>();
let files = 0;

/**
 * What is made of a file. That is known by its bytes in memory, which never change and which the loader keeps between
 * renders; a copy of them is another file.
 *
 * @param how tells apart all that is made of one file
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

/** @param digest of all that decides what is drawn */
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
