// Encodes an image file in memory as a data: URI.

import type { ImageResource } from '../resources.ts';

const MEDIA_TYPE = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  svg: 'image/svg+xml',
} as const satisfies Record<ImageResource['format'], string>;

/** Bytes encoded at a time: few enough to be function arguments, and whole groups of three. */
const CHUNK = 3 * 8192;

export function dataUri({ format, bytes }: ImageResource): string {
  let base64 = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    base64 += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return `data:${MEDIA_TYPE[format]};base64,${base64}`;
}
