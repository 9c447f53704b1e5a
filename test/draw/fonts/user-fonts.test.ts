// Tests font files that users put into a folder: what is read from them, and why others are skipped.

import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { compress } from 'wawoff2';
import { findPackage } from '#draw/fonts/catalog.ts';
import { readSfnt, tagValue, viewOf, writeSfnt } from '#draw/fonts/sfnt.ts';
import { inspectFont, MAX_FONT_FILE, scanFonts } from '#draw/fonts/user-fonts.ts';
import { unwrapWoff } from '#draw/fonts/woff.ts';
import { seeded } from '../../seeded.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-fonts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PACKAGE = '@expo-google-fonts/bricolage-grotesque';
const ttf = Uint8Array.from(readFileSync(join(findPackage(PACKAGE) ?? '', '700Bold/BricolageGrotesque_700Bold.ttf')));
const woff2 = Buffer.from(await compress(ttf));

/** Puts one file into its own folder and returns the result of the scan. */
async function scan(name: string, bytes: Uint8Array): Promise<string> {
  const place = mkdtempSync(join(folder, 'case-'));
  writeFileSync(join(place, name), bytes);
  const { faces, skipped } = await scanFonts([place]);
  const found = faces.map(({ family, weight, style, axes, coverage }) =>
    [family, weight, style, ...Object.keys(axes), `${coverage.size} code points`].join(' '),
  );
  return [...found, ...skipped.map((sentence) => sentence.replace(`${place}/`, ''))].join('; ');
}

async function check(name: string, bytes: Uint8Array, expected: string): Promise<void> {
  expect(await scan(name, bytes)).toBe(expected);
}

/** A copy of the font with some tables replaced, or removed if null. */
function withTables(changes: Readonly<Record<string, Uint8Array | null>>): Uint8Array {
  const font = readSfnt(ttf);
  const tables = new Map(font.tables);
  for (const [tag, table] of Object.entries(changes)) {
    if (table) tables.set(tag, table);
    else tables.delete(tag);
  }
  return writeSfnt({ version: font.version, tables });
}

function edited(tag: string, edit: (view: DataView) => void): Uint8Array {
  const table = Uint8Array.from(readSfnt(ttf).tables.get(tag) ?? []);
  edit(viewOf(table));
  return withTables({ [tag]: table });
}

const fingerprint = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function bytesOf(...uint16s: number[]): Uint8Array {
  return Uint8Array.from(uint16s.flatMap((value) => [value >> 8, value & 0xff]));
}

/** The same font as WOFF 1 with every table compressed. */
function woff1(edit: (view: DataView) => void = () => {}): Uint8Array {
  const { version, tables } = readSfnt(ttf);
  let offset = 44 + 20 * tables.size;
  const packed = [...tables].map(([tag, table]) => {
    const deflated = deflateSync(table);
    const data = deflated.length < table.length ? deflated : Buffer.from(table);
    const entry = { tag, table, data, offset };
    offset += data.length;
    return entry;
  });
  const bytes = new Uint8Array(offset);
  const view = viewOf(bytes);
  view.setUint32(0, tagValue('wOFF'));
  view.setUint32(4, version);
  view.setUint16(12, tables.size);
  for (const [i, entry] of packed.entries()) {
    const record = 44 + 20 * i;
    view.setUint32(record, tagValue(entry.tag));
    view.setUint32(record + 4, entry.offset);
    view.setUint32(record + 8, entry.data.length);
    view.setUint32(record + 12, entry.table.length);
    bytes.set(entry.data, entry.offset);
  }
  edit(view);
  return bytes;
}

const BRICOLAGE = 'Bricolage Grotesque 700 normal 527 code points';
test('TTF', () => check('a.ttf', ttf, BRICOLAGE));
test('TrueType by Apple’s own name for it', () => {
  const apple = Uint8Array.from(ttf);
  apple.set([...'true'].map((letter) => letter.charCodeAt(0)));
  return check('a.ttf', apple, BRICOLAGE);
});
test('WOFF2', () => check('a.woff2', woff2, BRICOLAGE));
test('WOFF', () => check('a.woff', woff1(), BRICOLAGE));
test('the content decides, not the ending', () => check('a.otf', woff2, BRICOLAGE));
test('other files are not looked at', () => check('catalog.json', ttf, ''));
test('a folder that is not there is empty', async () =>
  expect(await scanFonts([join(folder, 'nowhere')])).toEqual({ faces: [], skipped: [] }));

