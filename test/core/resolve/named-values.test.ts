// Tests values that are sent once and shown in several places, and what the cells of tables hold beside words.

import { expect, test } from 'vitest';
import { resolve } from '#core/resolve/resolve.ts';
import { check } from '#core/resolve/resolve-any.ts';
import type { FrameNode, TableNode, TextNode } from '#core/resolve/scene.ts';
import { spansOf } from '#core/resolve/table-cells.ts';
import { parseTemplate } from '#core/template/template.ts';

type Properties = Readonly<Record<string, unknown>>;

const template = (layers: readonly object[], more: Properties = {}) =>
  parseTemplate({ name: 't', width: 400, height: 400, currency: 'EUR', lang: 'de-DE', layers, ...more });
const text = (name: string, more: Properties) => ({ name, type: 'text', ...more });
const words = (scene: ReturnType<typeof resolve>, name: string) =>
  (scene.nodes.find((node) => node.name === name) as TextNode).spans.map((span) => span.text).join('');
const plain = (shown: string) => shown.replaceAll(/[\u00a0\u202f]/g, ' ');

const LETTER = [
  text('title', { heading: 1, spans: [{ text: 'Invoice ' }, { name: 'number', text: '0000' }] }),
  text('terms', {
    spans: [
      { name: 'until', format: { type: 'date', weekday: 'short', day: 'numeric', month: 'short' } },
      { text: ': ' },
      { name: 'due', format: 'currency', fontWeight: 700 },
    ],
  }),
  text('due', { text: '5', visible: false, format: 'currency' }),
  {
    name: 'qr',
    type: 'qr',
    spans: [{ text: 'EUR' }, { name: 'due', format: { type: 'number', minimumFractionDigits: 2 } }],
  },
  { name: 'bars', type: 'barcode', spans: [{ name: 'number' }] },
];
const PDF = {
  pdf: { title: [{ text: 'Invoice ' }, { name: 'number' }], author: [{ name: 'clerk' }], subject: 'Plain' },
};

test('one value is shown in a text, a code, a bookmark and the title of a PDF', () => {
  const scene = resolve(template(LETTER, PDF), { number: 'R-7', until: '2026-11-29+01:00', due: 1234.5 });
  expect([words(scene, 'title'), plain(words(scene, 'terms'))]).toEqual(['Invoice R-7', 'So., 29. Nov.: 1.234,50 €']);
  // Machines read a point.
  expect(scene.needs.codes.map(({ value }) => value)).toEqual(['EUR1234.50', 'R-7']);
  expect(scene.document).toEqual({ language: 'de-DE', title: 'Invoice R-7', author: undefined, subject: 'Plain' });
  expect(scene.diagnostics).toEqual([]);
});

test('what a table has no value of is not shown as zero, and named', () => {
  const lines = {
    ...{ name: 'lines', type: 'table', columns: ['fill', 'hug'], row: [{ name: 'net' }, { name: 'rate' }], rows: [] },
    footer: [{ name: 'gross', calculate: { sum: 'net', times: 1.19, round: 2 } }],
  };
  const row = [
    { name: 'rate' },
    { name: 'of', calculate: { sum: 'net' } },
    { calculate: { sum: 'nets' }, name: 'off' },
  ];
  const layers = [
    text('pay', { spans: [{ text: 'Pay ' }, { name: 'lines.gros', text: '–' }] }),
    { name: 'qr', type: 'qr', spans: [{ text: 'EUR' }, { name: 'lines.gros' }] },
    text('sum', { text: '7', calculate: { sum: 'lines.nett' } }),
    lines,
    { name: 'list', type: 'frame', repeat: true, layout: {}, children: [text('price', { text: '1' })] },
    text('of', { spans: [{ name: 'list.prize', text: '–' }] }),
    { name: 'taxes', type: 'table', columns: ['fill', 'hug', 'hug'], totals: { of: 'lines', by: 'rate' }, row },
  ];
  const scene = resolve(template(layers), { lines: [{ net: 100, rate: 0.19 }], list: [{ price: 2 }] });
  expect(['pay', 'sum', 'of'].map((name) => words(scene, name))).toEqual(['Pay –', '0', '–']);
  expect(scene.needs.codes.map(({ value }) => value)).toEqual(['EUR']);
  const said = (name: string, near: string, list = 'lines') =>
    `Layer "${list}" has no value "${name}", which is shown or calculated with; did you mean "${near}"?`;
  expect(scene.diagnostics.map(({ message }) => message).toSorted()).toEqual([
    said('gros', 'gross'),
    said('nets', 'net'),
    said('nett', 'net'),
    said('prize', 'price', 'list'),
  ]);
  // Without entries, nobody knows what they have.
  expect(resolve(template(layers), { lines: [], list: [] }).diagnostics).toEqual([]);
});

