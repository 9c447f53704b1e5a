// Tests what tables and texts calculate: exact, rounded where it is asked for, and with the totals of EN 16931.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ValidationError } from '#core/diagnostics.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { check } from '#core/resolve/resolve-any.ts';
import type { Scene, SceneNode, TableNode } from '#core/resolve/scene.ts';
import { parseTemplate } from '#core/template/template.ts';

const template = (...layers: readonly object[]) =>
  parseTemplate({ name: 't', width: 400, height: 400, currency: 'EUR', lang: 'en-IE', layers });

function* nodesIn(nodes: readonly SceneNode[]): Generator<SceneNode> {
  for (const node of nodes) {
    yield node;
    if (node.type === 'frame') yield* nodesIn(node.children);
  }
}

const nodeNamed = (scene: Scene, name: string) => [...nodesIn(scene.nodes)].find((node) => node.name === name);

/** The texts of a table's rows. */
function rowsOf(scene: Scene, name: string): readonly (readonly string[])[] {
  const node = nodeNamed(scene, name) as TableNode;
  return Array.from(node.rows, ({ texts }) => texts);
}

function textOf(scene: Scene, name: string): string {
  const node = nodeNamed(scene, name);
  return node?.type === 'text' ? node.spans.map(({ text }) => text).join('') : `no text: ${node?.type}`;
}

/** The texts of a table of one entry, by its row. */
const shown = (row: readonly object[], entry: object, values: object = {}) =>
  rowsOf(
    resolve(template({ name: 'lines', type: 'table', columns: row.map(() => 'hug'), row, values }), { lines: [entry] }),
    'lines',
  )[0];

function problem(make: () => unknown): string {
  try {
    make();
    return 'none';
  } catch (error) {
    if (error instanceof ValidationError) return error.message;
    throw error;
  }
}

const multiply = (...factors: readonly (string | number)[]) => ({ multiply: factors });

test('a cell multiplies named values and numbers, exactly', () => {
  const row = [
    { calculate: multiply('quantity', 'price') },
    { calculate: { ...multiply('quantity', 'price'), round: 2 } },
    { calculate: multiply('quantity', 'price', -1) },
    { calculate: multiply('price', 'factor') },
  ];
  expect(shown(row, { quantity: '0.1', price: '0.2' }, { factor: 1.1 })).toEqual(['0.02', '0.02', '-0.02', '0.22']);
});

test('a missing factor leaves the cell empty; what is no number is named', () => {
  const row = [{ name: 'amount', calculate: multiply('quantity', 'price') }];
  expect(shown(row, { price: 3 })).toEqual(['']);
  expect(problem(() => shown(row, { quantity: 'two', price: 3 }))).toBe(
    'modifications.lines[0].quantity: must be a number such as 12.5, which is calculated with; this is "two"',
  );
});

test('halves are rounded up away from zero, or to the even digit', () => {
  const rounded = (value: string, rounding?: string) =>
    shown([{ calculate: { multiply: ['a', 1], round: 2, ...(rounding && { rounding }) } }], { a: value })?.[0];
  const halves = ['0.125', '0.135', '-0.125', '-0.135', '0.1250001', '2'];
  expect(halves.map((half) => rounded(half))).toEqual(['0.13', '0.14', '-0.13', '-0.14', '0.13', '2.00']);
  expect(halves.map((half) => rounded(half, 'half-even'))).toEqual(['0.12', '0.14', '-0.12', '-0.14', '0.13', '2.00']);
});

const INVOICE = {
  name: 'lines',
  type: 'table',
  columns: ['fill', 'hug', 'hug', 'hug'],
  row: [
    { name: 'item' },
    { name: 'quantity' },
    { name: 'rate' },
    { name: 'amount', calculate: { multiply: ['quantity', 'price'], round: 2 } },
  ],
  footer: [
    ['Net', '', '', { name: 'net', calculate: { sum: 'amount' } }],
    {
      by: 'rate',
      cells: [
        'VAT',
        { name: 'rate' },
        { calculate: { sum: 'amount' } },
        { name: 'tax', calculate: { sum: 'amount', times: ['rate', 0.01], round: 2 } },
      ],
    },
    ['Total', '', '', { name: 'total', calculate: { sum: ['net', 'tax'] } }],
    ['Due', '', '', { name: 'due', calculate: { sum: 'total', less: 'paid' } }],
  ],
};

