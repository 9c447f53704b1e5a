// Tests tables over pages: what people ask of them, each as the rows that are on each page.

import { expect, test } from 'vitest';
import { composePages } from '#core/compose.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { check } from '#core/resolve/resolve-any.ts';
import { parseTemplate } from '#core/template/template.ts';
import { resources } from '../scene-nodes.ts';
import { fontSet, hasFont, query, style } from '../text/faces.ts';

type Properties = Readonly<Record<string, unknown>>;

const box = (height: number, more: Properties = {}) => ({
  ...{ name: `box ${height}`, type: 'shape', height, width: 5 },
  ...more,
});

/** Rows are 20 px high. */
const table = (more: Properties) => ({
  ...{ name: 'lines', type: 'table', columns: [60, 40], row: [{ name: 'item' }, { name: 'price' }] },
  ...{ cell: { fontFamily: 'inter', fontSize: 10, lineHeight: 2, padding: 0 } },
  ...more,
});

const items = (count: number, more: (index: number) => Properties = () => ({})) =>
  Array.from({ length: count }, (_, i) => ({ item: `i${i + 1}`, price: `${i + 1}.10`, ...more(i) }));

function lists(flow: readonly Properties[], page: Properties = {}, values: Properties = {}): readonly DisplayList[] {
  const layers = [{ name: 'flow', type: 'frame', flow: true, layout: {}, children: flow }];
  const scene = resolve(parseTemplate({ name: 'T', page: { size: [200, 100], ...page }, layers }), values);
  const fonts = fontSet(style({ font: query('inter') }), style({ font: { ...query('inter'), weight: 400 } }));
  return [...composePages(scene, { ...resources(), fonts }, {}).lists];
}

const flat = (ops: readonly PaintOp[]): readonly PaintOp[] =>
  ops.flatMap((op) => (op.kind === 'group' ? flat(op.ops) : [op]));

/** The rows of each page, with the baselines' distance from the first. */
function rows(flow: readonly Properties[], page: Properties = {}, values: Properties = {}): readonly string[] {
  return lists(flow, page, values).map(({ ops }) => {
    const lines = new Map<number, string[]>();
    for (const op of flat(ops)) {
      if (op.kind !== 'glyphs') continue;
      const y = Math.round(op.origin.y);
      lines.set(y, [...(lines.get(y) ?? []), op.run.text.trim()]);
    }
    return [...lines]
      .sort(([a], [b]) => a - b)
      .map(([, words]) => words.join(' '))
      .join(' | ');
  });
}

/** Filled boxes of each page as `x,y width×height`. */
const boxes = (flow: readonly Properties[]): readonly string[][] =>
  lists(flow).map(({ ops }) =>
    flat(ops).flatMap((op) => {
      if (op.kind !== 'fill') return [];
      const points = op.path.flatMap((command) => (command[0] === 'Z' ? [] : [command.slice(-2) as number[]]));
      const [xs, ys] = [points.map(([x = 0]) => x), points.map(([, y = 0]) => y)];
      const [x, y] = [Math.min(...xs), Math.min(...ys)];
      return [`${x},${y} ${Math.max(...xs) - x}×${Math.max(...ys) - y}`];
    }),
  );

const inter = test.skipIf(!hasFont('inter'));

const SUM = { calculate: { sum: 'price' } };

inter('a table that begins low takes its header with its first row, and shows no row twice', () => {
  const low = table({ header: ['Item', 'Price'], rows: items(6) });
  expect(rows([box(70), low])).toEqual([
    '',
    'Item Price | i1 1.10 | i2 2.10 | i3 3.10 | i4 4.10',
    'Item Price | i5 5.10 | i6 6.10',
  ]);
  expect(rows([box(55), low])[0]).toBe('Item Price | i1 1.10');
});

inter('what follows a table stands below its last row, without an empty page between', () => {
  const after = { name: 'after', type: 'text', fontFamily: 'inter', fontSize: 10, lineHeight: 2, text: 'after' };
  expect(rows([box(50), table({ rows: items(3) }), after])).toEqual(['i1 1.10 | i2 2.10', 'i3 3.10 | after']);
  expect(rows([table({ rows: items(5) }), after])).toEqual([
    'i1 1.10 | i2 2.10 | i3 3.10 | i4 4.10 | i5 5.10',
    'after',
  ]);
});

inter('a forced break before what begins a page anyway makes no empty page', () => {
  expect(rows([table({ rows: items(5) }), table({ name: 'b', rows: items(1), breakBefore: 'page' })])).toEqual([
    'i1 1.10 | i2 2.10 | i3 3.10 | i4 4.10 | i5 5.10',
    'i1 1.10',
  ]);
});