test('an italic says so in fsSelection', () =>
  check(
    'a.ttf',
    edited('OS/2', (os2) => os2.setUint16(62, 1)),
    'Bricolage Grotesque 700 italic 527 code points',
  ));
test('a thin that calls itself 250', async () => {
  const os2 = edited('OS/2', (view) => view.setUint16(4, 250));
  expect(await scan('a.ttf', os2)).toContain('Grotesque 250');
});
test('a variable font', () => {
  // One axis: wght, 200 to 800, default 400, as 16.16; name 256; no instances.
  const axis = [0x7767, 0x6874, 200, 0, 400, 0, 800, 0, 0, 256];
  const fvar = bytesOf(1, 0, 16, 2, 1, 20, 0, 8, ...axis);
  return check('a.ttf', withTables({ fvar }), 'Bricolage Grotesque 700 normal wght 527 code points');
});

test('nothing in it', () => check('a.ttf', new Uint8Array(0), 'a.ttf: The file is too short to be a font.'));
test('no font', () =>
  check(
    'a.ttf',
    Buffer.from('<html>hello</html>'),
    'a.ttf: The file is not a TrueType, OpenType, WOFF or WOFF2 font.',
  ));
test('a collection', () =>
  check(
    'a.ttc',
    Buffer.from('ttcf00000000'),
    'a.ttc: Font collections (TTC, OTC) are not supported; extract the one font.',
  ));
test('cut off', async () =>
  expect(await scan('a.ttf', ttf.subarray(0, 40_000))).toMatch(/^a.ttf: .* table is cut off\.$/));
test('too large a file', () =>
  check('a.ttf', new Uint8Array(MAX_FONT_FILE + 1), 'a.ttf: A font file may have at most 5 MiB.'));
test('no outlines', () =>
  check('a.ttf', withTables({ glyf: null }), 'a.ttf: The font has no outlines (bitmap fonts do not scale).'));
test('no glyphs', () =>
  check(
    'a.ttf',
    edited('maxp', (maxp) => maxp.setUint16(4, 0)),
    'a.ttf: The font has no glyphs.',
  ));
test('no names', () => check('a.ttf', withTables({ name: null }), 'a.ttf: The font has no "name" table.'));
test('a size of the em that no font has', async () => {
  const font = edited('head', (head) => head.setUint16(18, 5));
  const sentence = 'The font has 5 units per em, not 16..16384.';
  await check('a.ttf', font, `a.ttf: ${sentence}`);
  await expect(inspectFont(font, 'a.ttf')).rejects.toMatchObject({ code: 'invalid_request', message: sentence });
});
test('a family name that is cut between two words ends with a letter', async () => {
  const family = `${'A'.repeat(99)} Bold`;
  const text = [...family].map((letter) => letter.charCodeAt(0));
  const { length } = family;
  const name = bytesOf(0, 2, 30, 3, 1, 0x409, 1, 2 * length, 0, 3, 1, 0x409, 2, 2, 0, ...text);
  expect((await inspectFont(withTables({ name }), 'a.ttf')).family).toBe('A'.repeat(99));
});
test('a licence that forbids embedding', () =>
  check(
    'a.ttf',
    edited('OS/2', (os2) => os2.setUint16(8, 2)),
    'a.ttf: The licence bits of "Bricolage Grotesque" (OS/2 fsType) forbid embedding a subset in a document, as a PDF would.',
  ));
test('a licence for preview and print is enough', () =>
  check(
    'a.ttf',
    edited('OS/2', (os2) => os2.setUint16(8, 4)),
    BRICOLAGE,
  ));

test('a WOFF2 that declares a huge font is never unpacked', () => {
  const bomb = Uint8Array.from(woff2);
  viewOf(bomb).setUint32(16, 0xf0000000);
  return check('a.woff2', bomb, 'a.woff2: The font unpacks to more than 32 MiB.');
});
test('a damaged WOFF2', async () => {
  const broken = Uint8Array.from(woff2);
  broken.fill(0x5a, 2000, 4000);
  expect(await scan('a.woff2', broken)).toBe('a.woff2: The WOFF2 file is damaged.');
  expect(await scan('a.woff2', woff2)).toBe(BRICOLAGE);
});
test('WOFF2 files that are unpacked at once keep their own bytes, also beside a damaged one', async () => {
  const files: Uint8Array[] = [Buffer.from(woff2).fill(0x5a, 2000, 4000)];
  const alone = ['damaged'];
  // One after another, since the compressor has the same trait.
  for (const tag of ['aaaa', 'bbbb', 'cccc', 'dddd']) {
    const file = Buffer.from(await compress(withTables({ [tag]: new TextEncoder().encode(tag.repeat(1000)) })));
    files.push(file);
    alone.push(fingerprint(await unwrapWoff(file)));
  }
  const runToEnd = await Promise.all(files.map((file) => unwrapWoff(file).then(fingerprint, () => 'damaged')));
  expect(runToEnd).toEqual(alone);
  expect(new Set(alone).size).toBe(files.length);
});
test('a WOFF whose table unpacks to more than it declares', () =>
  check(
    'a.woff',
    woff1((view) => view.setUint32(44 + 12, view.getUint32(44 + 12) - 1)),
    'a.woff: The WOFF file is damaged.',
  ));