const LINES = [
  { item: 'A', quantity: 3, price: '0.335', rate: 19 },
  { item: 'B', quantity: '7.5', price: '96.50', rate: '19.00' },
  { item: 'C', quantity: 1, price: '39.80', rate: 7 },
  { item: 'D', quantity: 2, price: '10.10', rate: '7' },
];

test('an invoice adds up as EN 16931 says: BR-CO-10 to 17', () => {
  const scene = resolve(template({ ...INVOICE, values: { paid: '100' } }), { lines: LINES });
  expect(rowsOf(scene, 'lines')).toEqual([
    // Line amounts are rounded by line: 1.005 to 1.01.
    ['A', '3', '19', '1.01'],
    ['B', '7.5', '19.00', '723.75'],
    ['C', '1', '7', '39.80'],
    ['D', '2', '7', '20.20'],
    // BR-CO-10: the sum of the line amounts.
    ['Net', '', '', '784.76'],
    // BR-CO-17: taxable amount × rate / 100, rounded; by category, in the order of the lines. 19 and 19.00 are one rate.
    ['VAT', '19', '724.76', '137.70'],
    ['VAT', '7', '60.00', '4.20'],
    // BR-CO-14 and 15; BR-CO-16.
    ['Total', '', '', '926.66'],
    ['Due', '', '', '826.66'],
  ]);
});

test('tax that is rounded by line differs from tax that is rounded by total', () => {
  const lines = Array.from({ length: 3 }, () => ({ net: '0.13' }));
  const table = {
    name: 'lines',
    type: 'table',
    columns: ['hug', 'hug'],
    row: [{ name: 'net' }, { name: 'tax', calculate: { multiply: ['net', 0.19], round: 2 } }],
    footer: [{ calculate: { sum: 'tax' } }, { calculate: { sum: 'net', times: 0.19, round: 2 } }],
  };
  expect(rowsOf(resolve(template(table), { lines }), 'lines').at(-1)).toEqual(['0.06', '0.07']);
});

test('a balance runs from row to row', () => {
  const table = {
    name: 'account',
    type: 'table',
    columns: ['hug', 'hug', 'hug'],
    row: [{ name: 'in' }, { name: 'out' }, { calculate: { running: 'in', less: 'out', start: 'opening' } }],
    footer: ['', '', { calculate: { sum: ['opening', 'in'], less: 'out' } }],
    values: { opening: '250.10' },
  };
  const account = [{ in: '0.20' }, { out: 300 }, { in: 49.7, out: '0' }];
  const rows = rowsOf(resolve(template(table), { account }), 'account');
  expect(rows.map((texts) => texts[2])).toEqual(['250.30', '-49.70', '0.00', '0.00']);
});

test('groups have lines by rate of their own, and what a cell is given is not calculated', () => {
  const table = {
    name: 'lines',
    type: 'table',
    columns: ['hug', 'hug'],
    groupBy: 'shop',
    row: [{ name: 'rate' }, { name: 'amount', calculate: { multiply: ['quantity', 'price'] } }],
    groupFooter: [{ by: 'rate', cells: [{ name: 'rate' }, { calculate: { sum: 'amount' } }] }],
    footer: [{ name: 'rate' }, { calculate: { sum: 'amount' } }],
  };
  const lines = [
    { shop: 'a', rate: 7, quantity: 2, price: 3 },
    { shop: 'a', rate: 19, quantity: 2, price: 3, amount: 5 },
    { shop: 'b', rate: 7, amount: 1 },
  ];
  expect(rowsOf(resolve(template(table), { lines }), 'lines')).toEqual([
    ['7', '6'],
    ['19', '5'],
    ['7', '6'],
    ['19', '5'],
    ['7', '1'],
    ['7', '1'],
    ['', '12'],
  ]);
});

