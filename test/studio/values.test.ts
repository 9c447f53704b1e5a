// Tests the parameters that the studio finds in a template, and what it makes of the values that are typed.

import { expect, test } from 'vitest';
import { namedLike, pasted } from '../../src/studio/editor/data/cell-block.ts';
import { listColumns } from '../../src/studio/editor/data/list-columns.ts';
import { pythonSnippet } from '../../src/studio/pages/use/snippets.ts';
import { problemIn, problemsOf, queryOf, withValue } from '../../src/studio/pages/use/values.ts';
import { type Parameter, parametersOf } from '../../src/studio/shell/parameters.ts';

const LAYERS = [
  { type: 'shape', name: 'band', fill: '#ff0000' },
  {
    type: 'frame',
    name: 'group',
    children: [{ type: 'text', name: 'intro', spans: [{ text: 'Morning ' }, { text: 'rituals\nworth waking' }] }],
  },
  { type: 'image', name: 'the photo', src: 'img_1', visible: false },
];
const parameters = (more: object = {}) =>
  parametersOf({ name: 'Card', width: 10, height: 10, layers: LAYERS, ...more } as never);
const find = (all: readonly Parameter[], name: string) => all.find((one) => one.name === name) as Parameter;

test('without a choice of the author: every layer but frames is offered, colours last', () => {
  expect(parameters().map(({ name, kind, isOffered }) => `${name} ${kind} ${isOffered}`)).toEqual([
    'intro text true',
    'the photo image true',
    'band color true',
    'group boolean false',
  ]);
});

test('letter paper, and a chart of a table, are no fields: nobody is meant to give them', () => {
  const layers = [
    { type: 'image', name: 'sheet', src: 'img_1', pdfPage: 1 },
    { type: 'chart', name: 'sold', from: { table: 'lines', values: 'amount' } },
    { type: 'image', name: 'photo', src: 'img_2' },
  ];
  expect(parameters({ layers }).filter(({ isOffered }) => isOffered)).toMatchObject([{ name: 'photo' }]);
});

test('rich text has its words as its value, with their line breaks', () => {
  expect(find(parameters(), 'intro').value).toBe('Morning rituals\nworth waking');
});

test('the author’s choice: order, labels and rules; hidden ones and all others are not offered', () => {
  const chosen = [
    { layer: 'group', label: 'Show the group' },
    { layer: 'band', hidden: true },
    { layer: 'intro', kind: 'paragraph', maxLength: 20 },
  ];
  expect(parameters({ parameters: chosen }).map(({ label, kind, isOffered }) => [label, kind, isOffered])).toEqual([
    ['Show the group', 'boolean', true],
    ['band', 'color', false],
    ['intro', 'paragraph', true],
    ['the photo', 'image', false],
  ]);
});

test('a value that equals the design is left out, so that rich text keeps its styles', () => {
  const all = parameters();
  const intro = find(all, 'intro');
  const typed = withValue({}, intro, 'Evenings');
  expect(typed).toEqual({ intro: 'Evenings' });
  expect(withValue(typed, intro, 'Morning rituals\nworth waking')).toEqual({});
  expect(withValue(typed, intro, '')).toEqual({ intro: '' });
  expect(withValue({ band: 'red' }, find(all, 'band'), '')).toEqual({});
});

test('a required value counts even if it equals the example', () => {
  const all = parameters({ parameters: [{ layer: 'band', required: true }] });
  expect(problemsOf(all, {}, true)).toEqual({});
  expect(problemsOf(all, {}, false)).toEqual({ band: 'Is required, and has no value.' });
  expect(withValue({}, find(all, 'band'), '#ff0000')).toEqual({ band: '#ff0000' });
});

test.each([
  ['modifications.intro.fontSize: must be at least 1', 'intro', 'Must be at least 1.'],
  ['modifications["the photo"]: is no picture', 'the photo', 'Is no picture.'],
  ['modifications.introduction: must be a string', undefined, undefined],
  ['modifications.band: "band" must be one of "a"', 'band', 'Must be one of "a".'],
  [
    'Image of layer "the photo" could not be loaded: it is not there.',
    'the photo',
    'Image of layer "the photo" could not be loaded: it is not there.',
  ],
])('the field of an answer: %s', (message, name, problem) => {
  expect(problemIn(message, parameters())).toEqual(name === undefined ? null : { name, problem, cell: null });
});

test('a chart takes the values that its author typed, as rows of a form', () => {
  const data = [{ label: 'May', value: 12 }];
  const layers = [
    { type: 'chart', name: 'sales', data },
    { type: 'chart', name: 'done', data: 72 },
  ];
  expect(
    parameters({ layers }).map(({ name, kind, property, value, isOffered, stored }) => [
      ...[name, kind, property, value, isOffered, stored.data],
    ]),
  ).toEqual([
    ['sales', 'text', 'data', null, true, data],
    ['done', 'text', 'data', '72', true, 72],
  ]);
  const sales = find(parameters({ layers }), 'sales');
  const typed = withValue({}, sales, [{ label: 'June', value: null }]);
  expect(typed).toEqual({ sales: [{ label: 'June', value: null }] });
  expect(problemsOf([sales], typed, false)).toEqual({});
  // No query can carry entries.
  expect(queryOf(typed)).toEqual({});
  const request = { address: 'http://localhost', template: 'tpl_1', modifications: typed, output: 'png' };
  expect(pythonSnippet(request)).toContain('"value": None');
});

