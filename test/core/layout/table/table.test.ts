// Tests tables as data: what a list, values and calculations make of their cells, and what is refused.

import { expect, test } from 'vitest';
import { columnWidths } from '#core/layout/table-columns.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { check } from '#core/resolve/resolve-any.ts';
import type { ColumnWidth, TableNode, TableRowKind } from '#core/resolve/scene.ts';
import { parseTemplate } from '#core/template/template.ts';

type Properties = Readonly<Record<string, unknown>>;

const template = (table: Properties, more: Properties = {}) =>
  parseTemplate({
    ...{ name: 'T', width: 400, height: 300, ...more },
    layers: [{ name: 'lines', type: 'table', columns: ['fill', 'hug'], ...table }],
  });

function tableOf(table: Properties, modifications: Properties = {}, more: Properties = {}): TableNode {
  const [node] = resolve(template(table, more), modifications).nodes;
  if (node?.type !== 'table') throw new Error('It is a table.');
  return node;
}

const rowsOf = ({ rows }: TableNode, kind: TableRowKind) => [...rows].filter((row) => row.kind === kind);
const textsOf = (node: TableNode, kind: TableRowKind) => rowsOf(node, kind).map(({ texts }) => texts);

const ROW = {
  row: [
    { name: 'item', text: '–' },
    { name: 'total', format: 'currency' },
  ],
};
const MONEY = { lang: 'en-IE', currency: 'EUR' };

test('a list fills the body, by the names of its cells', () => {
  const node = tableOf(ROW, { lines: [{ item: 'Hinge', total: 12.5 }, { total: '3' }, { item: null }] }, MONEY);
  expect(textsOf(node, 'body')).toEqual([
    ['Hinge', '€12.50'],
    ['–', '€3.00'],
    ['–', ''],
  ]);
});

test('rows are counted, and true is a tick', () => {
  const row = [{ counter: 'row' }, { name: 'done' }];
  expect(textsOf(tableOf({ row, rows: [{ done: true }, { done: false }] }), 'body')).toEqual([
    ['1', '✓'],
    ['2', ''],
  ]);
});

test('headers and footers show values, sums, averages and counts, without rounding', () => {
  const footer = [
    [{ calculate: { sum: 'total' } }, { calculate: 'count' }],
    [{ calculate: { average: 'total' } }, { name: 'note', text: 'none' }],
  ];
  const rows = [{ total: '0.1' }, { total: 0.2 }, {}];
  expect(textsOf(tableOf({ ...ROW, footer, rows, values: { note: 'net' } }, {}, MONEY), 'foot')).toEqual([
    ['0.3', '3'],
    ['0.15', 'net'],
  ]);
});

test('a table goes from right to left as it says, or its frames, or its language', () => {
  const isRtl = (table: Properties, more: Properties) =>
    tableOf({ ...ROW, ...table }, {}, { currency: 'EUR', ...more }).isRtl;
  expect([isRtl({}, {}), isRtl({}, { lang: 'he-IL' }), isRtl({ direction: 'ltr' }, { lang: 'he-IL' })]).toEqual([
    false,
    true,
    false,
  ]);
});

test('an entry has at most a hundred rows, which a sentence says', () => {
  const rows = (count: number) => Array.from({ length: count }, () => [{ name: 'item' }]);
  expect(rowsOf(tableOf({ row: rows(60), rows: [{ item: 'a' }] }), 'body')[0]?.lines).toBe(60);
  expect(() => tableOf({ row: rows(101) })).toThrow(
    'layers[0].row: must have at most 100 rows; make more entries of them',
  );
});

test('an amount that rounds to zero has no sign', () => {
  const rows = [{ total: '-0.004' }, { total: '-0' }, { total: '-0.006' }];
  expect(textsOf(tableOf({ ...ROW, rows }, {}, MONEY), 'body').map(([, total]) => total)).toEqual([
    '€0.00',
    '€0.00',
    '-€0.01',
  ]);
});

