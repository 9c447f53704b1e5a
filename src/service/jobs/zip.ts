// Writes a ZIP file as a stream, with its files stored uncompressed, since images do not shrink (PKWARE APPNOTE
// 6.3.10).
//
// No file is wholly in memory, and the total length is known before the first is read. A large file is read twice: its
// checksum comes before its bytes.

import { crc32 } from 'node:zlib';
import { withoutEnd } from '#core/without-end.ts';

export interface ZipFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Its bytes, which are the same each time. */
  read(): AsyncIterable<Uint8Array>;
}

/** Maximum files and bytes of a ZIP file that every program can read (4.4.21, 4.4.24: without ZIP64). */
export const MAX_ZIP_FILES = 65_535;
export const MAX_ZIP = 2 ** 32 - 1;

/** Files of at most this size are read once, bytes. */
const SMALL = 64 * 1024;

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

/** At most `MAX_ZIP_FILES` and `MAX_ZIP`. @throws Error when a file's size differs from the size stated for it */
export async function* zip(files: readonly ZipFile[]): AsyncGenerator<Uint8Array> {
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, size, read } of files) {
    const kept: Uint8Array[] = [];
    let [sum, length] = [0, 0];
    for await (const chunk of read()) {
      sum = crc32(chunk, sum);
      length += chunk.length;
      if (size <= SMALL) kept.push(chunk);
    }
    if (length !== size) throw new Error(`${name} has ${length} bytes, not ${size}.`);
    const encoded = Buffer.from(name);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(UTF8, 2);
    about.writeUInt16LE(DATE, 8);
    about.writeUInt32LE(sum, 10);
    about.writeUInt32LE(size, 14);
    about.writeUInt32LE(size, 18);
    about.writeUInt16LE(encoded.length, 22);
    yield Buffer.concat([Buffer.from('PK\x03\x04'), about, encoded]);
    yield* size <= SMALL ? kept : read();
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
/** What is read of a value that files are named by: normalising many marks takes quadratic time. */
const MAX_WANTED = 1_000;

/** Makes names valid on every file system and unique: a repeated name gets a number. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  // The last number of each repeated name: counting from 2 each time would take quadratic time.
  const counts = new Map<string, number>();
  return names.map((wanted) => {
    const base = fileName(wanted);
    const key = base.toLowerCase();
    let name = base;
    let count = counts.get(key) ?? 1;
    while (taken.has(name.toLowerCase())) {
      count += 1;
      name = `${base}-${count}`;
    }
    counts.set(key, count);
    taken.add(name.toLowerCase());
    return name;
  });
}

/** Names of devices, which Windows finds in every folder, whatever follows a dot. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;
/** First characters that make a name an option of a command, a formula of a spreadsheet or a home folder. */
const SPECIAL_START = /^[-=+@~]/;

/** Removes path separators, control characters and what Windows refuses; what has a special meaning gets a `_` first. */
function fileName(wanted: string): string {
  const safe = wanted
    .slice(0, MAX_WANTED)
    .normalize('NFC')
    .replace(/[\p{C}\\/:*?"<>|]+/gu, '-')
    .replace(/^[\s.]+/, '');
  const short = [...withoutEnd(safe, /[\s.]/)].slice(0, MAX_NAME).join('').trimEnd();
  return short === '' || DEVICE.test(short) || SPECIAL_START.test(short) ? `_${short}` : short;
}
