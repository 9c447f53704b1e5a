// The CRC-32 of PNG's chunks, by zlib.

export { crc32 } from 'node:zlib';