test('a signed URL shows and hides layers by their property', () => {
  expect(queryOf({ intro: 'true', group: false })).toEqual({ intro: 'true', 'group.visible': 'false' });
});

const LINES = {
  type: 'table',
  name: 'lines',
  columns: ['fill', { width: 'hug', align: 'end' }],
  header: ['Item', 'Unit price'],
  row: [{ name: 'item' }, { name: 'price', format: 'number' }],
  groupBy: 'kind',
  rows: [{ kind: 'A', item: 'Hinge', price: 4 }],
};

test('tables and frames that repeat are lists, unless the author offers to show or hide them', () => {
  const layers = [
    LINES,
    { type: 'frame', name: 'cards', repeat: true, children: [{ type: 'text', name: 'title', text: 'A' }] },
    { type: 'table', name: 'contents', contents: 2, columns: ['fill'], row: [{ name: 'text' }] },
  ];
  const lists = (more: object) =>
    parameters({ layers, ...more }).flatMap((one) => (one.isList && one.isOffered ? one.name : []));
  expect(lists({})).toEqual(['lines', 'cards']);
  expect(
    lists({
      parameters: [
        { layer: 'cards', kind: 'boolean' },
        { layer: 'lines', required: true },
      ],
    }),
  ).toEqual(['lines']);
  const all = parameters({ layers, parameters: [{ layer: 'lines', required: true }] });
  expect(problemsOf(all, {}, false)).toMatchObject({ lines: expect.stringMatching(/required/) });
  expect(problemsOf(all, { lines: [{ item: 'Board' }] }, false)).toEqual({});
});

test('a text that only counts pages is not offered', () => {
  const text = (name: string, ...spans: readonly object[]) => ({ name, type: 'text', spans });
  const layers = [
    text('no', { counter: 'page' }, { text: ' / ' }, { counter: 'pages' }),
    text('words', { text: 'Page ' }, { counter: 'page' }),
    text('empty', { text: '' }),
  ];
  const offered = parameters({ layers }).filter(({ isOffered }) => isOffered);
  expect(offered.map(({ name }) => name)).toEqual(['words', 'empty']);
});

test('lists come before other layers that no author has put in order', () => {
  const layers = [{ type: 'text', name: 'title', text: 'A' }, LINES];
  expect(parameters({ layers }).map(({ name }) => name)).toEqual(['lines', 'title']);
  const parametersOfAuthor = [{ layer: 'title' }, { layer: 'lines' }];
  expect(parameters({ layers, parameters: parametersOfAuthor }).map(({ name }) => name)).toEqual(['title', 'lines']);
});

test('a list has a column for each value that it shows, and for those that group it', () => {
  expect(listColumns(LINES)).toEqual([
    { name: 'item', title: 'Item', isEnd: false, isNumber: false },
    { name: 'price', title: 'Unit price', isEnd: true, isNumber: true },
    { name: 'kind', title: 'kind', isEnd: false, isNumber: false },
  ]);
});

test.each([
  ['modifications.lines[3].total: must be a number such as 12.5', { row: 3, name: 'total' }],
  ['modifications.lines[0]["unit: price"]: must be a number such as 12.5', { row: 0, name: 'unit: price' }],
  ['modifications.lines: must be a number such as 12.5', null],
])('%s', (message, cell) => {
  const all = parameters({ layers: [LINES] });
  expect(problemIn(message, all)).toEqual({ name: 'lines', problem: 'Must be a number such as 12.5.', cell });
});

test('cells of a spreadsheet go to the right and below, and rows with titles to their columns', () => {
  const columns = listColumns(LINES);
  const at = (row: number, column: number) => ({ columns, rows: LINES.rows, row, column });
  expect(pasted('Board\t140\nNail\t0.5\n', at(0, 0))).toEqual([
    { kind: 'A', item: 'Board', price: 140 },
    { item: 'Nail', price: '0.5' },
  ]);
  expect(pasted('unit price\tItem\n7\tNail\n', at(1, 1))).toEqual([...LINES.rows, { price: '7', item: 'Nail' }]);
  expect(pasted('Nail, brass\nScrew', at(1, 0))).toEqual([...LINES.rows, { item: 'Nail, brass' }, { item: 'Screw' }]);
  expect(pasted('Nail', at(0, 0))).toBe(null);
  expect(pasted('Nail, 1,5\t1.234,50\nScrew\t0,5', at(0, 0))).toEqual([
    { kind: 'A', item: 'Nail, 1,5', price: 1234.5 },
    { item: 'Screw', price: '0.5' },
  ]);
  expect(namedLike(columns, [{ 'Unit Price': '1,50', item: '1,50' }])).toEqual([{ item: '1,50', price: '1.50' }]);
  expect(namedLike(columns, [{ Item: 'Nail', 'Unit Price': 2, more: 1 }])).toEqual([
    { item: 'Nail', price: 2, more: 1 },
  ]);
});