test('a text and a code show what a table adds up, or what a cell of its footer calculates', () => {
  const total = { name: 'lines.gross', format: 'currency' };
  const lines = {
    ...{ name: 'lines', type: 'table', columns: ['fill'], row: [{ name: 'net' }], rows: [{ net: 1 }] },
    footer: [{ name: 'gross', calculate: { sum: 'net', times: 1.19, round: 2 } }],
  };
  const layers = [
    text('pay', { spans: [{ text: 'Pay ' }, total, { text: ' for ' }, { name: 'lines.net' }] }),
    { name: 'qr', type: 'qr', spans: [{ text: 'EUR' }, { name: 'lines.gross' }] },
    lines,
  ];
  const scene = resolve(template(layers), { lines: [{ net: '100.50' }, { net: 1000 }] });
  expect(plain(words(scene, 'pay'))).toBe('Pay 1.309,60 € for 1100.50');
  expect(scene.needs.codes.map(({ value }) => value)).toEqual(['EUR1309.60']);
});

test('without a value, the text stands, and that of another layer, whether it is shown or not', () => {
  const scene = resolve(template(LETTER.slice(0, 4), PDF), {});
  expect([words(scene, 'title'), plain(words(scene, 'terms'))]).toEqual(['Invoice 0000', ': 5,00 €']);
  expect(scene.needs.codes.map(({ value }) => value)).toEqual(['EUR5.00']);
});

test('a value that its format cannot write is refused where it was sent; a code needs one', () => {
  expect(() => check(template(LETTER), { until: 'soon', number: '1' })).toThrow('modifications.until: must be a date');
  expect(() => check(template(LETTER), {})).toThrow('layers.bars.spans: have no value to encode');
  expect(() => template([text('a', { spans: [{ name: 'b', format: 'date', text: 'x' }] })])).toThrow(
    'layers[0].spans[0].text',
  );
  expect(() => template(LETTER, { currency: undefined })).toThrow('layers[1].spans[2].format: needs a currency');
});

test('a text that is set has no spans, and neither has a code', () => {
  const scene = resolve(template(LETTER), { title: 'Set', qr: 'https://example.com', number: '1' });
  expect(words(scene, 'title')).toBe('Set');
  expect(scene.needs.codes[0]?.value).toBe('https://example.com');
});

test('in a list, entries have values of their own', () => {
  const line = text('line', { spans: [{ name: 'item' }, { text: ' of ' }, { name: 'order' }] });
  const list = { name: 'list', type: 'frame', layout: {}, repeat: true, children: [line] };
  const scene = resolve(template([list]), { order: 'A-1', list: [{ item: 'Hinge' }, { item: 'Glue', order: 'A-2' }] });
  const [frame] = scene.nodes;
  const texts = ((frame as FrameNode).children as readonly TextNode[]).map(({ spans }) =>
    spans.map((span) => span.text).join(''),
  );
  expect(texts).toEqual(['Hinge of A-1', 'Glue of A-2']);
  expect(scene.diagnostics).toEqual([]);
});

