// The CRC-32 of PNG chunks, computed by zlib.

export { crc32 } from 'node:zlib';
