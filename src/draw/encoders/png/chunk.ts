// Writes PNG chunks: length and type before the data, a checksum after it (PNG 3, §5.3).

import { crc32 } from '#base/runtime.ts';

/** Bytes before the data of a chunk. */
export const CHUNK_HEAD = 8;
/** Bytes after the data. */
export const CHUNK_TAIL = 4;

export function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(CHUNK_HEAD + data.length + CHUNK_TAIL);
  bytes.set(data, CHUNK_HEAD);
  return sealChunk(type, bytes);
}

/** Writes head and tail around data, in the space that was left for them. */
export function sealChunk(type: string, bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = bytes.length - CHUNK_TAIL;
  view.setUint32(0, end - CHUNK_HEAD);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  view.setUint32(end, crc32(bytes.subarray(4, end)));
  return bytes;
}
