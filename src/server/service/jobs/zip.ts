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

/**
 * Beyond `MAX_ZIP_FILES` or `MAX_ZIP` it is ZIP64 (4.3.14, 4.5.3), which some old programs cannot read. Its directory, some
 * 100 bytes a file, is kept until the end.
 *
 * @param files each below 4 GiB
 * @throws Error when a file's size differs from the size stated for it
 */
export async function* zip(files: Iterable<ZipFile> | AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  const central: Buffer[] = [];
  let [offset, count] = [0, 0];
  for await (const { name, size, read } of files) {
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
    place.writeUInt32LE(Math.min(offset, MAX_ZIP), 10);
    const far = Buffer.alloc(offset < MAX_ZIP ? 0 : 12);
    if (far.length > 0) {
      far.writeUInt16LE(1);
      far.writeUInt16LE(8, 2);
      far.writeBigUInt64LE(BigInt(offset), 4);
      about.writeUInt16LE(45, 0);
    }
    about.writeUInt16LE(far.length, 24);
    // Version made by: 2.0; then the fields of the local header.
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), about, place, encoded, far]));
    if (central.length === 500) directory.push(Buffer.concat(central.splice(0)));
    offset += LOCAL_HEADER + encoded.length + size;
    count += 1;
  }
  directory.push(...central);
  yield* directory;
  yield endOf(
    count,
    offset,
    directory.reduce((sum, { length }) => sum + length, 0),
  );
}

/** The end of the directory (4.3.16), with the records of ZIP64 before it where its fields are too small. */
function endOf(count: number, offset: number, length: number): Buffer {
  const end = Buffer.alloc(END);
  end.write('PK\x05\x06');
  end.writeUInt16LE(Math.min(count, MAX_ZIP_FILES), 8);
  end.writeUInt16LE(Math.min(count, MAX_ZIP_FILES), 10);
  end.writeUInt32LE(Math.min(length, MAX_ZIP), 12);
  end.writeUInt32LE(Math.min(offset, MAX_ZIP), 16);
  if (count <= MAX_ZIP_FILES && offset < MAX_ZIP && length < MAX_ZIP) return end;
  const large = Buffer.alloc(56 + 20);
  large.write('PK\x06\x06');
  large.writeUInt32LE(44, 4);
  large.writeUInt16LE(45, 12);
  large.writeUInt16LE(45, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(length), 40);
  large.writeBigUInt64LE(BigInt(offset), 48);
  large.write('PK\x06\x07', 56);
  large.writeBigUInt64LE(BigInt(offset + length), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, end]);
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