test('a WOFF that declares a huge table', () =>
  check(
    'a.woff',
    woff1((view) => view.setUint32(44 + 12, 0xf0000000)),
    'a.woff: The font unpacks to more than 32 MiB.',
  ));

test('a cmap that would be walked for ever', () => {
  // Format 12, one group: all of 0 to 0xFFFFFFFF.
  const cmap = bytesOf(0, 1, 3, 10, 0, 12, 12, 0, 0, 28, 0, 0, 0, 1, 0, 0, 0xffff, 0xffff, 0, 1);
  return check('a.ttf', withTables({ cmap }), 'a.ttf: The font maps no Unicode characters to glyphs.');
});
test('a cmap that maps all of Unicode with one group', () => {
  const cmap = (format: number) => bytesOf(0, 1, 3, 10, 0, 12, format, 0, 0, 28, 0, 0, 0, 1, 0, 1, 0x10, 0xffff, 0, 1);
  const sentence = 'a.ttf: The font maps more than 200,000 code points to glyphs.';
  return Promise.all([12, 13].map((format) => check('a.ttf', withTables({ cmap: cmap(format) }), sentence)));
});
test('a cmap of 200,000 code points', () => {
  const cmap = bytesOf(0, 1, 3, 10, 0, 12, 13, 0, 0, 28, 0, 0, 0, 1, 0, 1, 3, 0xd40, 0, 1);
  return check('a.ttf', withTables({ cmap }), 'Bricolage Grotesque 700 normal 200000 code points');
});
test('a cmap that says it is longer than it is', () => {
  const cmap = bytesOf(0, 1, 3, 10, 0, 12, 12, 0, 0, 28, 0, 0, 0xffff, 0xffff, 0, 1, 0, 2, 0, 1);
  return check('a.ttf', withTables({ cmap }), 'a.ttf: The font’s tables are damaged.');
});
test('names that would take for ever to decode', async () => {
  const records = Array.from({ length: 2000 }, () => [3, 1, 0x409, 1, 0xffff, 0]).flat();
  const name = bytesOf(0, 2000, 6, ...records);
  expect(await scan('a.ttf', withTables({ name }))).toBe('a.ttf: The font’s "name" table is too large.');
});

test('one broken file stops no other, and equal files are one face', async () => {
  const place = mkdtempSync(join(folder, 'case-'));
  writeFileSync(join(place, '1.ttf'), 'broken');
  writeFileSync(join(place, '2.ttf'), ttf);
  writeFileSync(join(place, '3.TTF'), ttf);
  const { faces, skipped } = await scanFonts([place]);
  expect(faces.map(({ path }) => path)).toEqual([join(place, '2.ttf')]);
  expect(skipped).toHaveLength(1);
});

test('a face is identified by 128 bits of its file, since accounts share caches', async () => {
  const { id } = await inspectFont(ttf, 'a.ttf');
  expect(id).toBe(`Bricolage Grotesque 700 normal ${fingerprint(ttf).slice(0, 32)}`);
});

/** Changes some bytes, mostly in the tables that are read; the same ones in every run. */
function mutated(bytes: Uint8Array, seed: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const random = seeded(seed);
  for (let i = 0; i < 12; i++) copy[random(i < 6 ? 400 : copy.length)] = random(256);
  return copy;
}

test('whatever is in them, files end as a face or as a sentence', async () => {
  const place = mkdtempSync(join(folder, 'case-'));
  for (let i = 0; i < 60; i++) {
    writeFileSync(join(place, `${i}.ttf`), mutated(ttf, i));
    writeFileSync(join(place, `${i}.woff`), mutated(woff1(), i));
    writeFileSync(join(place, `${i}.woff2`), mutated(woff2, i));
  }
  const { faces, skipped } = await scanFonts([place]);
  expect(faces.length + skipped.length).toBe(180);
  expect(skipped.filter((sentence) => !/: .*\.$/.test(sentence))).toEqual([]);
});
