// Tests the studio's CSV parser: RFC 4180, and the dialects that spreadsheets write.

import { expect, test } from 'vitest';
import { parseCsv, readSheet, rowOf, targetOf } from '../../src/studio/pages/use/csv.ts';

const check = (text: string, ...rows: readonly (readonly string[])[]) => expect(parseCsv(text)).toEqual(rows);

test('cells and lines', () => check('a,b\nc,d\n', ['a', 'b'], ['c', 'd']));
test('lines of Windows, and the last without an end', () => check('a,b\r\nc,d', ['a', 'b'], ['c', 'd']));
test('quotes hold separators, lines and quotes', () => check('"a,""b""\nc",d', ['a,"b"\nc', 'd']));
test('a byte order mark and blank lines are left out', () => check('\uFEFFa\n\nb\n', ['a'], ['b']));
test('semicolons, where the first line has them', () => check('a;b\n1,5;2', ['a', 'b'], ['1,5', '2']));
test('empty cells stay', () => check('a,b,c\n,,x', ['a', 'b', 'c'], ['', '', 'x']));
test('a quote that is never closed ends with the text', () => check('a\n"b', ['a'], ['b']));

test('a sheet needs names and a row', () => {
  expect(readSheet(' title ,name\nA,1')).toEqual({ columns: ['title', 'name'], rows: [['A', '1']] });
  expect(() => readSheet('title')).toThrow(/first row with names/);
});

const LAYERS = new Map([
  ['title', 'text'],
  ['price.old', 'text'],
  ['box', null],
]);
const valuesOf = (columns: readonly string[], cells: readonly string[]) =>
  rowOf(columns, cells, '', LAYERS).modifications;

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
