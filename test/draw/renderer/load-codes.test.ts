import { expect, test } from 'vitest';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { loadCodes } from '#draw/renderer/load-codes.ts';

/** The modules of a layer's code. */
async function load(layer: object, modifications = {}) {
  const template = parseTemplate({ name: 'Card', width: 100, height: 50, layers: [{ name: 'a', ...layer }] });
  const { needs } = resolve(template, modifications);
  const modules = (await loadCodes(needs.codes)).get(needs.codes[0]?.key ?? '');
  if (!modules) throw new Error('expected a code');
  return modules;
}

test('each row of a PDF417 symbol is three modules high, and the last is as full as the first', async () => {
  const modules = await load({ type: 'barcode', format: 'pdf417', value: 'Stacked', quietZone: 0 });
  const row = (index: number) => modules.dark.slice(index * modules.columns, (index + 1) * modules.columns);
  expect(modules.dark).toHaveLength(modules.columns * modules.rows);
  expect([row(0), row(1), row(2)]).toEqual([row(0), row(0), row(0)]);
  const start = [...'11111111010101000'].map((bar) => bar === '1');
  expect(row(modules.rows - 1).slice(0, start.length)).toEqual(start);
});
test('a QR code has its quiet zone and finder pattern', async () => {
  const modules = await load({ type: 'qr', value: 'hi', quietZone: 4 });
  expect(modules).toMatchObject({ columns: 29, rows: 29 });
  const row = (y: number) =>
    modules.dark
      .slice(y * 29, y * 29 + 12)
      .map(Number)
      .join('');
  expect([row(3), row(4), row(5)]).toEqual([
    '000000000000',
    expect.stringMatching(/^00001111111/),
    expect.stringMatching(/^00001000001/),
  ]);
});
test('EAN-13 is 95 modules between its margins, starting with a guard', async () => {
  const modules = await load({ type: 'barcode', format: 'ean13', value: '5901234123457', quietZone: 10 });
  expect(modules).toMatchObject({ columns: 115, rows: 1 });
  expect(modules.dark.slice(8, 15).map(Number).join('')).toBe('0010100');
});
test('a value that its symbology cannot hold names the modification', async () => {
  const layer = { type: 'barcode', format: 'ean13', value: '5901234123457' };
  await expect(load(layer, { a: '12' })).rejects.toThrow(
    'modifications.a.value: cannot be an ean13 code: EAN-13 must be 12 or 13 digits',
  );
});
test('a QR value too long names the layer', () =>
  expect(load({ type: 'qr', value: 'x'.repeat(2900), errorCorrection: 'H' })).rejects.toThrow(
    'layers.a.value: is too long for a QR code with error correction H',
  ));
