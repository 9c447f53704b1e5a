// Tests edits of a table's columns, cells and entries: what belongs to a column changes with it, and templates stay valid.

import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import type { RawLayer } from '../../../src/studio/editor/core/document/document.ts';
import { readEntries } from '../../../src/studio/editor/core/document/read-entries.ts';
import { plainNumbers } from '../../../src/studio/editor/core/document/read-numbers.ts';
import {
  addColumn,
  addEntry,
  addTotal,
  editableCells,
  removeColumn,
  renameValue,
  setBodyCell,
  setColumn,
  setEntries,
  setFormat,
  setTextAtCell,
  setTitle,
  swapColumns,
  textAtCell,
  titleOf,
} from '../../../src/studio/editor/core/document/table-edits.ts';
import {
  calculated,
  footerRows,
  groupBy,
  groupNames,
  hasNumbers,
  rateName,
  withFooter,
  withSums,
} from '../../../src/studio/editor/core/document/table-sums.ts';
import { cellTexts } from '../../../src/studio/editor/inspector/table-context.ts';
import { showLanguage } from '../../../src/studio/texts/show-language.ts';

const TABLE: RawLayer = {
  type: 'table',
  name: 'lines',
  columns: ['fill', { width: 'hug', align: 'end' }, 80],
  header: [
    [{ text: 'Order', columnSpan: 2 }, 'Money'],
    ['Item', 'Quantity', 'Amount'],
  ],
  row: [{ name: 'item' }, { name: 'quantity' }, { name: 'amount', format: 'number' }],
  footer: [
    { text: 'Total', columnSpan: 2 },
    { calculate: { sum: 'amount' }, format: 'number' },
  ],
  rows: [{ item: 'Hinge', quantity: 4, amount: '50.00' }],
};

/** As the server checks it. */
function valid(table: RawLayer): RawLayer {
  const template = { name: 'T', width: 400, height: 400, currency: 'EUR' };
  parseTemplate({ ...template, layers: [table] });
  // Without entries, whose values may be none that can be added.
  resolve(parseTemplate({ ...template, layers: [{ ...table, rows: [] }] }), {});
  return table;
}

test('a column is inserted with its cells, and widens those that span its place', () => {
  const table = valid(addColumn(TABLE, 1, 'Unit'));
  expect(table.columns).toEqual(['fill', 'hug', { width: 'hug', align: 'end' }, 80]);
  expect(table.header).toEqual([
    [{ text: 'Order', columnSpan: 3 }, 'Money'],
    ['Item', 'Unit', 'Quantity', 'Amount'],
  ]);
  expect(table.row).toEqual([
    { name: 'item' },
    { name: 'unit' },
    { name: 'quantity' },
    { name: 'amount', format: 'number' },
  ]);
  expect(table.footer).toEqual([
    { text: 'Total', columnSpan: 3 },
    { calculate: { sum: 'amount' }, format: 'number' },
  ]);
});

test('a column added at the end has a value of its own', () => {
  const twice = valid(addColumn(addColumn(TABLE, 3, 'Amount'), 4, 'Amount'));
  expect((twice.row as { name: string }[]).map(({ name }) => name)).toEqual([
    'item',
    'quantity',
    'amount',
    'amount 2',
    'amount 3',
  ]);
});

test('a removed column takes its cells along, and narrows those that span it; the last one stays', () => {
  const table = valid(removeColumn(TABLE, 0));
  expect(table.columns).toEqual([{ width: 'hug', align: 'end' }, 80]);
  expect(table.header).toEqual([
    ['Order', 'Money'],
    ['Quantity', 'Amount'],
  ]);
  expect(table.footer).toEqual(['Total', { calculate: { sum: 'amount' }, format: 'number' }]);
  const one = valid(removeColumn(table, 0));
  expect(removeColumn(one, 0)).toBe(one);
});

test('columns change places, but for cells that span one of them', () => {
  const table = valid(swapColumns(TABLE, 1));
  expect(table.columns).toEqual(['fill', 80, { width: 'hug', align: 'end' }]);
  expect(table.header).toEqual([
    [{ text: 'Order', columnSpan: 2 }, 'Money'],
    ['Item', 'Amount', 'Quantity'],
  ]);
  expect(swapColumns(TABLE, 2)).toBe(TABLE);
});