inter('a footer stands at the end only, or on each page', () => {
  const own = { footer: ['Sum', SUM], rows: items(6) };
  expect(rows([table(own)])).toEqual(['i1 1.10 | i2 2.10 | i3 3.10 | i4 4.10 | i5 5.10', 'i6 6.10 | Sum 21.60']);
  expect(rows([table({ ...own, repeatFooter: true })])).toEqual([
    'i1 1.10 | i2 2.10 | i3 3.10 | i4 4.10 | Sum 21.60',
    'i5 5.10 | i6 6.10 | Sum 21.60',
  ]);
});

inter('sums so far are carried from page to page, and not where nothing follows', () => {
  const carried = { carryFooter: ['to', SUM], carryHeader: ['from', SUM], footer: ['Sum', SUM] };
  expect(rows([table({ ...carried, rows: items(7) })])).toEqual([
    'i1 1.10 | i2 2.10 | i3 3.10 | i4 4.10 | to 10.40',
    'from 10.40 | i5 5.10 | i6 6.10 | i7 7.10 | Sum 28.70',
  ]);
  expect(rows([table({ ...carried, rows: items(4) })])).toEqual(['i1 1.10 | i2 2.10 | i3 3.10 | i4 4.10 | Sum 10.40']);
  expect(rows([table({ ...carried, rows: items(8) })])).toEqual([
    'i1 1.10 | i2 2.10 | i3 3.10 | i4 4.10 | to 10.40',
    'from 10.40 | i5 5.10 | i6 6.10 | i7 7.10 | to 28.70',
    'from 28.70 | i8 8.10 | Sum 36.80',
  ]);
});

inter('what is carried counts a row that is cut on the page where it begins', () => {
  const high = { item: 'a\nb\nc\nd\ne', price: '5' };
  const own = { splitRows: true, carryFooter: ['to', SUM], carryHeader: ['from', SUM] };
  expect(rows([table({ ...own, rows: [{ item: 'i', price: '1' }, high, { item: 'j', price: '2' }] })])).toEqual([
    'i 1 | a 5 | b | c | to 6',
    'from 6 | d | e | j 2',
  ]);
});

inter('all carried texts have room, whichever is the widest', () => {
  // Digits of Inter differ in width: 88.88 is wider than 111.1.
  const narrow = { columns: ['fill', 'hug'], cell: { fontFamily: 'inter', fontSize: 10, lineHeight: 2, padding: 0 } };
  const carried = { carryFooter: ['to', SUM], carryHeader: ['from', SUM], footer: ['Sum', SUM] };
  const same = Array.from({ length: 10 }, () => ({ item: 'i', price: '11.11' }));
  const own = { ...narrow, ...carried, rows: same };
  const [first, second] = rows([table(own)], { size: [200, 180] });
  expect(first).toMatch(/ \| to 88.88$/);
  expect(second).toBe('from 88.88 | i 11.11 | i 11.11 | Sum 111.10');
  // In and out: the sums on the way are longer than the last.
  const balance = items(8, (i) => ({ price: i < 4 ? '1000000' : '-1000000' }));
  const peak = rows([table({ ...own, rows: balance })]);
  expect(peak.flatMap((page) => page.match(/(to|from) \S+/g))).toEqual([
    ...['to 4000000', 'from 4000000', 'to 1000000', 'from 1000000'],
  ]);
  // In a column of px a long one takes two lines, for which there is room on each page.
  const worded = { calculate: { sum: 'price' }, format: { type: 'plural', forms: { other: '# pcs' } } };
  const inAndOut = items(8, (i) => ({ price: i < 4 ? '10000' : '-10000' }));
  const two = table({ carryFooter: ['to', worded], rows: inAndOut });
  expect(rows([two])[0]).toBe('i1 10000 | i2 10000 | i3 10000 | to 30,000 | pcs');
});

inter('entries that are hidden are carried too, and neither counted nor striped', () => {
  const carried = { carryFooter: ['to', SUM], carryHeader: ['from', SUM], footer: ['Sum', SUM] };
  const row = [{ cells: [{ name: 'item' }, { name: 'price' }], when: { state: 'open' } }];
  const entries = items(10, (i) => ({ state: i < 3 ? 'paid' : 'open', price: i < 3 ? 1000 : 1 }));
  expect(rows([table({ ...carried, row, rows: entries })])).toEqual([
    'i4 1 | i5 1 | i6 1 | i7 1 | to 3004',
    'from 3004 | i8 1 | i9 1 | i10 1 | Sum 3007',
  ]);
  const counted = [
    { cells: [{ counter: 'row' }, { name: 'item', when: 'last' }], when: { state: 'open' } },
    { cells: [{ text: 'odd' }], when: 'odd' },
  ];
  expect(rows([table({ row: counted, rows: entries.slice(0, 5) })])).toEqual(['1 | odd | 2 i5']);
  const zebra = boxes([table({ row, zebra: '#eee', rows: entries.slice(2, 6) })]);
  expect(zebra).toEqual([['0,20 100×20']]);
});

