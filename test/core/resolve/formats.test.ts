import { describe, expect, test } from 'vitest';
import { resolve } from '../../../src/core/resolve/resolve.ts';
import { check } from '../../../src/core/resolve/resolve-any.ts';
import type { SceneNode } from '../../../src/core/resolve/scene.ts';
import { parseTemplate } from '../../../src/core/template/template.ts';

type Properties = Readonly<Record<string, unknown>>;

const one = (properties: Properties, template: Properties = {}) =>
  parseTemplate({ name: 'T', width: 9, height: 9, ...template, layers: [{ name: 'a', type: 'text', ...properties }] });

/** The words of a scene; the spaces that CLDR puts between digits and words are plain ones here. */
function words(nodes: readonly SceneNode[]): string[] {
  return nodes.flatMap((node) => {
    if (node.type === 'frame') return words(node.children);
    return node.type === 'text' ? [(node.spans[0]?.text ?? '').replace(/[\u00a0\u202f]/g, ' ')] : [];
  });
}
function shown(format: unknown, value: unknown, properties: Properties = {}, template: Properties = {}): string {
  return words(resolve(one({ format, ...properties }, template), { a: value }).nodes).join();
}
const German = { lang: 'de-DE' };

describe('numbers', () => {
  test('by the language of the layer, of the template, or else American', () => {
    expect(shown('number', 1234.5)).toBe('1,234.5');
    expect(shown('number', 1234.5, {}, German)).toBe('1.234,5');
    expect(shown('number', 1234.5, { lang: 'fr' }, German)).toBe('1 234,5');
    expect(shown('number', 1234.5, { lang: 'xx-Qaaa' })).toBe('1,234.5');
  });
  test('more digits than a binary number has', () =>
    expect(shown('number', '12345678901234567890.12')).toBe('12,345,678,901,234,567,890.12'));
  test('currencies, percentages and units', () => {
    expect(shown('currency', 1234.5, {}, { ...German, currency: 'EUR' })).toBe('1.234,50 €');
    expect(shown({ type: 'currency', currency: 'JPY' }, '1234.5')).toBe('¥1,235');
    expect(shown({ type: 'currency', currency: 'USD', currencySign: 'accounting' }, -3)).toBe('($3.00)');
    expect(shown('percent', 0.19, {}, German)).toBe('19 %');
    expect(shown({ type: 'unit', unit: 'kilogram' }, 12.5, {}, German)).toBe('12,5 kg');
  });
  test('fraction digits are rounded half away from zero', () => {
    expect(shown({ type: 'number', maximumFractionDigits: 2 }, '1.005')).toBe('1.01');
    expect(shown({ type: 'number', minimumFractionDigits: 2 }, '1')).toBe('1.00');
    expect(shown({ type: 'currency', currency: 'EUR', maximumFractionDigits: 0 }, '2.5')).toBe('€3');
    expect(shown({ type: 'currency', currency: 'EUR', maximumFractionDigits: 3 }, '2.5')).toBe('€2.50');
    expect(shown({ type: 'number', minimumFractionDigits: 4, maximumFractionDigits: 1 }, '2')).toBe('2.0');
  });
  test('plurals take the form of the language', () => {
    const days = (value: number, lang: string, forms: Properties) => shown({ type: 'plural', forms }, value, { lang });
    expect(days(1, 'en', { one: '# day', other: '# days' })).toBe('1 day');
    expect(days(1200, 'en', { one: '# day', other: '# days' })).toBe('1,200 days');
    expect(days(3, 'pl', { one: '# dzień', few: '# dni', other: '# dnia' })).toBe('3 dni');
  });
});

