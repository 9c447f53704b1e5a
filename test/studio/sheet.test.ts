// Tests the studio's CSV parser: RFC 4180, and the dialects that spreadsheets write.

import { expect, test } from 'vitest';
import { writeCsv } from '#design/csv-text.ts';
import {
  guessTargets,
  parseCsv,
  readSheet,
  rowOf,
  targetOf,
  textOfSheet,
} from '../../src/studio/editor/core/document/sheet.ts';

const check = (text: string, ...rows: readonly (readonly string[])[]) => expect(parseCsv(text)).toEqual(rows);

test('cells and lines', () => check('a,b\nc,d\n', ['a', 'b'], ['c', 'd']));
test('lines of Windows, and the last without an end', () => check('a,b\r\nc,d', ['a', 'b'], ['c', 'd']));
test('quotes hold separators, lines and quotes', () => check('"a,""b""\nc",d', ['a,"b"\nc', 'd']));
test('a byte order mark and blank lines are left out', () => check('\uFEFFa\n\nb\n', ['a'], ['b']));
test('semicolons, where the first line has them', () => check('a;b\n1,5;2', ['a', 'b'], ['1,5', '2']));
test('tabs, as pasted from a spreadsheet', () => check('a\tb, c\nx\ty', ['a', 'b, c'], ['x', 'y']));
test('tabs, however many commas are in the cells', () => check('a, b, c\t1,5\nx\ty', ['a, b, c', '1,5'], ['x', 'y']));
test('separators in quotes do not count', () => check('"a,b,c";d\n1;2', ['a,b,c', 'd'], ['1', '2']));
test('empty cells stay', () => check('a,b,c\n,,x', ['a', 'b', 'c'], ['', '', 'x']));
test('a quote that is never closed ends with the text', () => check('a\n"b', ['a'], ['b']));

test('a first line names the separator', () => check('sep=;\r\na,b;c\n1;2', ['a,b', 'c'], ['1', '2']));

test.each([
  ['UTF-8', Buffer.from('größe;maß\n1;2')],
  ['UTF-8 with its mark', Buffer.from('\uFEFFgröße;maß\n1;2')],
  ['UTF-16 with its mark', Buffer.from('\uFEFFgröße;maß\n1;2', 'utf16le')],
  ['UTF-16 without', Buffer.from('größe;maß\n1;2', 'utf16le')],
  ['big-endian UTF-16', Buffer.from('\uFEFFgröße;maß\n1;2', 'utf16le').swap16()],
  ['Windows-1252', Buffer.from('größe;maß\n1;2', 'latin1')],
])('umlauts in %s', async (_, bytes) => {
  expect(readSheet(await textOfSheet(new Blob([new Uint8Array(bytes)]))).columns).toEqual(['größe', 'maß']);
});

test('what a spreadsheet would take for a formula is written as text, and read back as it was', () => {
  const rows = [
    ['title', '-weight', 'note'],
    ['=1+1', '+1', '@SUM(A1)'],
    ['\t=1', '\r=1', '-5'],
    ['a "b", c', "it's", "'quoted'"],
    ['two\nlines', 'a;b', ''],
  ];
  const text = writeCsv(rows);
  expect(text.split('\n')[1]).toBe(`"'=1+1","'+1","'@SUM(A1)"`);
  for (const cell of parseCsv(text).flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
  expect(readSheet(text)).toEqual({ columns: rows[0], rows: rows.slice(1) });
});

test('a sheet needs names and a row', () => {
  expect(readSheet(' title ,name\nA,1')).toEqual({ columns: ['title', 'name'], rows: [['A', '1']] });
  expect(() => readSheet('title')).toThrow(/first row must name/);
});

const LAYERS = new Map([
  ['title', 'text'],
  ['price.old', 'text'],
  ['box', null],
]);
const valuesOf = (columns: readonly string[], cells: readonly string[]) =>
  rowOf(guessTargets(columns, LAYERS), cells, null, LAYERS).modifications;

test('a value and a property of one layer are one patch, in either order', () => {
  const both = { title: { text: 'Hello', color: 'red' } };
  expect(valuesOf(['title', 'title.color'], ['Hello', 'red'])).toEqual(both);
  expect(valuesOf(['title.color', 'title'], ['red', 'Hello'])).toEqual(both);
  expect(valuesOf(['title', 'title.color'], ['Hello', ''])).toEqual({ title: 'Hello' });
  expect(valuesOf(['box', 'box.fill'], ['x', '#fff'])).toEqual({ box: { fill: '#fff' } });
});

test('a name of a layer may contain a dot', () => {
  expect(valuesOf(['price.old', 'price.old.color'], ['9', ''])).toEqual({ 'price.old': '9' });
  expect(targetOf('price.new', LAYERS)).toBeNull();
  expect(targetOf('other', LAYERS)).toBeNull();
});

test('columns are mapped to the nearest layer, each layer once', () => {
  const layers = new Map([
    ['headline', 'text'],
    ['sub_title', 'text'],
    ['photo', 'src'],
  ]);
  const guess = (...columns: readonly string[]) =>
    guessTargets(columns, layers).map((target) => target && [target.layer, target.property].filter(Boolean).join('.'));
  expect(guess('Head Line', 'Sub-Title', 'photp')).toEqual(['headline', 'sub_title', 'photo']);
  expect(guess('headline', 'Headline', 'headline.color')).toEqual(['headline', null, 'headline.color']);
  expect(guess('customer', '', 'e-mail')).toEqual([null, null, null]);
});

test('a row is named by its column, without spaces around', () => {
  const row = rowOf([{ layer: 'title', property: null }, null], ['A', ' ada '], 1, LAYERS);
  expect(row).toEqual({ name: 'ada', modifications: { title: 'A' } });
  expect(rowOf([null], [''], 0, LAYERS)).toEqual({ modifications: {} });
});

test('ten thousand rows are the most', () => {
  expect(readSheet(`a\n${'x\n'.repeat(10_000)}`).rows).toHaveLength(10_000);
  expect(() => readSheet(`a\n${'x\n'.repeat(10_001)}`)).toThrow(/10001 rows, and at most 10000/);
});