inter('a carried row is there as its condition says', () => {
  const carry = (more: Properties) => [{ cells: ['to', SUM], ...more }];
  const own = (more: Properties) => table({ carryFooter: carry(more), rows: items(6), values: { show: 'no' } });
  const [all = '', none = ''] = [rows([own({})])[0], rows([own({ when: { show: 'yes' } })])[0]];
  expect([all, none]).toEqual([
    'i1 1.10 | i2 2.10 | i3 3.10 | i4 4.10 | to 10.40',
    'i1 1.10 | i2 2.10 | i3 3.10 | i4 4.10 | i5 5.10',
  ]);
  // Nothing to average yet on the first page.
  const average = { cells: ['mean', { calculate: { average: 'late' } }], hideWhenEmpty: true };
  const late = table({ carryFooter: [average], rows: items(10, (i) => (i > 5 ? { late: 3 } : {})) });
  expect(rows([late])).toEqual([
    'i1 1.10 | i2 2.10 | i3 3.10 | i4 4.10',
    'i5 5.10 | i6 6.10 | i7 7.10 | i8 8.10 | mean 3',
    'i9 9.10 | i10 10.10',
  ]);
});

const grouped = (more: Properties) =>
  table({
    ...{ groupBy: 'group', groupHeader: [{ name: 'group' }], groupFooter: ['sub', SUM] },
    ...{ rows: items(5, (i) => ({ group: i < 3 ? 'A' : 'B' })), ...more },
  });

inter('a sub-header is not left at the foot of a page, nor a sub-total alone at its head', () => {
  expect(rows([grouped({})])).toEqual([
    'A | i1 1.10 | i2 2.10 | i3 3.10 | sub 6.30',
    'B | i4 4.10 | i5 5.10 | sub 9.20',
  ]);
  expect(rows([box(15), grouped({})])).toEqual([
    'A | i1 1.10 | i2 2.10',
    'i3 3.10 | sub 6.30 | B | i4 4.10',
    'i5 5.10 | sub 9.20',
  ]);
});

inter('a sub-header is shown again where its group goes on', () => {
  expect(rows([box(15), grouped({ repeatGroupHeader: true })])).toEqual([
    'A | i1 1.10 | i2 2.10',
    'A | i3 3.10 | sub 6.30 | B | i4 4.10',
    'B | i5 5.10 | sub 9.20',
  ]);
});

inter('of a group that should stay whole, but is higher than a page, the sub-total still begins none', () => {
  const rowsOfA = items(4, () => ({ group: 'A' }));
  expect(rows([grouped({ groupBreak: 'avoid', rows: rowsOfA })])).toEqual([
    'A | i1 1.10 | i2 2.10 | i3 3.10',
    'i4 4.10 | sub 10.40',
  ]);
});

inter('a group may stay whole, or begin a page', () => {
  expect(rows([box(35), grouped({ groupBreak: 'avoid' })])).toEqual([
    '',
    'A | i1 1.10 | i2 2.10 | i3 3.10 | sub 6.30',
    'B | i4 4.10 | i5 5.10 | sub 9.20',
  ]);
  const three = items(3, (i) => ({ group: `${i}` }));
  expect(rows([grouped({ groupBreak: 'page', groupFooter: [], header: ['Item', 'Price'], rows: three })])).toEqual([
    'Item Price | 0 | i1 1.10',
    'Item Price | 1 | i2 2.10',
    'Item Price | 2 | i3 3.10',
  ]);
});

inter('an entry stays with the next one where it should', () => {
  const titled = items(6, (i) => (i === 4 ? { kind: 'title' } : {}));
  expect(rows([table({ keepWithNext: { kind: 'title' }, rows: titled })])).toEqual([
    'i1 1.10 | i2 2.10 | i3 3.10 | i4 4.10',
    'i5 5.10 | i6 6.10',
  ]);
});

inter('the lines of an entry, and what a cell spans, are on one page', () => {
  const row = [[{ name: 'item', rowSpan: 2, verticalAlign: 'bottom' }, { name: 'price' }], [{ name: 'note' }]];
  const noted = items(3, (i) => ({ note: `n${i + 1}` }));
  expect(rows([table({ row, rows: noted })])).toEqual(['1.10 | i1 n1 | 2.10 | i2 n2', '3.10 | i3 n3']);
});