test('the entries of a row that is hidden leave no gap in what counts', () => {
  const row = [{ cells: [{ counter: 'row' }, { text: 'last', when: 'last' }], when: { state: { is: 'set' } } }];
  const rows = [{}, { state: 1 }, { state: 1 }, {}];
  expect(textsOf(tableOf({ row, rows }), 'body')).toEqual([
    ['1', ''],
    ['2', 'last'],
  ]);
});

test('the style of a cell wins over that of its row, its column and the table', () => {
  const node = tableOf({
    columns: [{ width: 50, align: 'end', fontSize: 20 }, 50],
    header: ['a', { text: 'b', fontSize: 5 }],
    row: ['a', 'b'],
    rows: [{}],
    cell: { fontSize: 10 },
    headerCell: { fontSize: 15 },
  });
  const [[head], [body]] = [rowsOf(node, 'head'), rowsOf(node, 'body')];
  expect(body?.cells.map(({ text }) => [text.strut.fontSize, text.align])).toEqual([
    [20, 'end'],
    [10, 'start'],
  ]);
  expect(head?.cells.map(({ text }) => text.strut.fontSize)).toEqual([15, 5]);
});

const LINES = [
  { shop: 'A', total: '0.10' },
  { shop: 'A', total: 2 },
  { shop: 'B', total: '5' },
  { shop: 'A', total: '1' },
];

test('entries that follow each other with one value are a group, with their own sums', () => {
  const groups = {
    ...{ row: [{ name: 'total' }], groupBy: 'shop', rows: LINES, footer: ['', { calculate: { sum: 'total' } }] },
    groupHeader: [{ name: 'shop' }, { calculate: 'count' }],
    groupFooter: ['', { calculate: { sum: 'total' } }],
  };
  const node = tableOf(groups);
  expect(Array.from(node.rows, ({ kind, texts }) => `${kind} ${texts.join(' ')}`)).toEqual([
    ...['group-head A 2', 'body 0.10', 'body 2', 'group-foot  2.10'],
    ...['group-head B 1', 'body 5', 'group-foot  5.00'],
    ...['group-head A 1', 'body 1', 'group-foot  1.00'],
    'foot  8.10',
  ]);
});

test('what is carried is known for each row that a page may begin with', () => {
  const { carryFoot } = tableOf({
    ...{ row: [{ name: 'total' }], rows: LINES, header: ['Total'] },
    carryFooter: [{ calculate: { sum: 'total' } }, { calculate: 'count' }],
  });
  expect([...(carryFoot?.texts ?? [])]).toEqual([
    ['0', '0'],
    ['0', '0'],
    ['0.10', '1'],
    ['2.10', '2'],
    ['7.10', '3'],
    ['8.10', '4'],
  ]);
});

test('rows and cells may depend on values, on their place, and on whether there is anything to show', () => {
  const row = [
    [{ name: 'total' }, { text: 'paid', when: { paid: true } }],
    { cells: [{ name: 'note' }], hideWhenEmpty: true },
    { cells: ['end'], when: 'last' },
  ];
  const footer = [
    { cells: [{ name: 'discount' }], hideWhenEmpty: true },
    { cells: ['thanks'], when: { status: ['paid'] } },
  ];
  const rows = [
    { total: 1, note: 'n' },
    { total: 2, paid: true, note: ' ' },
  ];
  const all = { row, footer, rows, values: { status: 'paid' } };
  expect(textsOf(tableOf(all), 'body')).toEqual([
    ['1', '', 'n'],
    ['2', 'paid', 'end'],
  ]);
  expect(textsOf(tableOf(all), 'foot')).toEqual([['thanks']]);
  const { rows: ours } = tableOf(all, { lines: { values: { discount: '5', status: 'open' } } });
  expect([...ours].filter(({ kind }) => kind === 'foot').map(({ texts }) => texts)).toEqual([['5']]);
});