describe('dates', () => {
  test('a day is the same everywhere', () => {
    expect(shown('date', '2026-01-31')).toBe('Jan 31, 2026');
    expect(shown({ type: 'date', dateStyle: 'long', timeZone: 'America/New_York' }, '2026-01-31', German)).toBe(
      '31. Januar 2026',
    );
  });
  test('a moment is shown in a time zone, a time without a zone as it is', () => {
    const format = { type: 'date', dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Berlin' };
    expect(shown(format, '2026-01-31T23:30:00Z', German)).toBe('01.02.26, 00:30');
    expect(shown(format, '2026-07-31T12:00-05:00', German)).toBe('31.07.26, 19:00');
    expect(shown(format, '2026-01-31 23:30', German)).toBe('31.01.26, 23:30');
  });
});

test('a list is joined as the language does', () => {
  expect(shown('list', ['a', 'b', 3])).toBe('a, b, and 3');
  expect(shown({ type: 'list', style: 'disjunction' }, ['a', 'b'], {}, German)).toBe('a oder b');
  expect(shown('list', 'as it is')).toBe('as it is');
  expect(shown('list', '["a", "b"]')).toBe('a and b');
});

test('an empty text stays empty, and the text of the template is formatted, too', () => {
  expect(shown('number', '')).toBe('');
  expect(words(resolve(one({ format: 'number', text: '1234' }), {}).nodes)).toEqual(['1,234']);
});

test('the language of the template is that of its texts', () => {
  const [node] = resolve(one({}, { lang: 'tr' }), {}).nodes;
  expect(node?.type === 'text' && node.strut.lang).toBe('tr');
});

test('what does not parse is refused with its path', () => {
  const refuse = (format: unknown, value: unknown, message: string) => {
    const template = one({ format }, { currency: 'EUR' });
    expect(() => resolve(template, { a: value })).toThrow(message);
    expect(() => check(template, { a: value })).toThrow(message);
  };
  refuse('number', '12,5', 'modifications.a.text: must be a number such as 12.5, this is "12,5"');
  refuse('currency', 'free', 'modifications.a.text: must be a number');
  refuse('date', '2026-02-30', 'modifications.a.text: must be a date or time of ISO 8601');
  refuse('date', '31.01.2026', 'modifications.a.text: must be a date');
  refuse('list', ['a', {}], 'modifications.a[1]: must be a string or a number');
  expect(() => one({ format: 'number', text: 'x' })).toThrow('layers[0].text: must be a number');
  refuse('number', { text: 1, format: { type: 'unit', unit: 'x' } }, 'modifications.a.');
  expect(() => one({ format: 'currency' })).toThrow('layers[0].format: needs a currency');
  expect(() => one({ format: 'money' })).toThrow('layers[0].format: must be "number", "currency"');
  expect(() => one({ format: { type: 'unit', unit: 'foo' } })).toThrow('layers[0].format.unit: must be a unit');
  expect(() => one({ format: { type: 'date', timeZone: 'Mars' } })).toThrow('layers[0].format.timeZone: must be');
  expect(() => one({}, { currency: 'euro' })).toThrow('currency: must be a currency of ISO 4217');
});

describe('calculations', () => {
  const text = (name: string, properties: Properties = {}) => ({ name, type: 'text', text: '', ...properties });
  const list = (name: string, children: readonly unknown[], repeat: unknown = true) => ({
    ...{ name, type: 'frame', layout: { direction: 'column' }, repeat, children },
  });
  const invoice = (properties: Properties, repeat: unknown = true) =>
    parseTemplate({
      name: 'T',
      width: 9,
      height: 9,
      ...{ lang: 'de-DE', currency: 'EUR' },
      layers: [list('lines', [text('total')], repeat), text('sum', { text: '0', ...properties })],
    });
  const last = (template: ReturnType<typeof invoice>, modifications: Properties) =>
    words(resolve(template, modifications).nodes).at(-1);
  const lines = (...totals: readonly unknown[]) => ({ lines: totals.map((total) => ({ total })) });

  test('a text that an entry hides counts nothing, whatever it would have shown', () => {
    const hidden = { total: '9', lines: [{ total: 2 }, { total: false }, { total: { visible: false } }] };
    expect(last(invoice({ calculate: { sum: 'lines.total' } }), hidden)).toBe('2');
    expect(last(invoice({ calculate: { average: 'lines.total' } }), hidden)).toBe('2');
    expect(last(invoice({ calculate: { count: 'lines' } }), hidden)).toBe('3');
  });
  test('a sum is exact, and formatted', () => {
    expect(last(invoice({ calculate: { sum: 'lines.total' } }), lines(0.1, 0.2, '3.00'))).toBe('3.30');
    const formatted = invoice({ calculate: { sum: 'lines.total' }, format: 'currency' });
    expect(last(formatted, lines('1000.1', '0.2', ''))).toBe('1.000,30 €');
    expect(last(formatted, { lines: [] })).toBe('0,00 €');
  });
  test('averages leave out what is empty, counts do not', () => {
    const format = { type: 'number', maximumFractionDigits: 3 };
    expect(last(invoice({ calculate: { average: 'lines.total' }, format }), lines(1, 1, '', 2))).toBe('1,333');
    expect(last(invoice({ calculate: { average: 'lines.total' } }), { lines: [] })).toBe('');
    expect(last(invoice({ calculate: { count: 'lines' } }), lines(1, '', 2))).toBe('3');
  });
  test('entries that are not shown count, too', () =>
    expect(last(invoice({ calculate: { sum: 'lines.total' } }, { max: 1 }), lines(1, 2, 3))).toBe('6'));
  test('the caller may give the result; without a list it is as designed', () => {
    expect(last(invoice({ calculate: { sum: 'lines.total' } }), { ...lines(1, 2), sum: 'two' })).toBe('two');
    expect(last(invoice({ calculate: { sum: 'lines.total' } }), { sum: { fontSize: 9 } })).toBe('0');
    expect(last(invoice({ calculate: { sum: 'lines.total' } }), { ...lines(1), sum: { fontSize: 9 } })).toBe('1');
  });
  test('a list in a list has its own, and all together one', () => {
    const parts = list('parts', [text('price')]);
    const order = list('orders', [parts, text('subtotal', { calculate: { sum: 'parts.price' } })]);
    const all = text('all', { calculate: { sum: 'parts.price' } });
    const template = parseTemplate({ name: 'T', width: 9, height: 9, layers: [order, all] });
    const orders = [{ parts: [{ price: 1 }, { price: 2 }] }, { parts: [{ price: 0.5 }] }];
    expect(words(resolve(template, { orders }).nodes)).toEqual(['1', '2', '3', '0.5', '0.5', '3.5']);
  });
  test('a value that is no number is refused with the path of its entry', () =>
    expect(() => check(invoice({ calculate: { sum: 'lines.total' } }), lines(1, 'x'))).toThrow(
      'modifications.lines[1].total.text: must be a number such as 12.5, for the sum; this is "x"',
    ));
  test('what is calculated must exist', () => {
    expect(() => invoice({ calculate: { sum: 'line.total' } })).toThrow('layers[1].calculate: names no frame here');
    expect(() => invoice({ calculate: { sum: 'lines.totl' } })).toThrow('the entries of "lines" have no text "totl"');
    expect(() => invoice({ calculate: 'sum' })).toThrow('layers[1].calculate: must be {"sum"');
  });
});