inter('an entry that is higher than a page goes on over pages, with its spans', () => {
  const row = [[{ name: 'item', rowSpan: 2 }, { name: 'price' }], [{ name: 'note' }]];
  const high = { item: '1\n2\n3\n4\n5\n6', price: 'p', note: 'n' };
  expect(rows([table({ row, rows: [high], splitRows: true })])).toEqual(['1 p | 2 | 3 | 4 n', '5 | 6']);
});

inter('a header of several rows with spans is shown again as it is', () => {
  const header = [[{ text: 'Item', rowSpan: 2 }, { text: 'Price' }], ['net']];
  const [first, second] = lists([table({ header, rows: items(5), repeatHeader: true })], { size: [200, 200] });
  const all = lists([box(90), table({ header, rows: items(9) })], { size: [200, 200] });
  expect(second).toBeUndefined();
  const words = (list: DisplayList | undefined) =>
    flat(list?.ops ?? [])
      .filter((op) => op.kind === 'glyphs')
      .slice(0, 3)
      .map((op) => `${op.run.text} ${op.origin.x} ${op.origin.y}`);
  expect(words(all[1])).toEqual(words(first));
});

const tall = (count: number) => ({ item: Array.from({ length: count }, (_, i) => `l${i + 1}`).join('\n') });

inter('what a head, a title or a kept row stands above begins on their page, even if it is higher than a page', () => {
  const divided = ['Item | l1 | l2 | l3 | l4', 'Item | l5 | l6 | l7'];
  expect(rows([table({ header: ['Item'], rows: [tall(7)] })])).toEqual(divided);
  const title = { name: 'title', type: 'text', text: 'T', fontFamily: 'inter', fontSize: 10, lineHeight: 2 };
  expect(rows([{ ...title, breakAfter: 'avoid' }, table({ header: ['Item'], rows: [tall(6)] })])).toEqual([
    'T | Item | l1 | l2 | l3',
    'Item | l4 | l5 | l6',
  ]);
  // A page may end between these two.
  expect(rows([title, table({ header: ['Item'], rows: [tall(7)] })])).toEqual(['T', ...divided]);
  const groups = { groupBy: 'g', groupHeader: [{ name: 'g' }] };
  expect(rows([table({ ...groups, rows: [{ g: 'G', ...tall(6) }] })])).toEqual(['G | l1 | l2 | l3 | l4', 'l5 | l6']);
  const kept = { keepWithNext: { item: 'k' }, rows: [{ item: 'a' }, { item: 'k' }, tall(6)] };
  expect(rows([table(kept)])).toEqual(['a', 'k | l1 | l2 | l3 | l4', 'l5 | l6']);
  // Rows that a page can hold are not divided.
  expect(rows([table({ ...kept, rows: [{ item: 'k' }, tall(5)] })])).toEqual(['k', 'l1 | l2 | l3 | l4 | l5']);
});

inter('a row that a page divides begins at its top, however its cells are aligned', () => {
  const row = [{ name: 'n', verticalAlign: 'middle', background: '#eee' }, { name: 'item' }];
  expect(rows([table({ row, rows: [{ n: 'N', ...tall(8) }] })])).toEqual(['N l1 | l2 | l3 | l4 | l5', 'l6 | l7 | l8']);
  const bottom = [{ name: 'n', verticalAlign: 'bottom' }, { name: 'item' }];
  const low = [box(60), table({ row: bottom, splitRows: true, rows: [{ n: 'N', ...tall(4) }] })];
  expect(rows(low)).toEqual(['N l1 | l2', 'l3 | l4']);
});

inter('a row is not divided between its last line and its end', () => {
  const cell = { fontFamily: 'inter', fontSize: 10, lineHeight: 2, padding: [0, 0, 10, 0] };
  const low = (count: number) => [box(35), table({ cell, splitRows: true, rows: [{ price: '1', ...tall(count) }] })];
  // 65 px are left: three lines fit, but not with the padding below them.
  expect(rows(low(3))).toEqual(['', 'l1 1 | l2 | l3']);
  expect(rows(low(5))).toEqual(['l1 1 | l2 | l3', 'l4 | l5']);
  // Nor where this is true of the lower one of two cells.
  const two = [{ name: 'item' }, { text: 'a\nb\nc' }];
  const divided = table({ cell, row: two, splitRows: true, rows: [tall(5)] });
  expect(rows([box(35), divided])).toEqual(['', 'l1 a | l2 b | l3 c | l4 | l5']);
});

inter('the border of a header that is repeated lies below the top of the page', () => {
  const cell = { fontFamily: 'inter', fontSize: 10, lineHeight: 2, padding: 0, border: { width: 4, color: '#000' } };
  const [, second] = boxes([table({ cell, header: ['Item'], rows: items(6) })]);
  const lines = (second ?? []).filter((each) => each.endsWith('×4'));
  // Rows of 24 px, and half of a line above the first.
  expect(lines.map((each) => each.split(' ')[0])).toEqual(['0,0', '0,24', '0,48', '0,72', '0,96']);
});

