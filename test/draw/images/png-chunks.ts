// Makes PNG files that have further chunks.

import { crc32 } from 'node:zlib';

/** A chunk with its length and checksum (PNG 3, 5.3). */
export function pngChunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** The file with chunks after its header. */
export const withChunks = (file: Buffer, ...chunks: readonly Buffer[]): Uint8Array =>
  Uint8Array.from(Buffer.concat([file.subarray(0, 33), ...chunks, file.subarray(33)]));

export function uint32s(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
  return bytes;
}

/** @param value 100,000 times what linear light is raised to */
export const gama = (value: number): Buffer => pngChunk('gAMA', uint32s(value));

/** Of full range, by the numbers of ISO/IEC 23091-2. */
export const cicp = (primaries: number, transfer: number): Buffer =>
  pngChunk('cICP', Buffer.from([primaries, transfer, 0, 1]));
