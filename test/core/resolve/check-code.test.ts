// Tests the cheap check of a code's value against the encoders: it refuses nothing that they accept.

import bwip from 'bwip-js/generic';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkCode } from '#core/resolve/check-code.ts';
import { type EncodeSymbol, encodeCode } from '#core/resolve/encode-code.ts';
import type { CodeModules } from '#core/resolve/scene.ts';
import { BarcodeLayer, QrLayer } from '#core/template/layer.ts';

const FORMATS = BarcodeLayer.shape.format.unwrap().options;
const LEVELS = QrLayer.shape.errorCorrection.unwrap().options;

const message = (work: () => unknown): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

function checkAgrees(layer: QrLayer | BarcodeLayer): void {
  let modules: CodeModules | null = null;
  const refused = message(() => {
    const format = layer.type === 'qr' ? 'qr' : layer.format;
    const errorCorrection = layer.type === 'qr' ? layer.errorCorrection : null;
    const { value, quietZone } = layer;
    const need = { key: '', format, errorCorrection, value, quietZone, path: 'value' } as const;
    modules = encodeCode(need, bwip.raw as EncodeSymbol);
  });
  const said = message(() => {
    const size = checkCode(layer, 'value');
    // Only an estimate: it is used for sums over many codes.
    if (modules) expect(size.modules).toBeGreaterThan(0.7 * modules.dark.length);
  });
  if (refused === null) expect(said, JSON.stringify(layer)).toBeNull();
}

const value = fc.oneof(
  fc.string({ minLength: 1, maxLength: 60 }),
  fc.string({ minLength: 1, maxLength: 60, unit: 'binary' }),
  fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(...'0123456789') }),
  fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(...'0123456789 ABC$%-.()') }),
  fc
    .tuple(fc.constantFrom('a', 'A', '7', 'é', '漢', '😀', 'a1'), fc.integer({ min: 1, max: 1_000 }))
    .map(([unit, length]) => unit.repeat(length).slice(0, 1_000)),
);

test('what an encoder accepts passes, with about as many modules', () => {
  const layer = fc.oneof(
    fc
      .record({ value, format: fc.constantFrom(...FORMATS.filter((format) => format !== 'gs1-qr')) })
      .map((wish) => BarcodeLayer.parse({ name: 'code', type: 'barcode', ...wish })),
    fc
      .record({ value, errorCorrection: fc.constantFrom(...LEVELS) })
      .map((wish) => QrLayer.parse({ name: 'code', type: 'qr', ...wish })),
  );
  fc.assert(fc.property(layer, checkAgrees), { numRuns: 400, seed: 15 });
}, 60_000);

for (const [format, valid] of [
  ['ean13', '4006381333931'],
  ['ean13', '400638133393'],
  ['ean13', '4006381333931 12'],
  ['ean13', '978014143951 12'],
  ['ean13', '978014143951 90000'],
  ['ean8', '96385074'],
  ['upca', '01234567890 12'],
  ['upca', '036000291452'],
  ['upce', '01234565'],
  ['itf14', '0460 1234 567893'],
  ['code39', ' A-1 '],
  ['code128', 'any\u0000thing'],
  ['gs1-128', '(01)04012345123456(3103)000123'],
] as const) {
  test(`${format} ${JSON.stringify(valid)} passes`, () =>
    checkAgrees(BarcodeLayer.parse({ name: 'code', type: 'barcode', format, value: valid })));
}

for (const [format, invalid, problem] of [
  ['ean13', '4006381333930', 'cannot be an ean13 code: its check digit is wrong'],
  ['ean13', '4006381333930 12', 'cannot be an ean13 code: its check digit is wrong'],
  ['itf14', '0460 1234 567894', 'cannot be an itf14 code: its check digit is wrong'],
  ['ean13', 'abc', 'cannot be an ean13 code: EAN-13 must be 12 or 13 digits'],
  ['ean8', '1234', 'cannot be an ean8 code: EAN-8 must be 7 or 8 digits'],
  [
    'code39',
    'abc',
    'cannot be a code39 code: Code 39 must be at most 500 digits, capital letters, spaces and the symbols -.$/+%',
  ],
  [
    'gs1-128',
    '0104012345123456',
    'cannot be a gs1-128 code: GS1-128 must be application identifiers in brackets, each with its value, such as "(01)04012345123456"',
  ],
  ['azteccode', '漢'.repeat(1_000), 'cannot be an azteccode code: it holds at most 1914 bytes of UTF-8'],
] as const) {
  test(`${format} ${JSON.stringify(invalid.slice(0, 20))} is refused`, () =>
    expect(
      message(() => checkCode(BarcodeLayer.parse({ name: 'code', type: 'barcode', format, value: invalid }), 'value')),
    ).toBe(`value: ${problem}`));
}

test('a QR code that is too long for its level is refused', () =>
  expect(
    message(() =>
      checkCode(QrLayer.parse({ name: 'code', type: 'qr', value: 'x'.repeat(1_274), errorCorrection: 'H' }), 'value'),
    ),
  ).toBe('value: is too long for a QR code with error correction H; shorten it or use "L"'));