test('a cell takes the first column that no span has', () => {
  const header = [[{ text: 'a', rowSpan: 2 }, { text: 'b' }], ['c']];
  const [head] = rowsOf(tableOf({ header }), 'head');
  expect(head?.cells.map(({ column, line, lineSpan }) => [column, line, lineSpan])).toEqual([
    [0, 0, 2],
    [1, 0, 1],
    [1, 1, 1],
  ]);
  expect(() =>
    check(
      template({
        header: [
          [{ rowSpan: 2 }, 'b'],
          ['c', 'd'],
        ],
      }),
      {},
    ),
  ).toThrow('layers[0].header: has 3 cells for 2 columns');
});

test('what does not fit names the row and the cell', () => {
  const lines = [{ total: '1' }, { total: 'much' }];
  const message = 'modifications.lines[1].total: must be a number such as 12.5, this is "much"';
  expect(() => check(template(ROW, MONEY), { lines })).toThrow(message);
  const summed = { ...ROW, row: [{ name: 'total' }], footer: [{ calculate: { sum: 'total' } }] };
  expect(() => resolve(template(summed), { lines })).toThrow(
    'modifications.lines[1].total: must be a number such as 12.5, which is added; this is "much"',
  );
  expect(() => check(template(ROW), {})).toThrow('layers[0].row: needs a currency');
  expect(() => check(template({ header: ['a', { columnSpan: 2 }] }), {})).toThrow(
    'layers[0].header: has 3 cells for 2 columns',
  );
  expect(() => resolve(template(ROW, MONEY), { lines: [{ item: [] }] })).toThrow(
    'modifications.lines[0].item: must be a text, a number, true, false or null, or an object',
  );
});

test('long values count as texts do, and short ones as cells', () => {
  const rows = (count: number, length: number) => Array.from({ length: count }, () => ({ item: 'x'.repeat(length) }));
  const row = { row: [{ name: 'item' }] };
  expect(() => check(template(row), { lines: rows(3, 90_000) })).toThrow('texts have more than 200000 characters');
  expect(check(template(row), { lines: rows(3_000, 200) }).time).toBeCloseTo(150, 0);
});

test.each<[string, readonly ColumnWidth[], number | null, readonly number[]]>([
  [
    'shares',
    [
      { kind: 'fr', value: 1 },
      { kind: 'fr', value: 3 },
    ],
    400,
    [100, 300],
  ],
  [
    'a share that is too narrow for its word',
    [
      { kind: 'fr', value: 1 },
      { kind: 'fr', value: 9 },
    ],
    200,
    [30, 170],
  ],
  [
    'px and a share',
    [
      { kind: 'px', value: 50 },
      { kind: 'fr', value: 1 },
    ],
    200,
    [50, 150],
  ],
  ['a column by content beside a share', [{ kind: 'hug' }, { kind: 'fr', value: 1 }], 200, [80, 120]],
  ['by content, in half of its room', [{ kind: 'hug' }, { kind: 'hug' }], 110, [55, 55]],
  ['by content, without a width', [{ kind: 'hug' }, { kind: 'percent', value: 50 }], null, [80, 80]],
])('%s', (_, columns, width, expected) => {
  expect(columnWidths(columns, width, () => ({ min: 30, max: 80 }))).toEqual(expected);
});

test('columns are as wide as lengths of print say', () => {
  const widths = ['8mm', { width: '1in' }, '12.5pt', 40, '50%', '2fr'];
  const { columns } = tableOf({ columns: widths, row: widths.map(() => '') });
  const px = columns.flatMap((column) => (column.kind === 'px' ? [Math.round(column.value * 1e4) / 1e4] : []));
  expect(px).toEqual([30.2362, 96, 16.6667, 40]);
  expect(() => tableOf({ columns: ['8mn'] })).toThrow('must be a width in px or such as "8mm"');
  expect(() => tableOf({ columns: ['900000mm'] })).toThrow('columns[0]: must be at most 100000 px');
});
