// Reads and writes sfnt files (TrueType, OpenType) as tables. Every offset is checked; the contents of tables are not
// read.

import { AppError } from '#base/errors.ts';

/** A font file has some 20 tables; the format would allow 65,535. */
const MAX_TABLES = 128;

/** `true` is Apple's version tag for TrueType. `typ1` wraps PostScript fonts, which are obsolete. */
const SFNT_VERSIONS: readonly number[] = [0x00010000, tagValue('OTTO'), tagValue('true')];

export interface Sfnt {
  /** 0x00010000 or `true` for TrueType outlines, `OTTO` for CFF. */
  readonly version: number;
  /** By tag, in the file's order; views into the file. */
  readonly tables: ReadonlyMap<string, Uint8Array>;
}

/** Converts a tag such as `'wOF2'` to its number in a file. */
export function tagValue(tag: string): number {
  return [...tag].reduce((value, character) => value * 256 + character.charCodeAt(0), 0);
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function readTag(view: DataView, offset: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(offset + i)));
}

/** @throws AppError `invalid_request` when it is not an sfnt file, or a table lies outside the file */
export function readSfnt(bytes: Uint8Array): Sfnt {
  if (bytes.length < 12) throw new AppError('invalid_request', 'The file is too short to be a font.');
  const view = viewOf(bytes);
  const version = view.getUint32(0);
  if (version === tagValue('ttcf')) {
    throw new AppError('invalid_request', 'Font collections (TTC, OTC) are not supported; extract the one font.');
  }
  if (!SFNT_VERSIONS.includes(version)) {
    throw new AppError('invalid_request', 'The file is not a TrueType, OpenType, WOFF or WOFF2 font.');
  }
  const count = view.getUint16(4);
  if (count > MAX_TABLES || 12 + 16 * count > bytes.length) {
    throw new AppError('invalid_request', 'The font’s table directory is damaged.');
  }
  const tables = new Map<string, Uint8Array>();
  for (let i = 0; i < count; i++) {
    const record = 12 + 16 * i;
    const tag = readTag(view, record);
    const start = view.getUint32(record + 8);
    const end = start + view.getUint32(record + 12);
    if (end > bytes.length) throw new AppError('invalid_request', `The font’s "${tag.trim()}" table is cut off.`);
    tables.set(tag, bytes.subarray(start, end));
  }
  return { version, tables };
}

/** Writes tables as a file. Checksums stay zero, because no reader here checks them. */
export function writeSfnt({ version, tables }: Sfnt): Uint8Array {
  const padded = (length: number) => (length + 3) & ~3;
  const entries = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
  const start = 12 + 16 * entries.length;
  const bytes = new Uint8Array(entries.reduce((size, [, table]) => size + padded(table.length), start));
  const view = viewOf(bytes);
  view.setUint32(0, version);
  view.setUint16(4, entries.length);
  let offset = start;
  for (const [i, [tag, table]] of entries.entries()) {
    const record = 12 + 16 * i;
    view.setUint32(record, tagValue(tag));
    view.setUint32(record + 8, offset);
    view.setUint32(record + 12, table.length);
    bytes.set(table, offset);
    offset += padded(table.length);
  }
  return bytes;
}