test('dates may have a zone, be written as e-invoices do, or have no day', () => {
  const shown = (value: string, format: unknown) =>
    words(resolve(template([text('a', { format, text: '' })]), { a: value }), 'a');
  expect(shown('20250515', 'date')).toBe('15.05.2025');
  expect(shown('2017-12-11+01:00', 'date')).toBe('11.12.2017');
  expect(shown('2017-12-11Z', 'date')).toBe('11.12.2017');
  const month = { type: 'date', month: 'long', year: 'numeric' };
  expect([shown('2025-05', month), shown('202505', month), shown('2025-05-31', month)]).toEqual([
    'Mai 2025',
    'Mai 2025',
    'Mai 2025',
  ]);
  expect(() => shown('2025-05', 'date')).toThrow('modifications.a.text: has no day, "2025-05"');
  expect(() => shown('20251399', 'date')).toThrow('must be a date');
});

const cellsOf = (row: readonly object[], entry: Properties, more: Properties = {}) => {
  const table = { name: 'goods', type: 'table', columns: row.map(() => 'hug'), row, ...more };
  const scene = resolve(template([table]), { goods: [entry] });
  const { rows } = scene.nodes[0] as TableNode;
  const body = rows.at(0);
  return { scene, spans: body?.cells.map((cell, i) => spansOf(cell, body.texts[i] ?? '')) ?? [], texts: body?.texts };
};

test('cells have runs, links and marked words of their entries', () => {
  const { spans, scene } = cellsOf(
    [
      {
        spans: [{ name: 'item', fontWeight: 700 }, { text: ' ' }, { name: 'photo', image: { height: 8 } }],
        link: { name: 'page' },
      },
      { name: 'item', link: 'https://example.com' },
      { name: 'note', markup: 'markdown' },
    ],
    { item: 'Hinge', page: 'https://example.com/1', photo: 'a.png', note: 'a **b** [c](https://example.com/c)' },
  );
  expect(spans[0]?.map(({ text, link, style, image }) => [text, link, style.font.weight, image?.image])).toEqual([
    ['Hinge', 'https://example.com/1', 700, undefined],
    [' ', 'https://example.com/1', 400, undefined],
    ['\ufffc', 'https://example.com/1', 400, 'image-0'],
  ]);
  expect(spans[1]?.map(({ text, link }) => [text, link])).toEqual([['Hinge', 'https://example.com']]);
  expect(spans[2]?.map(({ text, link, style }) => [text, link, style.font.weight])).toEqual([
    ['a ', null, 400],
    ['b', null, 700],
    [' ', null, 400],
    ['c', 'https://example.com/c', 400],
  ]);
  expect(scene.needs.images.map(({ sources }) => sources)).toEqual([['a.png']]);
  expect(scene.needs.fonts.map(({ query }) => query.weight).sort()).toEqual([400, 700]);
  expect(() => cellsOf([{ name: 'item', link: { name: 'page' } }], { item: 'x', page: 'javascript:alert(1)' })).toThrow(
    'modifications.goods[0].page: must be an http:, https: or mailto: address',
  );
});

test('codes and pictures of cells are checked with their entries; of many codes one is needed ahead', () => {
  const table = {
    ...{ name: 'goods', type: 'table', columns: ['hug', 'hug'] },
    row: [
      { name: 'ean', code: { format: 'ean13' } },
      { name: 'photo', image: {} },
    ],
  };
  const goods = Array.from({ length: 3_000 }, (_, i) => ({
    ean: String(400638133393 + i),
    photo: i < 2 ? `${i}.png` : '',
  }));
  expect(check(template([table]), { goods }).sources).toEqual(['0.png', '1.png']);
  expect(resolve(template([table]), { goods }).needs.codes).toHaveLength(1);
  expect(() => check(template([table]), { goods: [...goods, { ean: '12' }] })).toThrow(
    'modifications.goods[3000].ean: cannot be an ean13 code: EAN-13 must be 12 or 13 digits',
  );
});