test('a column with nothing but a width is written as that', () => {
  const aligned = setColumn(TABLE, 2, { align: 'end' });
  expect(aligned.columns).toEqual(['fill', { width: 'hug', align: 'end' }, { width: 80, align: 'end' }]);
  expect(setColumn(aligned, 2, { align: undefined }).columns).toEqual(TABLE.columns);
});

test('a value is renamed in the cell, the entries and the sums', () => {
  const table = valid(renameValue(TABLE, 2, 'total'));
  expect(table.row).toContainEqual({ name: 'total', format: 'number' });
  expect(table.rows).toEqual([{ item: 'Hinge', quantity: 4, total: '50.00' }]);
  expect(table.footer).toContainEqual({ calculate: { sum: 'total' }, format: 'number' });
});

test('a total stands below its column, with its format', () => {
  const { footer: _, ...bare } = TABLE;
  expect(valid(addTotal(bare as RawLayer, 'amount')).footer).toEqual(TABLE.footer);
  expect(valid(addTotal(bare as RawLayer, 'item')).footer).toEqual([{ calculate: { sum: 'item' } }]);
});

test('a format is that of the sum as well', () => {
  const table = valid(setFormat(TABLE, 2, 'currency'));
  expect(table.row).toContainEqual({ name: 'amount', format: 'currency' });
  expect(table.footer).toContainEqual({ calculate: { sum: 'amount' }, format: 'currency' });
});

test('titles are those of the last row of the header; a table without one gets it', () => {
  expect(setTitle(TABLE, 0, 'Thing').header).toEqual([
    [{ text: 'Order', columnSpan: 2 }, 'Money'],
    ['Thing', 'Quantity', 'Amount'],
  ]);
  const { header: _, ...bare } = TABLE;
  expect(valid(setTitle(bare as RawLayer, 1, 'Pieces')).header).toEqual(['', 'Pieces', '']);
});

test('a row that the template has not is not edited: of test data, or of a table of contents', () => {
  expect(textAtCell(TABLE, { part: 'row', row: 0, cell: 0, entry: 1 })).toBeNull();
});

test('the text of a cell is edited where it is from, and a number stays one', () => {
  expect(textAtCell(TABLE, { part: 'footer', row: 0, cell: 1, entry: null })).toBeNull();
  expect(textAtCell(TABLE, { part: 'row', row: 0, cell: 1, entry: 0 })).toBe('4');
  expect(setTextAtCell(TABLE, { part: 'row', row: 0, cell: 1, entry: 0 }, '12').rows).toEqual([
    { item: 'Hinge', quantity: 12, amount: '50.00' },
  ]);
  expect(setTextAtCell(TABLE, { part: 'footer', row: 0, cell: 0, entry: null }, 'Sum').footer).toEqual([
    { text: 'Sum', columnSpan: 2 },
    { calculate: { sum: 'amount' }, format: 'number' },
  ]);
  expect(editableCells(addEntry(TABLE))).toHaveLength(5 + 3 + 3 + 1);
});

test('rows with conditions keep them, and values with styles keep those', () => {
  const table: RawLayer = {
    ...TABLE,
    row: [
      { cells: [{ name: 'item' }, { name: 'quantity' }], hideWhenEmpty: true },
      [{ name: 'amount', columnSpan: 3 }],
    ],
    rows: [{ item: { value: 4, color: '#c00' } }],
  };
  const changed = valid(setTextAtCell(table, { part: 'row', row: 0, cell: 0, entry: 0 }, '5'));
  expect(changed.rows).toEqual([{ item: { value: 5, color: '#c00' } }]);
  expect(valid(removeColumn(table, 0)).row).toEqual([
    { cells: [{ name: 'quantity' }], hideWhenEmpty: true },
    [{ name: 'amount', columnSpan: 2 }],
  ]);
});

