import { expect, test } from 'vitest';
import { decodeText, parseCsv, parseTable } from '#server/service/jobs/csv.ts';

const check = (text: string, expected: string[][]) => expect(parseCsv(text)).toEqual(expected);

test('cells and rows', () =>
  check('a,b\n1,2\n', [
    ['a', 'b'],
    ['1', '2'],
  ]));
test('the last line end may lack', () => check('a\n1', [['a'], ['1']]));
test('CRLF, LF and CR end lines', () => check('a\r\nb\rc\nd', [['a'], ['b'], ['c'], ['d']]));
test('an empty cell, also the last', () =>
  check('a,,c\n,,\nx,', [
    ['a', '', 'c'],
    ['', '', ''],
    ['x', ''],
  ]));
test('a quoted cell holds commas, line ends and doubled quotes', () =>
  check('"a, b","say ""hi""","two\r\nlines"\n', [['a, b', 'say "hi"', 'two\r\nlines']]));
test('a quoted empty cell is a row, a blank line is none', () => check('a\n\n""\n', [['a'], ['']]));
test('white space belongs to the cell', () => check(' a , b\n', [[' a ', ' b']]));
test('a byte order mark is no part of the first cell', () => check('\ufeffa\n', [['a']]));
test('the delimiter is the one that the first row has most often outside quotes', () => {
  check('a;b\n1,5;2\n', [
    ['a', 'b'],
    ['1,5', '2'],
  ]);
  check('\n"a;b;c",d\n', [['a;b;c', 'd']]);
  check('a\tb;c\td\n', [['a', 'b;c', 'd']]);
  check('a|b;c|d\n', [['a', 'b;c', 'd']]);
});
test('a first line may name it, as Excel does', () => check('\ufeffsep=;\r\na,b;c\r\n', [['a,b', 'c']]));
test('nothing is no rows', () => check('', []));
test('other scripts and emoji', () =>
  check('título,世界\n🍺,é', [
    ['título', '世界'],
    ['🍺', 'é'],
  ]));

test.each([
  ['a\nb"c\n', 2],
  ['a\n"b"c\n', 2],
  ['a,"b\nc', 1],
  ['"a"\n"', 2],
  ['a\n\nb,"c\nd"\ne,"f\ng', 5],
  ['sep=,\na\nb"c\n', 3],
])('%j: a quote out of place in line %d', (text, line) => {
  expect(() => parseCsv(text)).toThrow(`Line ${line} has a quote out of place.`);
});

test('a cell of 10 MB is read in a moment', () => {
  const long = 'x""'.repeat(3_500_000);
  expect(parseCsv(`"${long}",b\n`)[0]?.[0]?.length).toBe(7_000_000);
});

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
test.each([
  ['UTF-8', Buffer.from('é;ü')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffé;ü')],
  ['UTF-16', utf16('\ufeffé;ü')],
  ['UTF-16, big-endian', utf16('\ufeffé;ü').swap16()],
  ['UTF-16 without a byte order mark', utf16('é;ü')],
  ['UTF-16, big-endian, without a byte order mark', utf16('é;ü').swap16()],
])('a file in %s', (_, bytes) => expect(decodeText(bytes, 'rows.csv')).toBe('é;ü'));
test('an empty file', () => expect(decodeText(new Uint8Array(), 'rows.csv')).toBe(''));
test('a file in Latin-1 is refused', () => {
  expect(() => decodeText(Buffer.from('a\xe9', 'latin1'), 'rows.csv')).toThrow('rows.csv is neither UTF-8 nor UTF-16');
});

test('a large table is read in turns of the event loop, with the same cells', async () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => `${row};"ü ""${row}"" 😀"`);
  const text = ['a;b', ...rows].join('\r\n');
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const parsed = await parseTable(text, { rows: 30_000, cells: 60_000 });
  clearInterval(timer);
  expect(parsed).toEqual(parseCsv(text));
  expect(turns).toBeGreaterThan(2);
});
test('a table with too many rows or cells, or a quote out of place, is refused', async () => {
  await expect(parseTable('a\n1\n2\n', { rows: 2, cells: 9 })).rejects.toThrow('more than 1 rows');
  await expect(parseTable('a,b\n1,2\n', { rows: 9, cells: 3 })).rejects.toThrow('more than 3 cells');
  await expect(parseTable('a\n1\n"2\n', { rows: 9, cells: 9 })).rejects.toThrow('Line 3 has a quote out of place.');
});
