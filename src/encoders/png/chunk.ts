// A chunk of a PNG file: its length and type before its data, a checksum behind them (PNG 3, §5.3).

import { crc32 } from 'node:zlib';

/** Bytes before the data of a chunk. */
export const CHUNK_HEAD = 8;
/** Bytes behind it. */
export const CHUNK_TAIL = 4;

export function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(CHUNK_HEAD + data.length + CHUNK_TAIL);
  bytes.set(data, CHUNK_HEAD);
  return sealChunk(type, bytes);
}

/** Writes head and tail around data that has been left room for both. */
export function sealChunk(type: string, bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = bytes.length - CHUNK_TAIL;
  buffer.writeUInt32BE(end - CHUNK_HEAD, 0);
  buffer.write(type, 4, 'latin1');
  buffer.writeUInt32BE(crc32(buffer.subarray(4, end)), end);
  return bytes;
}