test('entries with other names bring their columns; with known ones the columns stay', () => {
  const known = readEntries('item;amount\nBoard;140,00\n');
  expect(setEntries(TABLE, known.names, known.rows).columns).toBe(TABLE.columns);
  const other = readEntries('[{"city": "Cork", "people": 222000}, {"city": "Galway", "people": 85900}]');
  const table = valid(setEntries(TABLE, other.names, other.rows));
  expect(table).toMatchObject({
    columns: ['fill', { width: 'hug', align: 'end' }],
    header: ['City', 'People'],
    row: [{ name: 'city' }, { name: 'people' }],
  });
  expect(table.footer).toBeUndefined();
});

test('of new columns that with the longest words has what is left, wherever it stands', () => {
  const { names, rows } = readEntries(
    'Pos;Beschreibung;Einheit;Preis\n1;Verlegen von Eichenparkett;m²;48,50\n2;Leisten;m;6',
  );
  const { columns } = valid(setEntries(TABLE, names, rows));
  expect(columns).toEqual([{ width: 'hug', align: 'end' }, 'fill', 'hug', { width: 'hug', align: 'end' }]);
  const numbers = valid(setEntries(TABLE, ['a', 'b'], [{ a: '1', b: '2' }])).columns;
  expect(numbers).toEqual([
    { width: 'fill', align: 'end' },
    { width: 'hug', align: 'end' },
  ]);
});

test.each([
  ['item', /first row must name the columns/],
  ['[1]', /Row 1 must be an object/],
  ['[{"a": {}}]', /“a” of row 1 must be a text/],
  ['[{]', /not JSON/],
  ['{"a": 1}', /must be a list of rows/],
])('%j is refused with a sentence', (text, problem) => {
  expect(() => readEntries(text)).toThrow(problem);
});

/** Cells that span rows and columns, in the header and in each entry, and rows of groups. */
const SPANNED: RawLayer = {
  type: 'table',
  name: 'lines',
  columns: ['fill', 60, 70, 80],
  header: [
    [
      { text: 'Item', rowSpan: 2 },
      { text: 'Money', columnSpan: 2 },
      { text: 'Note', rowSpan: 2 },
    ],
    ['Each', 'All'],
  ],
  row: [
    [{ name: 'item' }, { name: 'each' }, { name: 'all' }, { name: 'note', rowSpan: 2 }],
    [{ name: 'more', columnSpan: 3 }],
  ],
  groupBy: 'kind',
  groupHeader: [{ name: 'kind', columnSpan: 4 }],
  groupFooter: [{ text: 'So far', columnSpan: 2 }, { calculate: { sum: 'all' } }],
  rows: [{ kind: 'A', item: 'Hinge', each: 2, all: 4, more: 'of brass', note: 'x' }],
};

test('a column is inserted beside cells that span rows, and within those that span columns', () => {
  expect(valid(addColumn(SPANNED, 4, 'Tax'))).toMatchObject({
    header: [
      [...(SPANNED.header as [[]])[0], ''],
      ['Each', 'All', 'Tax'],
    ],
    row: [
      [{ name: 'item' }, { name: 'each' }, { name: 'all' }, { name: 'note', rowSpan: 2 }, { name: 'tax' }],
      [{ name: 'more', columnSpan: 3 }, ''],
    ],
    groupHeader: [{ name: 'kind', columnSpan: 4 }, ''],
  });
  expect(valid(addColumn(SPANNED, 1, 'Tax'))).toMatchObject({
    header: [
      [{ text: 'Item', rowSpan: 2 }, '', { text: 'Money', columnSpan: 2 }, { text: 'Note', rowSpan: 2 }],
      ['Tax', 'Each', 'All'],
    ],
    row: [
      [{ name: 'item' }, { name: 'tax' }, { name: 'each' }, { name: 'all' }, { name: 'note', rowSpan: 2 }],
      [{ name: 'more', columnSpan: 4 }],
    ],
    groupHeader: [{ name: 'kind', columnSpan: 5 }],
    groupFooter: [{ text: 'So far', columnSpan: 3 }, { calculate: { sum: 'all' } }],
  });
});