test('a table of totals has an entry for each value of another, and adds them up', () => {
  const totals = {
    name: 'taxes',
    type: 'table',
    columns: ['hug', 'hug', 'hug', 'hug'],
    totals: { of: 'lines', by: 'rate' },
    row: [
      { name: 'rate' },
      { name: 'net', calculate: { sum: 'amount' } },
      { name: 'tax', calculate: { multiply: ['net', 'rate', 0.01], round: 2 } },
      { name: 'gross', calculate: { sum: ['net', 'tax'] } },
    ],
    footer: ['', { calculate: { sum: 'net' } }, { calculate: { sum: 'tax' } }, { calculate: { sum: 'gross' } }],
  };
  const terms = {
    name: 'terms',
    type: 'table',
    columns: ['hug', 'hug'],
    row: [
      { name: 'discount', calculate: { multiply: ['taxes.gross', 'rate'], round: 2 } },
      { name: 'pay', calculate: { sum: 'taxes.gross', less: 'discount' } },
    ],
  };
  const text = { name: 'due', type: 'text', calculate: { sum: 'lines.total' }, format: 'currency' };
  const half = { name: 'half', type: 'text', calculate: { multiply: ['due', 0.5], round: 2, rounding: 'half-even' } };
  const given = { lines: LINES, terms: [{ rate: '0.02' }, { rate: 0 }] };
  const scene = resolve(template(text, half, terms, totals, INVOICE), given);
  expect(rowsOf(scene, 'taxes')).toEqual([
    ['19', '724.76', '137.70', '862.46'],
    ['7', '60.00', '4.20', '64.20'],
    ['', '784.76', '141.90', '926.66'],
  ]);
  expect(rowsOf(scene, 'terms')).toEqual([
    ['18.53', '908.13'],
    ['0.00', '926.66'],
  ]);
  expect([textOf(scene, 'due'), textOf(scene, 'half')]).toEqual(['€926.66', '463.33']);
});

test('texts of a list multiply the values of their entries, and others add them up', () => {
  const text = (name: string, more: object) => ({ name, type: 'text', ...more });
  const children = [text('quantity', {}), text('amount', { calculate: { multiply: ['quantity', 'price'], round: 2 } })];
  const list = { name: 'lines', type: 'frame', layout: {}, repeat: true, children };
  const total = text('total', { calculate: { sum: 'lines.amount', times: ['rate', 0.01], round: 2 } });
  const scene = resolve(template(total, list), {
    rate: 19,
    lines: [
      { quantity: 3, price: '0.335' },
      { price: 1, quantity: 2 },
    ],
  });
  expect(scene.diagnostics).toEqual([]);
  expect(textOf(scene, 'lines[0].amount')).toBe('1.01');
  // 19 % of 3.01.
  expect(textOf(scene, 'total')).toBe('0.57');
  expect(textOf(resolve(template(total, list), {}), 'total')).toBe('');
});

test('what cannot be calculated is refused by its name', () => {
  const table = (given: object) => template({ name: 'lines', type: 'table', columns: ['hug', 'hug'], ...given });
  const named = (name: string, calculate: unknown) => ({ name, calculate });
  const circle = table({ row: [named('a', multiply('b')), named('b', multiply('a', 2))] });
  expect(problem(() => resolve(circle, { lines: [{}] }))).toBe(
    'modifications.lines.values.a: is calculated of itself: "a" → "b" → "a"',
  );
  expect(problem(() => table({ row: ['x'], footer: [{ calculate: { running: 'a' } }] }))).toMatch(
    /^layers\[0\]\.footer: `running` is/,
  );
  expect(problem(() => table({ row: { cells: ['x'], by: 'a' } }))).toMatch(/^layers\[0\]\.row/);
  expect(problem(() => table({ totals: { of: 'others', by: 'a' } }))).toBe(
    'layers[0].totals.of: names no other table here',
  );
  expect(problem(() => template({ name: 'sum', type: 'text', calculate: { sum: 'nowhere.amount' } }))).toBe(
    'layers[0].calculate: names no frame here that has `repeat`, and no table',
  );
  const many = table({ row: ['x'], footer: [{ by: 'a', cells: [{ name: 'a' }] }] });
  const lines = Array.from({ length: 101 }, (_, a) => ({ a }));
  expect(problem(() => resolve(many, { lines }))).toBe(
    'modifications.lines[100].a: have more than 100 different values here, by which they are added up',
  );
  const long = table({ row: [{ calculate: multiply('a', 'a') }, ''] });
  expect(problem(() => resolve(long, { lines: [{ a: `0.${'1'.repeat(40)}` }] }))).toMatch(
    /is calculated as a number of 8\d digits; give it "round"$/,
  );
});

test('numbers that take each other as factors stay bounded', () => {
  const eight = (name: string) => ({ name: `${name}8`, calculate: multiply(...Array.from({ length: 8 }, () => name)) });
  const names = Array.from({ length: 30 }, (_, i) => `a${'8'.repeat(i)}`);
  const table = { name: 'lines', type: 'table', columns: names.map(() => 'hug'), row: names.map(eight) };
  expect(problem(() => resolve(template(table), { lines: [{ a: '1.23456789' }] }))).toMatch(/digits; give it "round"$/);
});

