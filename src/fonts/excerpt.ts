// The part of a font file that opentype.js is shown: the tables that hold a catalogue's facts, and of those no more
// than can be read in bounded time.
//
// opentype.js walks every table it meets, trusts each count in it and stops at tables newer than itself (COLR v1,
// some GSUB lookups). Glyphs, layout and colour are HarfBuzz's affair, so they are left out here.

import { AppError } from '#errors';
import { type Sfnt, tagValue, viewOf, writeSfnt } from './sfnt.ts';

const MAX_AXES = 64;
/** Together, in all languages, bytes; licences are the long ones. */
const MAX_NAMES = 1024 * 1024;
const LAST_CODE_POINT = 0x10ffff;

/** @throws AppError `invalid_request` when a table is missing, damaged or larger than any real font's */
export function excerpt(font: Sfnt): Uint8Array {
  const tables = new Map<string, Uint8Array>();
  try {
    for (const tag of ['head', 'OS/2']) tables.set(tag, requireTable(font, tag));
    tables.set('name', boundedNames(requireTable(font, 'name')));
    tables.set('cmap', unicodeCmap(requireTable(font, 'cmap')));
    const fvar = font.tables.get('fvar');
    if (fvar) tables.set('fvar', axesOnly(fvar));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid_request', 'The font’s tables are damaged.', { cause: error });
  }
  // It insists on outlines: here are none, of no glyphs.
  tables.set('maxp', Uint8Array.of(0, 0, 0x50, 0, 0, 0));
  tables.set('glyf', new Uint8Array(4));
  tables.set('loca', new Uint8Array(4));
  tables.set('hmtx', new Uint8Array(4));
  return writeSfnt({ version: 0x00010000, tables });
}

function requireTable(font: Sfnt, tag: string): Uint8Array {
  const table = font.tables.get(tag);
  if (!table) throw new AppError('invalid_request', `The font has no "${tag}" table.`);
  return table;
}

/** Many records may name one long string, and each would be decoded anew. */
function boundedNames(name: Uint8Array): Uint8Array {
  const view = viewOf(name);
  let total = 0;
  for (let i = 0; i < view.getUint16(2); i++) total += view.getUint16(6 + 12 * i + 8);
  if (total > MAX_NAMES) throw new AppError('invalid_request', 'The font’s "name" table is too large.');
  return name;
}

/** Named instances say nothing that the axes do not. */
function axesOnly(fvar: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(fvar);
  const view = viewOf(copy);
  if (view.getUint16(8) > MAX_AXES) throw new AppError('invalid_request', `The font has more than ${MAX_AXES} axes.`);
  view.setUint16(12, 0);
  return copy;
}

/** Unicode subtables as (platform, encoding), the fullest first; (3, 0) is a symbol font's. */
const UNICODE_ENCODINGS = [
  [3, 10],
  [0, 6],
  [0, 4],
  [3, 1],
  [0, 3],
  [0, 2],
  [0, 1],
  [0, 0],
  [3, 0],
] as const;

/** A `cmap` of the one subtable that maps Unicode, its ranges known to be disjoint. */
function unicodeCmap(cmap: Uint8Array): Uint8Array {
  const view = viewOf(cmap);
  const subtables = new Map<string, number>();
  for (let i = 0; i < view.getUint16(2); i++) {
    const record = 4 + 8 * i;
    subtables.set(`${view.getUint16(record)} ${view.getUint16(record + 2)}`, view.getUint32(record + 4));
  }
  for (const [platform, encoding] of UNICODE_ENCODINGS) {
    const offset = subtables.get(`${platform} ${encoding}`);
    if (offset === undefined) continue;
    const subtable = cmap.subarray(offset);
    if (!isReadable(subtable)) continue;
    const table = new Uint8Array(12 + subtable.length);
    const header = viewOf(table);
    header.setUint16(2, 1);
    header.setUint16(4, platform);
    header.setUint16(6, encoding);
    header.setUint32(8, 12);
    table.set(subtable, 12);
    return table;
  }
  throw new AppError('invalid_request', 'The font maps no Unicode characters to glyphs.');
}

/** Whether the subtable is of a format that opentype.js reads, with ascending ranges, so that a walk over it ends. */
function isReadable(subtable: Uint8Array): boolean {
  const view = viewOf(subtable);
  const format = view.getUint16(0);
  let last = -1;
  const follows = (start: number, end: number) => {
    const ok = start > last && end >= start && end <= LAST_CODE_POINT;
    last = end;
    return ok;
  };
  if (format === 4) {
    const segments = view.getUint16(6) >> 1;
    for (let i = 0; i < segments; i++) {
      if (!follows(view.getUint16(16 + 2 * segments + 2 * i), view.getUint16(14 + 2 * i))) return false;
    }
    return true;
  }
  if (format === 12 || format === 13) {
    for (let i = 0; i < view.getUint32(12); i++) {
      const group = 16 + 12 * i;
      if (!follows(view.getUint32(group), view.getUint32(group + 4))) return false;
    }
    return true;
  }
  return false;
}

/** Whether glyphs are drawn by outlines, of the kind that the file's version says. */
export function hasOutlines({ version, tables }: Sfnt): boolean {
  if (version === tagValue('OTTO')) return tables.has('CFF ') || tables.has('CFF2');
  return tables.has('glyf') && tables.has('loca');
}