inter('a table may be closed on each page, below its last row there', () => {
  const border = { width: 2, color: '#000' };
  const closed = boxes([table({ border, boxDecorationBreak: 'clone', rows: items(6) })]);
  expect(closed.map((page) => page.map((each) => each.split(' ')[1]))).toEqual([['200×84'], ['200×44']]);
});

inter('borders that collapse are closed on each page, and drawn once', () => {
  const cell = { fontFamily: 'inter', fontSize: 10, lineHeight: 2, padding: 0, border: { width: 2, color: '#000' } };
  const [first, second] = boxes([table({ cell, rows: items(5) })]);
  // Four rows of 22 px, with 1 px at the top: three lines down and five across.
  expect(first).toEqual(['0,0 2×90', '60,0 2×90', '100,0 2×90', ...[0, 22, 44, 66, 88].map((y) => `0,${y} 102×2`)]);
  expect(second?.slice(3)).toEqual(['0,-1 102×2', '0,21 102×2']);
});

inter(
  'the lines of a divided entry have their borders and their padding on each page, and what a cell spans once',
  () => {
    const border = { width: 2, color: '#000' };
    const cell = { fontFamily: 'inter', fontSize: 10, lineHeight: 2, padding: 4, border };
    const row = [[{ name: 'item', rowSpan: 3 }, { name: 'price' }], [{ name: 'b' }], [{ name: 'c' }]];
    const divided = table({ cell, row, rows: [{ item: 'i', price: 'a', b: 'b', c: 'c' }], splitRows: true });
    const flow = [box(50), divided];
    expect(rows(flow)).toEqual(['i a', 'b | c']);
    const across = boxes(flow).map((page) => page.filter((each) => each.endsWith('×2')));
    // One line of the entry above the break, which closes the table there, and two of 30 px below it.
    expect(across).toEqual([
      ['0,50 102×2', '0,99 102×2'],
      ['0,-1 102×2', '60,29 42×2', '0,59 102×2'],
    ]);
    const [, second] = lists(flow);
    const baseline = flat(second?.ops ?? []).flatMap((op) => (op.kind === 'glyphs' ? [op.origin.y] : []))[0] ?? 0;
    const [alone] = lists([table({ cell, row: [{ name: 'item' }], rows: [{ item: 'b' }] })]);
    const first = flat(alone?.ops ?? []).flatMap((op) => (op.kind === 'glyphs' ? [op.origin.y] : []))[0] ?? 0;
    expect(baseline).toBeCloseTo(first - 1, 3);
  },
);

inter('of a divided row, fills and lines between columns are as high as its part on each page', () => {
  const columnRule = { width: 2, color: '#000' };
  const row = [{ name: 'item', background: '#eee' }, { name: 'price' }];
  const high = { item: 'short', price: 'a\nb\nc\nd\ne\nf\ng' };
  const expected = [
    ['0,0 60×100', '58,0 2×100'],
    ['0,0 60×40', '58,0 2×40', '0,40 60×20', '58,40 2×20'],
  ];
  expect(boxes([table({ row, columnRule, rows: [high, { item: 'i', price: '1' }] })])).toEqual(expected);
  const low = table({ row, columnRule, splitRows: true, rows: [{ item: 'short', price: 'a\nb\nc\nd' }] });
  expect(boxes([box(60), low]).map((page) => page.slice(-2))).toEqual([
    ['0,60 60×40', '58,60 2×40'],
    ['0,0 60×40', '58,0 2×40'],
  ]);
  const spanned = [[{ name: 'item', rowSpan: 2, background: '#eee' }, { name: 'price' }], [{ text: 'z' }]];
  expect(boxes([table({ row: spanned, rows: [high] })])).toEqual([['0,0 60×100'], ['0,0 60×60']]);
});

inter('with direction rtl, columns go from right to left, and cells start and end there', () => {
  const row = [
    { name: 'item', padding: [0, 6, 0, 2] },
    { name: 'price', align: 'end' },
  ];
  const own = { direction: 'rtl', row, rows: [{ item: 'i', price: '1' }], columnRule: { width: 1, color: '#000' } };
  const at = (flow: readonly Properties[]) =>
    flat(lists(flow)[0]?.ops ?? []).flatMap((op) =>
      op.kind === 'glyphs' ? [[Math.round(op.origin.x), Math.round(op.origin.x + op.run.width)]] : [],
    );
  // 200 px wide: the first column is 140–200, the second 100–140.
  const [[, item] = [], [price] = []] = at([table(own)]);
  expect([item, price]).toEqual([194, 100]);
  expect(boxes([table(own)])).toEqual([['140,0 1×20']]);
  const { direction: _, ...inherited } = own;
  const around = {
    name: 'around',
    type: 'frame',
    direction: 'rtl',
    layout: {},
    width: 'fill',
    children: [table(inherited)],
  };
  expect(at([around])).toEqual(at([table(own)]));
});

