// Writes a ZIP file as it is sent: files as they are, since pictures do not shrink (PKWARE APPNOTE 6.3.10).
//
// Only one file is in memory at a time, and the length is known before the first is read.

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
/** Names are UTF-8 (4.4.4, bit 11). */
const UTF8 = 0x0800;
/** 1980-01-01, where MS-DOS time begins: the same files give the same bytes. */
const DATE = 0x0021;

/** Bytes of the whole. */
export function zipLength(files: readonly ZipFile[]): number {
  const each = files.map(({ name, size }) => LOCAL_HEADER + CENTRAL_HEADER + 2 * Buffer.byteLength(name) + size);
  return each.reduce((sum, length) => sum + length, END);
}

/** At most 65,535 files of 4 GiB together. @throws Error when a file has not the size that it was said to have */
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
    // Made by version 2.0, then what the local header says.
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

/** Names that every file system takes, each once: what comes again gets a number. */
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

/** Without separators, control characters and what Windows refuses. */
function fileName(wanted: string): string {
  const safe = wanted
    .normalize('NFC')
    .replace(/[\p{C}\\/:*?"<>|]+/gu, '-')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const short = [...safe].slice(0, MAX_NAME).join('').trimEnd();
  return short === '' || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(short) ? `_${short}` : short;
}
