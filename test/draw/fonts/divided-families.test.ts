// Tests families that come as several files of one weight, as Fontsource and Google serve them: the files are joined, in
// every output and at the edge, and letters that another family draws are named.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Coverage } from '#core/fonts/coverage.ts';
import { findPackage } from '#draw/fonts/catalog.ts';
import { readSfnt, writeSfnt } from '#draw/fonts/sfnt.ts';
import { inspectFont } from '#draw/fonts/user-fonts.ts';
import { subsetFont } from '../../../scripts/studio/interface-font.ts';
import { render as renderAtEdge, renderToSvg } from '../../../src/edge.ts';
import * as library from '../../../src/index.ts';
import { SceneFonts } from '../../../src/studio/editor/core/scene/fonts.ts';
import { fontsOf, poppler } from '../../golden/poppler.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const find = (file: string) => readFileSync(join(findPackage('@expo-google-fonts/bricolage-grotesque') ?? '', file));
const WHOLE = named(find('400Regular/BricolageGrotesque_400Regular.ttf'), { 1: 'Brand', 2: 'Regular' });
// As Google divides them; the space is in both, as in theirs.
const LATIN = await subsetFont(WHOLE, [
  [0x20, 0xff],
  [0x2010, 0x2026],
]);
const EXTENDED = await subsetFont(WHOLE, [
  [0x20, 0x20],
  [0x100, 0x24f],
  [0x300, 0x30c],
]);

/** The font with other names, by name ID, and perhaps other tables. */
function named(font: Uint8Array, names: Record<number, string>, more: Record<string, Uint8Array> = {}): Uint8Array {
  const records = Object.entries(names).map(([id, text]) => ({
    id: Number(id),
    bytes: Buffer.from(text, 'utf16le').swap16(),
  }));
  const table = Buffer.alloc(6 + 12 * records.length);
  table.writeUInt16BE(records.length, 2);
  table.writeUInt16BE(table.length, 4);
  let offset = 0;
  for (const [i, { id, bytes }] of records.entries()) {
    for (const [k, value] of [3, 1, 0x409, id, bytes.length, offset].entries())
      table.writeUInt16BE(value, 6 + 12 * i + 2 * k);
    offset += bytes.length;
  }
  const { version, tables } = readSfnt(Uint8Array.from(font));
  const name = new Uint8Array(Buffer.concat([table, ...records.map(({ bytes }) => bytes)]));
  return writeSfnt({ version, tables: new Map([...tables, ['name', name], ...Object.entries(more)]) });
}

// Letters of both files, without kerning: pairs of two files are not kerned, in browsers neither.
const card = (text: string, fontFamily: string | string[] = 'Brand'): library.TemplateDocument => ({
  ...{ name: 'Card', width: 420, height: 60 },
  layers: [{ name: 'title', type: 'text', x: 10, y: 5, text, fontFamily, fontSize: 32, fontFeatures: { kern: 0 } }],
});
const CZECH = 'Příliš žluťoučký kůň';

async function drawn(files: readonly Uint8Array[], template: library.TemplateDocument, output: library.Output = 'png') {
  await using folder = await temporaryFolder();
  for (const [i, bytes] of files.entries()) writeFileSync(join(folder.path, `${i}.ttf`), bytes);
  return await library.render(template, { fontFolders: [folder.path], output });
}

test('letters of several files are those of the whole font, in either order', async () => {
  for (const output of ['png', 'webp'] as const) {
    const whole = await drawn([WHOLE], card(CZECH), output);
    for (const files of [
      [LATIN, EXTENDED],
      [EXTENDED, LATIN],
    ]) {
      const joined = await drawn(files, card(CZECH), output);
      expect(joined.warnings).toEqual([]);
      expect(Buffer.from(joined.bytes).equals(Buffer.from(whole.bytes))).toBe(true);
    }
  }
});

test.skipIf(!poppler)('a PDF embeds both files, and no other family', async () => {
  const { bytes } = await drawn([EXTENDED, LATIN], card(CZECH), 'pdf');
  expect(fontsOf(bytes).map(({ name }) => name.replace(/^[A-Z]{6}\+/, ''))).toEqual(['Brand-Regular', 'Brand-Regular']);
});

test('the edge joins them too, and names letters of another family', async () => {
  const inter = readFileSync(join(findPackage('@expo-google-fonts/inter') ?? '', '400Regular/Inter_400Regular.ttf'));
  // A path for each run of one file.
  const joinedPaths = (svg: string) => svg.replaceAll('" fill="#000000"/><path d="', '');
  const { svg } = await renderToSvg(card(CZECH), { fonts: [{ data: WHOLE }] });
  for (const fonts of [
    [LATIN, EXTENDED],
    [EXTENDED, LATIN],
  ]) {
    const joined = await renderToSvg(card(CZECH), { fonts: fonts.map((data) => ({ data })) });
    expect(joined.warnings).toEqual([]);
    expect(joinedPaths(joined.svg) === joinedPaths(svg)).toBe(true);
  }
  const { warnings } = await renderAtEdge(card('Ahoj Жďár'), { fonts: [{ data: LATIN }, { data: inter }] });
  expect(warnings).toEqual([
    'Layer "title": "Ж" and "ď" are not in "Brand" and drawn with "Inter". ' +
      'Add a file that has them, or name another family after it.',
  ]);
});