const warnings = (flow: readonly Properties[]) => {
  const layers = [{ name: 'flow', type: 'frame', flow: true, layout: {}, children: flow }];
  const scene = resolve(parseTemplate({ name: 'T', page: { size: [200, 100], margin: 10 }, layers }), {});
  const fonts = fontSet(style({ font: query('inter') }), style({ font: { ...query('inter'), weight: 400 } }));
  const { lists, diagnostics } = composePages(scene, { ...resources(), fonts }, {});
  for (const _ of lists);
  return diagnostics.map(({ message }) => message);
};

inter('a share breaks long words rather than put other columns off the sheet', () => {
  const long = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
  const own = { columns: ['hug', 'fill', 'hug'], row: ['1', { name: 'item' }, { name: 'price' }] };
  const [page] = rows([table({ ...own, rows: [{ item: long, price: '1250.00' }] })], { margin: 10 });
  expect(page).toMatch(/^1 [A-Z]+ 1250.00 \| [A-Z0-9]+$/);
  expect(warnings([table({ ...own, rows: [{ item: long, price: '1250.00' }] })])).toEqual([]);
  // A number is whole, and so is what must not be broken: then it is told once, with its place.
  const number = { item: '12,345,678,901,234,567,890,123,456,789.00', price: '1250.00' };
  const told = warnings([table({ ...own, rows: [{ item: 'a', price: '1' }, number, number] })]);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(
    /^Layer "lines": it is \d+ px wider than its place: "12,345,678,901,234,567,8…" in column 2, row 2 needs \d+ px\.$/,
  );
  const kept = { ...own, columns: ['hug', { width: 'fill', overflowWrap: 'normal' }, 'hug'], rows: [{ item: long }] };
  expect(warnings([table(kept)])[0]).toContain('in column 2, row 1 needs');
});

inter('a column that is too narrow does not divide a number, and says so', () => {
  const narrow = table({
    columns: ['fill', 40],
    rows: items(3, (i) => ({ price: i === 1 ? '€1,234,567.50' : '€1.50' })),
  });
  expect(rows([narrow])).toEqual(['i1 €1.50 | i2 €1,234,567.50 | i3 €1.50']);
  expect(warnings([narrow])).toEqual([
    'Layer "lines": "€1,234,567.50" in column 2, row 2 is 26 px wider than its cell.',
  ]);
  // Words are, as elsewhere.
  expect(rows([table({ columns: ['fill', 40], rows: [{ item: 'i', price: 'Rechnungsnummer' }] })])).toEqual([
    'i Rechnu | ngsnum | mer',
  ]);
});

inter('cells wrap as texts do, by overflowWrap, hyphens and maxLines', () => {
  const own = {
    columns: [{ width: 'hug', overflowWrap: 'anywhere' }, 120],
    rows: [{ item: 'Rechnungsnummer', price: '1' }],
  };
  expect(rows([table(own)])[0]).toMatch(/^\S+ 1( \| \S+)+$/);
  const clamped = { columns: [60, { width: 60, maxLines: 1, overflow: 'ellipsis' }] };
  expect(rows([table({ ...clamped, rows: [{ item: 'i', price: 'many words in a cell' }] })])).toEqual(['i many wor …']);
});

inter('values may come with styles of their cells', () => {
  const [list] = lists([table({ rows: [{ item: 'a', price: { value: -4, color: '#f00', fontSize: 20 } }] })]);
  const [, price] = flat(list?.ops ?? []).filter((op) => op.kind === 'glyphs');
  expect([price?.run.text, price?.run.fontSize, price?.brush]).toEqual([
    '-4',
    20,
    { kind: 'solid', color: { r: 255, g: 0, b: 0, a: 1 } },
  ]);
});

const heading = (text: string, level: number, more: Properties = {}) => ({
  ...{ name: text, type: 'text', text, heading: level, fontFamily: 'inter', fontSize: 10, lineHeight: 2 },
  ...more,
});
const contents = table({
  ...{ name: 'contents', contents: 2, columns: ['fill', 'hug'] },
  row: [{ name: 'text' }, { name: 'page' }],
});

