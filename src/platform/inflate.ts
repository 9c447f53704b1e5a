// Decompresses a zlib stream (RFC 1950).

import { inflateSync } from 'node:zlib';

/** @throws Error when it is damaged or decompresses to more than `length` bytes */
export async function inflate(packed: Uint8Array, length: number): Promise<Uint8Array> {
  return inflateSync(packed, { maxOutputLength: length });
}
