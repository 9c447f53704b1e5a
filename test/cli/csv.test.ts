import { expect, test } from 'vitest';
import { parseCsv } from '../../src/cli/csv.ts';

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
])('%j: a quote out of place in line %d', (text, line) => {
  expect(() => parseCsv(text)).toThrow(`Line ${line} has a quote out of place.`);
});

test('a cell of 10 MB is read in a moment', () => {
  const long = 'x""'.repeat(3_500_000);
  expect(parseCsv(`"${long}",b\n`)[0]?.[0]?.length).toBe(7_000_000);
});
