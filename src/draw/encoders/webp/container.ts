// Wraps frames in the container of WebP files (RFC 9649, section 2).

import type { Size } from '#core/geometry.ts';
import { joinBytes } from '../join-bytes.ts';

/** The flag of the extended header (RFC 9649, section 2.7). */
const HAS_ALPHA = 0x10;

export const inContainer = (frame: Uint8Array): Uint8Array => inRiff(chunk('VP8 ', frame));

/** @param alpha the content of the ALPH chunk */
export function inContainerWithAlpha(frame: Uint8Array, alpha: Uint8Array, { width, height }: Size): Uint8Array {
  const header = new Uint8Array(10);
  header[0] = HAS_ALPHA;
  for (const [at, side] of [width, height].entries()) {
    for (let byte = 0; byte < 3; byte++) header[4 + 3 * at + byte] = (side - 1) >> (8 * byte);
  }
  return inRiff([...chunk('VP8X', header), ...chunk('ALPH', alpha), ...chunk('VP8 ', frame)]);
}

function chunk(name: string, content: Uint8Array): Uint8Array[] {
  return [letters(name), uint32(content.length), content, new Uint8Array(content.length % 2)];
}

function inRiff(parts: readonly Uint8Array[]): Uint8Array {
  const length = 4 + parts.reduce((sum, part) => sum + part.length, 0);
  return joinBytes([letters('RIFF'), uint32(length), letters('WEBP'), ...parts]);
}

const letters = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Little-endian. */
function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}
