// Writes a ZIP file as a stream, with its files stored uncompressed, since images do not shrink (PKWARE APPNOTE
// 6.3.10).
//
// Only one file is in memory at a time, and the total length is known before the first is read.

import { crc32 } from 'node:zlib';

export interface ZipFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  read(): Promise<Uint8Array>;
}

const LOCAL_HEADER = 30;
const CENTRAL_HEADER = 46;
const END = 22;
/** General purpose bit 11 (4.4.4): names are UTF-8. */
const UTF8 = 0x0800;
/** 1980-01-01, the MS-DOS epoch. Fixed, so that the same files give the same bytes. */
const DATE = 0x0021;

/** Length of the ZIP file, bytes. */
export function zipLength(files: readonly ZipFile[]): number {
  const each = files.map(({ name, size }) => LOCAL_HEADER + CENTRAL_HEADER + 2 * Buffer.byteLength(name) + size);
  return each.reduce((sum, length) => sum + length, END);
}

/** At most 65,535 files and 4 GiB in total. @throws Error when a file's size differs from the size stated for it */
export async function* zip(files: readonly ZipFile[]): AsyncGenerator<Uint8Array> {
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, size, read } of files) {
    const bytes = await read();
    if (bytes.length !== size) throw new Error(`${name} has ${bytes.length} bytes, not ${size}.`);
    const encoded = Buffer.from(name);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(UTF8, 2);
    about.writeUInt16LE(DATE, 8);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(size, 14);
    about.writeUInt32LE(size, 18);
    about.writeUInt16LE(encoded.length, 22);
    yield Buffer.concat([Buffer.from('PK\x03\x04'), about, encoded]);
    yield bytes;
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    // Version made by: 2.0; then the fields of the local header.
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), about, place, encoded]));
    offset += LOCAL_HEADER + encoded.length + size;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(END);
  end.write('PK\x05\x06');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  yield Buffer.concat([directory, end]);
}

const MAX_NAME = 100;

/** Makes names valid on every file system and unique: a repeated name gets a number. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((wanted) => {
    const base = fileName(wanted);
    let name = base;
    for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${base}-${count}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

/** Removes path separators, control characters and what Windows refuses. */
function fileName(wanted: string): string {
  const safe = wanted
    .normalize('NFC')
    .replace(/[\p{C}\\/:*?"<>|]+/gu, '-')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const short = [...safe].slice(0, MAX_NAME).join('').trimEnd();
  return short === '' || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(short) ? `_${short}` : short;
}
