// Reads a ZIP file with stored (uncompressed) files, in memory, by its directory, and checks each checksum.

import { crc32 } from 'node:zlib';

/** By name, in the order of the directory. @throws Error when it is no such file */
export function unzip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0) throw new Error('There is no end of a directory.');
  // The records of ZIP64, where the fields of the end are too small.
  const locator = end - 20;
  const isLarge = locator > 0 && zip.toString('latin1', locator, locator + 4) === 'PK\x06\x07';
  const large = isLarge ? Number(zip.readBigUInt64LE(locator + 8)) : 0;
  const count = isLarge ? Number(zip.readBigUInt64LE(large + 32)) : zip.readUInt16LE(end + 10);
  let at = isLarge ? Number(zip.readBigUInt64LE(large + 48)) : zip.readUInt32LE(end + 16);
  const files = new Map<string, Buffer>();
  for (let index = 0; index < count; index += 1) {
    const [crc, size, length] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24), zip.readUInt16LE(at + 28)];
    const name = zip.toString('utf8', at + 46, at + 46 + length);
    const from = zip.readUInt32LE(at + 42) + 30 + length;
    const bytes = zip.subarray(from, from + size);
    if (crc32(bytes) !== crc) throw new Error(`${name} is damaged.`);
    files.set(name, bytes);
    at += 46 + length + zip.readUInt16LE(at + 30);
  }
  return files;
}