test('the totals of a long table are exact, and checked with it', () => {
  const lines = Array.from({ length: 50_000 }, (_, i) => ({ quantity: '0.1', price: '0.1', rate: i % 3 }));
  const stored = template(INVOICE);
  expect(check(stored, { lines }).diagnostics).toEqual([]);
  const { rows } = nodeNamed(resolve(stored, { lines }), 'lines') as TableNode;
  expect(Array.from({ length: 5 }, (_, i) => rows.at(50_000 + i)?.texts[3])).toEqual([
    '500.00',
    '0.00',
    '1.67',
    '3.33',
    '505.00',
  ]);
});

test('an invoice of forty lines: its tax, its sums, and the code with which it is paid', () => {
  const file = join(import.meta.dirname, 'business-invoice.json');
  const { template: stored, modifications } = JSON.parse(readFileSync(file, 'utf8'));
  const scene = resolve(parseTemplate(stored), modifications);
  // In hundredths: rounded by line, and the tax by rate.
  const cents = (digits: bigint, places: bigint) => (2n * digits + 10n ** places) / (2n * 10n ** places);
  const fraction = (text: string, places: number) => {
    const [whole = '', after = ''] = text.replace('-', '').split('.');
    return BigInt(whole + after.padEnd(places, '0')) * (text.startsWith('-') ? -1n : 1n);
  };
  const net = new Map<string, bigint>();
  for (const { menge, preis, satz } of modifications.positionen) {
    const product = fraction(menge, 4) * fraction(preis, 4);
    const amount = product < 0n ? -cents(-product, 6n) : cents(product, 6n);
    net.set(satz, (net.get(satz) ?? 0n) + amount);
  }
  const tax = [...net].map(([rate, sum]) => cents(sum * fraction(rate, 2), 2n));
  const total = [...net.values(), ...tax].reduce((all, each) => all + each, 0n);
  expect([[...net.values()], tax, total]).toEqual([[2206513n, 59700n], [419237n, 4179n], 2689629n]);
  const shown = [...rowsOf(scene, 'positionen').slice(-4), ...rowsOf(scene, 'bedingungen').slice(1)];
  expect(shown.map((texts) => (texts.at(-1) ?? '').replaceAll('\u00a0', ' '))).toEqual([
    '22.662,13 €',
    '4.192,37 €',
    '41,79 €',
    '26.896,29 €',
    '26.358,36 €',
    '26.896,29 €',
  ]);
  expect(scene.needs.codes[0]?.value).toBe(
    'BCD\n002\n1\nSCT\nCOBADEFFXXX\nNordwerk GmbH\nDE89370400440532013000\nEUR26896.29\n\n\nRechnung RE-2026-01187 Kd 40311',
  );
  expect(scene.document?.title).toBe('Rechnung RE-2026-01187');
});

test('a name that nothing has is said, each time, with the one that may be meant', () => {
  const table = (footer: object, row: object = { calculate: multiply('quantity', 'price') }) =>
    template({
      ...{ name: 'lines', type: 'table', columns: ['hug', 'hug'], row: [{ name: 'amount', ...row }, { name: 'rate' }] },
      footer: ['', { calculate: footer }],
    });
  const lines = [{ quantity: 2, price: 3, rate: 0.2 }];
  const said = (footer: object, row?: object, more: object = {}) => {
    const stored = table(footer, row);
    const warnings = [1, 2].map(() =>
      resolve(stored, { lines, ...more })
        .diagnostics.map(({ message }) => message)
        .filter((message) => message.startsWith('The table')),
    );
    expect(warnings[1]).toEqual(warnings[0]);
    return warnings[0]?.join(' ');
  };
  const of = (name: string, near: string) =>
    `The table "lines" calculates with ${JSON.stringify(name)}, which nothing has${near}`;
  expect(said({ sum: 'amuont' })).toBe(of('amuont', '; did you mean "amount"?'));
  expect(said({ sum: ['amount', 'shipping'] })).toBe(of('shipping', '.'));
  expect(said({ sum: 'amount', times: 'rat' })).toBe(of('rat', '; did you mean "rate"?'));
  expect(said({ sum: 'amount' }, { calculate: multiply('quantity', 'prise') })).toBe(
    of('prise', '; did you mean "price"?'),
  );
  // What an entry, a cell, the request or another list has is no such name, and neither is what no entry can have.
  expect(said({ sum: ['amount', 'shipping'], less: 'other.sum' }, undefined, { shipping: 5 })).toBe('');
  expect(resolve(table({ sum: 'amuont' }), {}).diagnostics).toEqual([]);
});