test('a removed column takes a cell of several rows along', () => {
  const table = valid(removeColumn(SPANNED, 0));
  expect(table).toMatchObject({
    header: [
      [
        { text: 'Money', columnSpan: 2 },
        { text: 'Note', rowSpan: 2 },
      ],
      ['Each', 'All'],
    ],
    row: [[{ name: 'each' }, { name: 'all' }, { name: 'note', rowSpan: 2 }], [{ name: 'more', columnSpan: 2 }]],
    groupFooter: ['So far', { calculate: { sum: 'all' } }],
  });
  expect(valid(removeColumn(SPANNED, 3)).header).toEqual([
    [
      { text: 'Item', rowSpan: 2 },
      { text: 'Money', columnSpan: 2 },
    ],
    ['Each', 'All'],
  ]);
});

test('columns within a span change places; a cell of several rows moves whole or stays', () => {
  expect(valid(swapColumns(SPANNED, 1))).toMatchObject({
    columns: ['fill', 70, 60, 80],
    header: [(SPANNED.header as [[]])[0], ['All', 'Each']],
    groupFooter: SPANNED.groupFooter,
  });
  // “Money” spans one of the two columns, so “Note” stays in both of its rows; the entry's own first row likewise.
  expect(valid(swapColumns(SPANNED, 2))).toMatchObject({ header: SPANNED.header, row: SPANNED.row });
  const bare: RawLayer = {
    ...SPANNED,
    header: [
      ['Item', 'Each', 'All', { text: 'Note', rowSpan: 2 }],
      ['i', 'e', 'a'],
    ],
  };
  expect(valid(swapColumns(bare, 2)).header).toEqual([
    ['Item', 'Each', { text: 'Note', rowSpan: 2 }, 'All'],
    ['i', 'e', 'a'],
  ]);
});

test('a title, a format and a name are those of the cell of its column, whatever spans beside it', () => {
  expect(titleOf(SPANNED, 3)).toMatchObject({ line: 0, index: 2 });
  expect(titleOf(SPANNED, 2)).toMatchObject({ line: 1, index: 1, cell: { text: 'All' } });
  const named = valid(renameValue(SPANNED, 2, 'amount'));
  expect(named.row).toMatchObject([[{}, {}, { name: 'amount' }, {}], [{}]]);
  expect(named.groupFooter).toContainEqual({ calculate: { sum: 'amount' } });
  expect(valid(setFormat(named, 2, 'number')).groupFooter).toContainEqual({
    calculate: { sum: 'amount' },
    format: 'number',
  });
  expect(valid(addTotal(SPANNED, 'note')).footer).toEqual([
    { text: 'Total', columnSpan: 3 },
    { calculate: { sum: 'note' } },
  ]);
});

test.each([
  [
    ['1.234,50', '3', '-0,5', ''],
    ['1234.50', '3', '-0.5', ''],
  ],
  [
    ['1,234.50', '1’000', '7.25'],
    ['1234.50', '1000', '7.25'],
  ],
  [['12 000,5'], ['12000.5']],
  // A thousand, or one and a bit: nothing tells.
  [['1,234', '2,500'], null],
  [['1.234', '3'], null],
  [['M8,5', '1,5'], null],
  [[''], null],
])('numbers as spreadsheets show them: %j', (values, expected) => expect(plainNumbers(values)).toEqual(expected));

test('numbers with a decimal comma fill the columns that are read as numbers', () => {
  const { names, rows } = readEntries('item;quantity;amount\nBoard 1,5;2,5;"1.050,00"\nNail;3;0,40');
  expect(valid(setEntries(TABLE, names, rows)).rows).toEqual([
    { item: 'Board 1,5', quantity: '2,5', amount: '1050.00' },
    { item: 'Nail', quantity: '3', amount: '0.40' },
  ]);
  const other = valid(setEntries(TABLE, ['what', 'price'], [{ what: 'Nail', price: '0,40' }]));
  expect(other).toMatchObject({
    columns: ['fill', { width: 'hug', align: 'end' }],
    row: [{ name: 'what' }, { name: 'price', format: { minimumFractionDigits: 2, maximumFractionDigits: 2 } }],
    rows: [{ what: 'Nail', price: '0.40' }],
  });
});

