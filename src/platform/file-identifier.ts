// Digests the contents of a file for its identifier.

import { createHash } from 'node:crypto';

/** @param parts bytes, or text with one character per byte @returns 16 bytes */
export function fileIdentifier(parts: Iterable<Uint8Array | string>): Uint8Array {
  const digest = createHash('sha1');
  for (const part of parts) {
    if (typeof part === 'string') digest.update(part, 'latin1');
    else digest.update(part);
  }
  return digest.digest().subarray(0, 16);
}