test('a rate that is written with fewer digits than it is calculated with is said, with the first such value', () => {
  const said = (
    format: object | string,
    rates: readonly unknown[],
    calculate: object = { sum: 'net', times: 'rate' },
  ) =>
    resolve(
      template({
        ...{ name: 'lines', type: 'table', columns: ['hug', 'hug'], row: [{ name: 'net' }, { name: 'rate' }] },
        footer: [{ by: 'rate', cells: [{ spans: [{ text: 'VAT ' }, { name: 'rate', format }] }, { calculate }] }],
      }),
      { lines: rates.map((rate) => ({ net: 100, rate })) },
    ).diagnostics.map(({ message }) => message);
  const warning = (value: string) => [
    `The table "lines" calculates with "rate" of "${value}", and writes it with fewer digits; give its percent format \`maximumFractionDigits\`.`,
  ];
  expect(said('percent', [0.19, '0.081', 0.026])).toEqual(warning('0.081'));
  expect(said({ type: 'percent', maximumFractionDigits: 1 }, [0.19, 0.081])).toEqual([]);
  expect(said({ type: 'percent', maximumFractionDigits: 1 }, [0.0255])).toEqual(warning('0.0255'));
  expect(said('percent', [0.19, '0.070', ''])).toEqual([]);
  // Only what the table calculates with, or by.
  expect(said('percent', [0.081], { sum: 'net' })).toEqual(warning('0.081'));
});

// Charts of tables.

const SOLD = {
  name: 'lines',
  type: 'table',
  columns: ['fill', 'hug', 'hug'],
  row: [
    { name: 'item' },
    { name: 'pieces', format: 'number' },
    { name: 'amount', calculate: { multiply: ['pieces', 'price'] } },
  ],
  rows: [
    { item: 'Hinge', pieces: 2, price: '4.50' },
    { item: 'Screw', pieces: '', price: '0.10' },
  ],
};
const chartOf = (from: object, more: object = {}) => ({
  name: 'sold',
  type: 'chart',
  from: { table: 'lines', ...from },
  ...more,
});
/** The entries of the chart `sold`, such as `Hinge 9`. */
function pointsOf(scene: Scene): readonly string[] {
  const node = nodeNamed(scene, 'sold');
  return node?.type === 'chart' ? node.entries.map(({ label, values }) => `${label} ${values.join(' ')}`) : [];
}

test('a chart shows the rows of a table: those of the template, those of the request, or its own data where that is given', () => {
  const made = template(SOLD, chartOf({ label: 'item', values: ['pieces', 'amount'] }));
  expect(pointsOf(resolve(made, {}))).toEqual(['Hinge 2 9', 'Screw  ']);
  const rows = [{ item: 'Oak', pieces: 3, price: '1.20' }];
  expect(pointsOf(resolve(made, { lines: rows }))).toEqual(['Oak 3 3.6']);
  expect(pointsOf(resolve(made, { lines: rows, sold: '7, 8' }))).toEqual([' 7', ' 8']);
  expect(pointsOf(resolve(made, { sold: { data: [1] } }))).toEqual([' 1']);
  expect(pointsOf(resolve(made, { sold: true }))).toEqual(['Hinge 2 9', 'Screw  ']);
});

test('a chart of a table or a value that is not there is refused by name, and so is what is no number, or too much', () => {
  const problem = (from: object, modifications: object = {}) => {
    try {
      resolve(template(SOLD, chartOf(from)), modifications as never);
      return 'none';
    } catch (error) {
      return error instanceof ValidationError ? error.message : String(error);
    }
  };
  expect(problem({ table: 'line', values: 'amount' })).toBe(
    'layers.sold.from.table: there is no table "line" beside the chart',
  );
  expect(problem({ values: 'amuont' })).toBe(
    'layers.sold.from: "amuont" is no value of the entries of that table; did you mean "amount"?',
  );
  expect(problem({ values: 'item' })).toBe(
    'layers.lines[0].item: must be a number such as 12.5, which is shown in a chart; this is "Hinge"',
  );
  const rows = Array.from({ length: 501 }, () => ({ pieces: 1, price: 1 }));
  expect(problem({ values: 'pieces' }, { lines: rows })).toBe(
    'layers.sold.from: the table has 501 entries, and a chart shows at most 500',
  );
});