test('entries are grouped by a value, with sub-totals and carried sums as the footer has them', () => {
  const table = { ...TABLE, rows: [{ item: 'Hinge', quantity: 4, amount: '50.00', kind: 'A' }] };
  expect(groupNames(table)).toEqual(['item', 'quantity', 'amount', 'kind']);
  const grouped = valid(groupBy(table, 'kind'));
  expect(grouped.groupHeader).toEqual([{ name: 'kind', fontWeight: 700, columnSpan: 3 }]);
  expect(valid(groupBy(grouped, 'item')).groupHeader).toMatchObject([{ name: 'item' }]);
  const summed = valid(withSums(withSums(grouped, 'groupFooter', 'Sub-total'), 'carryFooter', 'Carried forward'));
  const sum = { calculate: { sum: 'amount' }, format: 'number' };
  expect(summed.groupFooter).toEqual([{ text: 'Sub-total', columnSpan: 2 }, sum]);
  expect(summed.carryFooter).toEqual([{ text: 'Carried forward', columnSpan: 2 }, sum]);
  expect(valid(withSums(groupBy(summed, undefined), 'carryFooter', null))).toEqual(table);
});

test('without a footer the last number is added up, and without a number nothing is', () => {
  const { footer: _, ...table } = TABLE;
  expect(valid(withSums(table as RawLayer, 'carryHeader', 'So far')).carryHeader).toEqual([
    { text: 'So far', columnSpan: 2 },
    { calculate: { sum: 'amount' }, format: 'number' },
  ]);
  expect(hasNumbers({ ...table, row: [{ name: 'item' }] } as RawLayer)).toBe(false);
});

test('a sheet has as many rows as a table shows', () => {
  const sheet = (rows: number) => `item,amount\n${'Nail,2\n'.repeat(rows)}`;
  expect(readEntries(sheet(50_000)).rows).toHaveLength(50_000);
  expect(() => readEntries(sheet(50_001))).toThrow('There are 50,001 rows, and a table shows at most 50,000.');
});

const BARE: RawLayer = {
  type: 'table',
  name: 'lines',
  columns: ['fill', 'hug', 'hug', { width: 'hug', align: 'end' }],
  header: ['Item', 'Quantity', 'Price', 'Amount'],
  row: [{ name: 'item' }, { name: 'quantity' }, { name: 'price' }, { name: 'amount', format: 'currency' }],
  rows: [
    { item: 'Hinge', quantity: 4, price: '12.50', rate: 0.23 },
    { item: 'Guide', quantity: 1, price: '24.00', rate: 0.09 },
    { item: 'Screws', quantity: 150, price: '0.0875', rate: 0.23 },
  ],
};

/** The cells that a table shows, as its rows are resolved. */
function shownCells(table: RawLayer): readonly (readonly string[])[] {
  const template = { name: 'T', width: 600, height: 400, currency: 'EUR', lang: 'en-IE', layers: [table] };
  const [node] = resolve(parseTemplate(template), {}).nodes;
  if (node?.type !== 'table') throw new Error('no table');
  // What parts the spans of a cell.
  return Array.from(node.rows, ({ texts }) => texts.map((text) => text.replaceAll('\u001e', '')));
}

