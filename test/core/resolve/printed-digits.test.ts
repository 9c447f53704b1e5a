// Tests the numbers below barcodes: whole, with their check digits, and in their places.

import { expect, test } from 'vitest';
import { ValidationError } from '#core/diagnostics.ts';
import { checkCode } from '#core/resolve/check-code.ts';
import { encodeCode } from '#core/resolve/encode-code.ts';
import { digitPlaces, isGs1, printedValue } from '#core/resolve/printed-digits.ts';
import { BarcodeLayer, QrLayer } from '#core/template/layer.ts';
import type { BARCODE_FORMATS } from '#core/template/layer-properties.ts';
import { encodeBarcode } from '#draw/renderer/encode-barcode.ts';

test.each([
  ['ean13', '400638133393', '4006381333931'],
  ['ean13', '4006381333931', '4006381333931'],
  ['ean13', '978316148410 12', '9783161484100 12'],
  ['ean8', '9638507', '96385074'],
  ['upca', '03600029145', '036000291452'],
  ['itf14', '1540014128876', '15400141288763'],
  ['itf14', '1 54 00141 28876 3', '15400141288763'],
  ['upce', '0123456', '01234565'],
  ['upce', '01234565', '01234565'],
  ['upce', '01234500006', '01234565'],
  ['upce', '042100005264', '04252614'],
  ['code39', 'ABC-1', 'ABC-1'],
  ['gs1-128', '(01)06901234567892', '(01)06901234567892'],
] as const)('%s %s is printed as %s', (format, value, printed) => {
  expect(printedValue(format, value)).toBe(printed);
});

const bars = (format: (typeof BARCODE_FORMATS)[number], value: string) =>
  encodeCode({ key: '', format, value, errorCorrection: null, quietZone: 0, path: 'value' }, encodeBarcode).dark.join();

test('what is printed is what is encoded', () => {
  for (const [format, value] of [
    ...([
      ['ean13', '400638133393'],
      ['ean8', '9638507'],
      ['upca', '03600029145'],
      ['itf14', '1540014128876'],
    ] as const),
    ...([
      ['upce', '0123456'],
      ['upce', '04210000526'],
      ['upce', '01230000045'],
      ['upce', '01210000345'],
      ['upce', '01234000005'],
    ] as const),
  ]) {
    expect(bars(format, printedValue(format, value)), `${format} ${value}`).toBe(bars(format, value));
  }
});

test('the digits of EAN and UPC stand below and beside their bars', () => {
  const shown = (format: Parameters<typeof digitPlaces>[0], text: string) => {
    const { inner = [], outer = [] } = digitPlaces(format, text) ?? {};
    return [...outer, ...inner].map((group) => `${group.from} ${group.text}`);
  };
  expect(shown('ean13', '4006381333931')).toEqual(['-8 4', '3 006381', '50 333931']);
  expect(shown('ean8', '96385074')).toEqual(['3 9638', '36 5074']);
  expect(shown('upca', '036000291452')).toEqual(['-8 0', '96 2', '10 36000', '50 29145']);
  expect(shown('upce', '01234565')).toEqual(['-8 0', '52 5', '3 123456']);
  expect(digitPlaces('ean13', '4006381333931 12')).toBeNull();
  expect(digitPlaces('code128', '123')).toBeNull();
});

const GS1 = '(01)06901234567892(10)12AB';

test('GS1 elements in brackets are elements in a Data Matrix, and refused where they would be letters', () => {
  expect([GS1, '(00)340123450000000017', '(10)AB(21)C'].map(isGs1)).toEqual([true, true, true]);
  expect(['(030) 123 456', '(12)', '(10)AB', 'GTIN (01)06901234567892'].map(isGs1)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  // FNC1 and no brackets: the symbol is smaller than that of the letters.
  const columnsOf = (value: string) =>
    encodeCode(
      { key: '', format: 'datamatrix', value, errorCorrection: null, quietZone: 0, path: 'value' },
      encodeBarcode,
    ).columns;
  const long = `(01)06901234567892(17)200703(11)200703(13)200703(10)12AB(21)345XYZ`;
  expect(columnsOf(long)).toBeLessThan(columnsOf(`x${long}`));
  const refusal = (layer: Parameters<typeof checkCode>[0]) => {
    try {
      checkCode(layer, 'value');
      return null;
    } catch (error) {
      return error instanceof ValidationError ? error.message : error;
    }
  };
  const barcode = (format: string) => BarcodeLayer.parse({ name: 'b', type: 'barcode', format, value: GS1 });
  expect(refusal(barcode('code128'))).toBe(
    'value: cannot be a code128 code: it would hold the brackets of GS1 elements as they are; use the format "gs1-128", "gs1-qr" or "datamatrix"',
  );
  expect([refusal(barcode('datamatrix')), refusal(barcode('gs1-128'))]).toEqual([null, null]);
  expect(refusal(QrLayer.parse({ name: 'code', type: 'qr', value: GS1 }))).toMatch(
    /^value: cannot be GS1 elements in brackets/,
  );
});