inter('a table of contents lists headings with their pages, in one pass, and links to them', () => {
  const flow = [
    contents,
    heading('One', 1),
    box(60),
    heading('In', 2),
    heading('No', 3),
    heading('Two', 1, { breakBefore: 'page' }),
  ];
  expect(rows(flow)).toEqual(['One 1 | In 2 | Two 3 | One', 'In | No', 'Two']);
  const links = lists(flow).map(({ ops }) => flat(ops).flatMap((op) => (op.kind === 'link' ? [op.href] : [])));
  expect(links).toEqual([['#page=1&view=FitH,60', '#page=2&view=FitH,60', '#page=3&view=FitH,0'], [], []]);
});

inter('headings with one text have their own pages, and a heading of a list is listed', () => {
  const list = { name: 'list', type: 'frame', layout: {}, repeat: true, children: [heading('Same', 1), box(30)] };
  expect(rows([contents, list], {}, { list: [{}, {}] })).toEqual(['Same 1 | Same 2 | Same', 'Same']);
});

inter('leaders fill a cell after its text', () => {
  const leading = table({ ...contents, row: [{ name: 'text', leader: '.' }, { name: 'page' }] });
  const [first] = rows([leading, heading('One', 1)]);
  expect(first).toMatch(/^One 1? ?\.{30,}( 1)? \| One$/);
});

test('a table of contents needs pages', () => {
  const template = parseTemplate({ name: 'T', width: 9, height: 9, layers: [contents] });
  expect(() => check(template, {})).toThrow(
    'layers[0].contents: is for templates with `page`, which have pages to list',
  );
});

inter('what has to be beside the last row has room on its page: the border of the table', () => {
  const border = { width: 4, color: '#000000' };
  expect(rows([box(12), table({ border, rows: items(4) })])).toEqual(['i1 1.10 | i2 2.10 | i3 3.10 | i4 4.10']);
  expect(rows([box(13), table({ border, rows: items(4) })])).toEqual(['i1 1.10 | i2 2.10 | i3 3.10', 'i4 4.10']);
});

inter('a footer is repeated on a page that its table begins low on', () => {
  const own = { footer: ['Sum', SUM], repeatFooter: true, rows: items(6) };
  expect(rows([box(30), table(own)])).toEqual([
    'i1 1.10 | i2 2.10 | Sum 21.60',
    'i3 3.10 | i4 4.10 | i5 5.10 | i6 6.10 | Sum 21.60',
  ]);
});

inter('where pages may end within rows, heads and feet stay whole', () => {
  const footer = ['a\nb\nc\nd', ''];
  expect(rows([table({ splitRows: true, footer, rows: items(3) })])).toEqual([
    'i1 1.10 | i2 2.10',
    'i3 3.10 | a | b | c | d',
  ]);
});

inter('a footer that has no room below a row as high as a page is not cut, but begins the next one', () => {
  const footer = [{ text: 'Sum', padding: [0, 0, 10, 0] }, ''];
  const high = [{ item: 'a\nb\nc\nd', price: '' }];
  expect(rows([table({ footer, rows: high })])).toEqual(['a | b | c | d', 'Sum']);
});

inter('a row whose lines fit and whose line below does not begins the next page', () => {
  const own = { splitRows: true, rule: { width: 5, color: '#000000' } };
  const two = [{ item: 'x\ny', price: '' }];
  expect(rows([box(55), table({ ...own, rows: two })])).toEqual(['x | y']);
  expect(rows([box(58), table({ ...own, rows: two })])).toEqual(['', 'x | y']);
});

const many = (wide: unknown, more: Properties = {}) =>
  table({
    wide,
    columns: [30, 60, 60, 60, 60, 60],
    header: ['k', 'a', 'b', 'c', 'd', 'e'],
    row: [{ name: 'k' }, { name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }, { name: 'e' }],
    rows: [1, 2, 3, 4, 5, 6].map((k) => ({ k, a: `a${k}`, b: `b${k}`, c: `c${k}`, d: `d${k}`, e: `e${k}` })),
    ...more,
  });

