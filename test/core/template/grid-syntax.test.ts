// Tests what CSS writes of grids: tracks, lines and areas.

import { expect, test } from 'vitest';
import { parseAreas, parseLines, parseTracks } from '#core/template/grid-syntax.ts';

test.each([
  ['12.5px', [{ kind: 'px', value: 12.5 }]],
  ['40', [{ kind: 'px', value: 40 }]],
  ['auto', [{ kind: 'hug' }]],
  ['minmax( 10% , 2fr )', [{ kind: 'minmax', min: { kind: 'percent', value: 10 }, max: { kind: 'fr', value: 2 } }]],
  ['fit-content(20%)', [{ kind: 'fit-content', limit: { kind: 'percent', value: 20 } }]],
  [
    'repeat(2, 1fr min-content)',
    [{ kind: 'fr', value: 1 }, { kind: 'min-content' }, { kind: 'fr', value: 1 }, { kind: 'min-content' }],
  ],
  ['repeat(auto-fit, 30px)', [{ kind: 'repeat', times: 'auto-fit', tracks: [{ kind: 'px', value: 30 }] }]],
])('%s is a track', (text, expected) => expect(parseTracks(text)).toEqual(expected));

test.each([
  '',
  '-1px',
  '1e3px',
  'minmax(1fr, 20px)',
  'minmax(1px)',
  'fit-content(1fr)',
  'repeat(0, 1fr)',
  'repeat(101, 1fr)',
  'repeat(2, repeat(2, 1fr))',
  'repeat(auto-fill)',
  'calc(1px)',
])('%s is no track', (text) => expect(parseTracks(text)).toBeNull());

test.each([
  ['3', { first: 2, span: null, start: null, end: null }],
  ['2 / 4', { first: 1, span: 2, start: null, end: null }],
  ['4 / 2', { first: 1, span: 2, start: null, end: null }],
  ['2/2', { first: 1, span: 1, start: null, end: null }],
  ['span 3', { first: null, span: 3, start: null, end: null }],
  ['auto / 3', { first: 1, span: 1, start: null, end: null }],
  ['span 3 / 2', { first: -2, span: 3, start: null, end: null }],
  ['1 / -1', { first: null, span: null, start: 1, end: -1 }],
])('lines %s', (text, expected) => expect(parseLines(text)).toEqual(expected));

test.each(['0', '1 / 2 / 3', 'span 0', 'span -1', 'main', '102'])('%s are no lines', (text) =>
  expect(parseLines(text)).toBeNull(),
);

test('areas are rectangles of named cells', () =>
  expect(parseAreas(['a  a', '. b'])).toEqual({
    columns: 2,
    rows: 2,
    named: {
      a: { column: 0, row: 0, columnSpan: 2, rowSpan: 1 },
      b: { column: 1, row: 1, columnSpan: 1, rowSpan: 1 },
    },
  }));
test.each([
  [['a b', 'c'], /same number of cells/],
  [['a b', 'b a'], /"a" in one rectangle/],
  [['a a', 'a .'], /in one rectangle/],
  [['a b a'], /in one rectangle/],
  [['1a'], /no area name/],
])('%s are no areas', (rows, message) => expect(parseAreas(rows)).toMatch(message));