test('the editor chooses the same files', async () => {
  const files = [EXTENDED, LATIN];
  const infos = await Promise.all(files.map((bytes, i) => inspectFont(bytes, String(i))));
  const source = {
    listing: async () => ({
      families: [
        { family: 'Brand', scripts: [], faces: infos.map((info, i) => ({ ...info, id: String(i), isEmoji: false })) },
      ],
      ...{ generic: {}, installable: [] },
    }),
    coverage: async () => Object.fromEntries(infos.map(({ coverage }, i) => [i, coverage.toString()])),
    face: async (id: string) => Uint8Array.from(files[Number(id)] ?? []),
  };
  const fonts = await SceneFonts.open(source, { now: () => 0 });
  const query = { families: ['Brand'], weight: 400, style: 'normal', variations: {}, lang: null } as const;
  const needs = [{ query, text: CZECH, layer: 'title' }];
  await fonts.load(needs);
  const chain = fonts.ready(needs)?.fonts.chain(query) ?? [];
  expect(chain.map(({ face }) => [face.key, face.has(0x65), face.has(0x159)])).toEqual([
    ['1', true, false],
    ['0', false, true],
  ]);
});

test('letters that come from another family are named, unless a family of the style has them', async () => {
  const said = async (template: library.TemplateDocument, files = [LATIN]) => (await drawn(files, template)).warnings;
  expect(await said(card(CZECH))).toEqual([
    'Layer "title": "ř", "š", "ž", "ť", "č" and 2 more are not in "Brand" and drawn with "Inter". ' +
      'Add a file that has them, or name another family after it.',
  ]);
  expect(await said(card('Ж'), [LATIN, EXTENDED])).toEqual([
    expect.stringContaining('"Ж" is not in "Brand" and drawn with "Inter".'),
  ]);
  expect(await said(card(CZECH, ['Brand', 'Inter']))).toEqual([]);
  // Emoji, arrows and digits of other scripts are no letters.
  expect(await said(card('Ano 👋 → ٣'))).toEqual([]);
  // What completes a family of the catalogue, and what it should have itself.
  expect(await said(card('שלום Ελλάδα', 'Playfair Display'), [])).toEqual([]);
  expect(await said(card('ꬰ', 'Playfair Display'), [])).toEqual([
    expect.stringContaining('"ꬰ" is not in "Playfair Display"'),
  ]);
});

test('a composed letter is found in one file if its parts are in two', async () => {
  const composed = await subsetFont(WHOLE, [
    [0x20, 0x20],
    [0x159, 0x159],
  ]);
  const { warnings, bytes } = await drawn([LATIN, composed], card('r\u030c'));
  const whole = await drawn([WHOLE], card('ř'));
  expect(warnings).toEqual([]);
  expect(Buffer.from(bytes).equals(Buffer.from(whole.bytes))).toBe(true);
});

test('a file of a few letters precedes the whole for these alone, and lines keep the height of the whole', async () => {
  const letter = await subsetFont(named(find('700Bold/BricolageGrotesque_700Bold.ttf'), { 1: 'Brand', 2: 'Regular' }), [
    [0x41, 0x41],
  ]);
  const os2 = readSfnt(letter).tables.get('OS/2');
  new DataView(os2?.buffer ?? new ArrayBuffer(0), os2?.byteOffset).setUint16(4, 400);
  const info = await inspectFont(letter, 'a');
  expect([info.weight, info.coverage.toString()]).toEqual([400, Coverage.of([0x41]).toString()]);
  const [patched, plain] = [await drawn([letter, WHOLE], card('xAx'), 'svg'), await drawn([WHOLE], card('xAx'), 'svg')];
  const [before, after] = [plain, patched].map(({ bytes }) => Buffer.from(bytes).toString());
  expect(after === before).toBe(false);
  expect((await drawn([letter, WHOLE], card('xx'), 'svg')).bytes).toEqual(
    (await drawn([WHOLE], card('xx'), 'svg')).bytes,
  );
});

/** `fvar` with one weight axis, and an instance of each name at its weight. */
function weightAxis(initial: number, instances: readonly (readonly [nameId: number, weight: number])[]): Uint8Array {
  const table = Buffer.alloc(16 + 20 + 8 * instances.length);
  for (const [k, value] of [1, 0, 16, 2, 1, 20, instances.length, 8].entries()) table.writeUInt16BE(value, 2 * k);
  table.write('wght', 16, 'latin1');
  for (const [k, value] of [200, initial, 900].entries()) table.writeInt32BE(value * 65536, 20 + 4 * k);
  table.writeUInt16BE(257, 34);
  for (const [i, [nameId, weight]] of instances.entries()) {
    table.writeUInt16BE(nameId, 36 + 8 * i);
    table.writeInt32BE(weight * 65536, 40 + 8 * i);
  }
  return new Uint8Array(table);
}

test.each([
  ['Mona Sans ExtraLight', { 256: 'ExtraLight' }, 'Mona Sans'],
  ['Mona Sans Extra Light', { 256: 'ExtraLight' }, 'Mona Sans'],
  ['Mona Sans ExtraLight', { 2: 'Italic', 256: 'ExtraLight Italic' }, 'Mona Sans'],
  ['Mona Sans Condensed Thin', { 256: 'Condensed Thin' }, 'Mona Sans'],
  ['Mona Sans', { 256: 'Regular' }, 'Mona Sans'],
  ['Archivo Black', { 256: 'Regular' }, 'Archivo Black'],
  ['Light', { 256: 'Light' }, 'Light'],
  ['Mona Sans ExtraLight', { 16: 'Mona ExtraLight', 256: 'ExtraLight' }, 'Mona ExtraLight'],
])('a variable font named %s with %j is of the family %s', async (family, names, expected) => {
  const fvar = weightAxis(200, [
    [258, 900],
    [256, 200],
  ]);
  const font = named(LATIN, { 1: family, 2: 'Regular', 257: 'Weight', 258: 'Black', ...names }, { fvar });
  expect((await inspectFont(font, 'a')).family).toBe(expected);
});