inter('a table that is too wide is divided into groups of columns: all rows with some, then with the next', () => {
  // Sheets of 200 px have room for 30 and 2 of 60.
  expect(rows([many({ keyColumns: 1 })])).toEqual([
    'k a b | 1 a1 b1 | 2 a2 b2 | 3 a3 b3 | 4 a4 b4',
    'k a b | 5 a5 b5 | 6 a6 b6',
    'k c d | 1 c1 d1 | 2 c2 d2 | 3 c3 d3 | 4 c4 d4',
    'k c d | 5 c5 d5 | 6 c6 d6',
    'k e | 1 e1 | 2 e2 | 3 e3 | 4 e4',
    'k e | 5 e5 | 6 e6',
  ]);
  expect(rows([many({ keyColumns: 0 })])[0]).toBe('k a b | 1 a1 b1 | 2 a2 b2 | 3 a3 b3 | 4 a4 b4');
  expect(rows([many({ keyColumns: 0 })])[2]).toBe('c d e | c1 d1 e1 | c2 d2 e2 | c3 d3 e3 | c4 d4 e4');
  expect(warnings([many({ keyColumns: 1 })])).toEqual([]);
  // What has room is as it is without the word, and what follows stands below the last part.
  const narrow = { columns: [20, 30, 30, 30, 30, 30] };
  expect(rows([many({ keyColumns: 1 }, narrow)])).toEqual(rows([many(null, narrow)]));
  const word = { name: 'after', type: 'text', text: 'after', fontSize: 10, lineHeight: 2, fontFamily: 'inter' };
  expect(rows([many({ keyColumns: 1 }), word]).at(-1)).toBe('k e | 5 e5 | 6 e6 | after');
});

inter('the parts of a table have rows of one height, and cells that span columns are in each', () => {
  const own = {
    header: [['', { text: 'left', columnSpan: 3 }, { text: 'right', columnSpan: 2 }]],
    footer: [{ text: 'sum', columnSpan: 2 }, '', { calculate: { sum: 'c' } }, '', ''],
    rows: [
      { k: 1, a: 'a', b: 'b', c: 3, d: 'words on three lines', e: 'e' },
      { k: 2, a: 'a', b: 'b', c: 4, d: 'd', e: 'e' },
    ],
  };
  const parts = lists([many({ keyColumns: 1 }, own)], { size: [200, 200] });
  const tops = parts.map(({ ops }) =>
    flat(ops).flatMap((op) => (op.kind === 'glyphs' && op.run.text.trim() === '2' ? [Math.round(op.origin.y)] : [])),
  );
  expect(new Set(tops.flat()).size).toBe(1);
  expect(rows([many({ keyColumns: 1 }, own)], { size: [200, 200] })).toEqual([
    'left | 1 a b | 2 a b | sum',
    'left right | 1 3 words on | three lines | 2 4 d | sum 7',
    'right | 1 e | 2 e | sum',
  ]);
});

inter('carried sums and groups are in each part of a table', () => {
  const carried = {
    groupBy: 'k',
    groupHeader: [{ name: 'k', columnSpan: 6 }],
    row: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }, { name: 'e' }, { name: 'f' }],
    header: [],
    rows: [1, 2, 3, 4, 5].map((i) => ({ k: 'K', a: i, b: i, c: i, d: i, e: i, f: 10 * i })),
    carryFooter: ['so far', '', '', '', '', { calculate: { sum: 'f' } }],
  };
  const shown = rows([many({ keyColumns: 1 }, carried)]);
  expect(shown[0]).toBe('K | 1 1 1 | 2 2 2 | 3 3 3 | so far');
  expect(shown.slice(4)).toEqual(['K | 1 10 | 2 20 | 3 30 | so far 60', '4 40 | 5 50']);
});

inter('a table that is too wide is shrunk as far as it may be, and says so', () => {
  const list = lists([many({ shrinkTo: 5 })])[0];
  const runs = flat(list?.ops ?? []).filter((op) => op.kind === 'glyphs');
  // 330 px into 200.
  for (const { run } of runs) expect(run.fontSize).toBeCloseTo(6.06, 1);
  expect(Math.max(...runs.map(({ origin }) => origin.x))).toBeLessThan(200);
  expect(warnings([many({ shrinkTo: 5 })])).toEqual([
    'Layer "lines": it is too wide for its place, and is shown at 55 % of its size.',
  ]);
  expect(warnings([many({ shrinkTo: 8 })])).toEqual([
    'Layer "lines": it is too wide for its place, and is shown at 80 % of its size.',
    'Layer "lines": it is 84 px wider than its place: its columns have widths of their own.',
  ]);
  // Words are whole: a share breaks its own only where the least size is not enough.
  const hugging = { columns: ['hug', 'fill', 'hug', 'hug', 'hug', 'hug'] };
  const entry = { k: 1, a: 'Rechnungsnummer', b: 'Nummer', c: 'Nummer', d: 'Nummer', e: 'Nummer' };
  expect(rows([many({ shrinkTo: 4 }, { ...hugging, rows: [entry] })])).toEqual([
    'k a b c d e | 1 Rechnungsnummer Nummer Nummer Nummer Nummer',
  ]);
  const narrow = { columns: [20, 30, 30, 30, 30, 30] };
  expect(rows([many({ shrinkTo: 5 }, narrow)])).toEqual(rows([many(null, narrow)]));
  expect(warnings([many({ shrinkTo: 5 }, narrow)])).toEqual([]);
});