test('a column multiplies, a total, taxes by rate and the sum of all stand below, without JSON', () => {
  const first = { at: null, rate: '', total: '' };
  expect(rateName(BARE)).toBe('rate');
  // The first two values that are numbers.
  let table = setBodyCell(BARE, 3, calculated(BARE, 3, 'multiply', 'amount'));
  table = withFooter(table, [{ ...first, kind: 'total', label: 'Net', of: 'amount' }]);
  table = withFooter(table, [
    ...footerRows(table),
    { ...first, kind: 'tax', label: 'VAT', of: 'amount', rate: 'rate' },
  ]);
  table = withFooter(table, [
    ...footerRows(table),
    { ...first, kind: 'all', label: 'Total', of: 'amount', total: 'GrandTotalAmount' },
  ]);
  expect(table.footer).toEqual([
    [
      { text: 'Net', columnSpan: 3 },
      { name: 'net', calculate: { sum: 'amount' }, format: 'currency' },
    ],
    {
      by: 'rate',
      cells: [
        {
          columnSpan: 3,
          spans: [{ text: 'VAT ' }, { name: 'rate', format: { type: 'percent', maximumFractionDigits: 2 } }],
        },
        { name: 'tax', calculate: { sum: 'amount', times: 'rate', round: 2 }, format: 'currency' },
      ],
    },
    [
      { text: 'Total', columnSpan: 3 },
      { name: 'total', calculate: { sum: ['net', 'tax'] }, format: 'currency', total: 'GrandTotalAmount' },
    ],
  ]);
  // Amounts are rounded by line, halves away from zero, and the tax by rate, as EN 16931 says.
  expect(shownCells(valid(table)).map((texts) => texts.slice(-2))).toEqual([
    ['Price', 'Amount'],
    ['12.50', '€50.00'],
    ['24.00', '€24.00'],
    ['0.0875', '€13.13'],
    ['Net', '€87.13'],
    ['VAT 23%', '€14.52'],
    ['VAT 9%', '€2.16'],
    ['Total', '€103.81'],
  ]);

  const [net, tax, all] = footerRows(table);
  if (!net || !tax || !all) throw new Error('a row is missing');
  // What is written with JSON beside these properties stays.
  const styled = {
    ...table,
    footer: [{ cells: (table.footer as unknown[])[0], when: 'first' }, ...(table.footer as []).slice(1)],
  };
  expect(withFooter(styled, footerRows(styled))).toEqual(styled);
  const renamed = withFooter(styled, [{ ...net, label: 'Sum' }, tax, all]);
  expect((renamed.footer as unknown[])[0]).toEqual({
    cells: [
      { text: 'Sum', columnSpan: 3 },
      { name: 'net', calculate: { sum: 'amount' }, format: 'currency' },
    ],
    when: 'first',
  });
  // A row that is removed is no longer added up.
  const without = valid(withFooter(table, [tax, all]));
  expect((without.footer as RawLayer[][]).at(-1)?.[1]).toMatchObject({ calculate: { sum: ['tax'] } });
  expect(withFooter(without, []).footer).toBe(undefined);
  // Carried sums have no names, which the footer has.
  expect(withSums(table, 'carryFooter', 'Carried').carryFooter).toEqual([
    { text: 'Carried', columnSpan: 3 },
    { calculate: { sum: 'amount' }, format: 'currency' },
  ]);
});

test('a balance runs from row to row', () => {
  const account = {
    ...BARE,
    rows: [
      { item: 'Sale', amount: 250 },
      { item: 'Rent', amount: -300 },
    ],
  };
  const table = setBodyCell(account, 2, {
    ...calculated(account, 2, 'running', 'balance'),
    calculate: { running: 'amount' },
  });
  expect(shownCells(valid(table)).map((texts) => texts[2])).toEqual(['Price', '250', '-50']);
});

test('new cells are labelled in the language of the template, or the one shown, or else of the interface', async () => {
  const labels = async (lang?: string, shown: string | null = null) => {
    const { common, inspector } = await cellTexts({
      stored: signal({ name: 'Invoice', width: 9, height: 9, layers: [], ...(lang !== undefined && { lang }) }),
      view: signal({ size: null, lang: shown }),
    });
    return [common.total, inspector.carriedForward];
  };
  expect(await labels('de-AT')).toEqual(['Summe', 'Übertrag']);
  expect(await labels(undefined, 'fr')).toEqual(['Total', 'À reporter']);
  // Words go into the template's own language while a translation is shown.
  expect(await labels('de', 'fr')).toEqual(['Summe', 'Übertrag']);
  expect(await labels()).toEqual(['Total', 'Carried forward']);
  await showLanguage('de');
  try {
    expect(await labels('en')).toEqual(['Total', 'Carried forward']);
    expect(await labels()).toEqual(['Summe', 'Übertrag']);
    expect(await labels('pl')).toEqual(['Summe', 'Übertrag']);
  } finally {
    await showLanguage('en');
  }
});
