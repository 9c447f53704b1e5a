// Tests tables as data: what a list, values and calculations make of their cells, and what is refused.

import { expect, test } from 'vitest';
import { columnWidths } from '#core/layout/table-columns.ts';
import { check } from '#core/resolve/check.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { ColumnWidth, TableNode } from '#core/resolve/scene.ts';
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

const textsOf = (rows: TableNode['head']) =>
  rows.map((cells) => cells.map(({ text }) => text.spans.map((span) => span.text).join('')));

const ROW = {
  row: [
    { name: 'item', text: '–' },
    { name: 'total', format: 'currency' },
  ],
};
const MONEY = { lang: 'en-IE', currency: 'EUR' };

test('a list fills the body, by the names of its cells', () => {
  const { body } = tableOf(ROW, { lines: [{ item: 'Hinge', total: 12.5 }, { total: '3' }, { item: null }] }, MONEY);
  expect(body).toEqual([
    ['Hinge', '€12.50'],
    ['–', '€3.00'],
    ['–', ''],
  ]);
});

test('rows are counted, and true is a tick', () => {
  const row = [{ counter: 'row' }, { name: 'done' }];
  expect(tableOf({ row, rows: [{ done: true }, { done: false }] }).body).toEqual([
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
  expect(textsOf(tableOf({ ...ROW, footer, rows, values: { note: 'net' } }, {}, MONEY).foot)).toEqual([
    ['0.3', '3'],
    ['0.15', 'net'],
  ]);
});

test('the style of a cell wins over that of its row, its column and the table', () => {
  const { head, row } = tableOf({
    columns: [{ width: 50, align: 'end', fontSize: 20 }, 50],
    header: ['a', { text: 'b', fontSize: 5 }],
    row: ['a', 'b'],
    cell: { fontSize: 10 },
    headerCell: { fontSize: 15 },
  });
  expect(row.map(({ text }) => [text.strut.fontSize, text.align])).toEqual([
    [20, 'end'],
    [10, 'start'],
  ]);
  expect(head[0]?.map(({ text }) => text.strut.fontSize)).toEqual([15, 5]);
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
  expect(() => resolve(template(ROW, MONEY), { lines: [{ item: {} }] })).toThrow(
    'modifications.lines.rows[0].item: must be a text, a number, true, false or null',
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
