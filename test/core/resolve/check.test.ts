// Tests the errors found in a template with modifications before it is resolved.

import { expect, test } from 'vitest';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { check } from '#core/resolve/resolve-any.ts';
import { parseTemplate } from '#core/template/template.ts';
import { loadCodes } from '#draw/renderer/load-codes.ts';

const templateOf = (...layers: readonly object[]) => parseTemplate({ name: 'Check', width: 100, height: 100, layers });
const many = (count: number, layer: object) =>
  Array.from({ length: count }, (_, i) => ({ name: `layer ${i}`, ...layer }));

function message(layers: readonly object[], modifications: Modifications = {}): string | null {
  try {
    check(templateOf(...layers), modifications);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const CODE = { name: 'code', type: 'barcode', format: 'ean13', value: '4006381333931' };
for (const [modifications, problem] of [
  [{ code: '4006381333930' }, 'modifications.code.value: cannot be an ean13 code: its check digit is wrong'],
  [{ code: { minWidth: 9, maxWidth: 8 } }, null],
  [{ code: { mask: { shape: 'path' } } }, 'modifications.code.mask.d: is required for a path'],
  [{ code: '400638133393' }, null],
  [{ code: { visible: false, value: 'hidden' } }, null],
] as const) {
  test(`${JSON.stringify(modifications)}: as resolving and encoding say, without doing them`, async () => {
    expect(message([CODE], modifications)).toBe(problem);
    const resolving = async () => loadCodes(resolve(templateOf(CODE), modifications).needs.codes);
    if (problem === null) await resolving();
    else await expect(resolving()).rejects.toThrow(problem.slice(0, 20));
  });
}

test('codes are bounded in sum, by characters', () =>
  expect(message(many(21, { type: 'qr', value: 'x'.repeat(1_000) }))).toBe(
    `layers[20].value: with this layer the template's codes have more than 20000 characters; shorten it or leave layers out`,
  ));
test('and by modules, also where all have the same value', () =>
  expect(message(many(700, { type: 'qr', quietZone: 20, value: 'same' }))).toMatch(
    /^layers\[\d+\].value: with this layer the template's codes have more than 1000000 modules/,
  ));
test('a sheet of 500 labels fits', () =>
  expect(message(many(500, { type: 'qr', value: 'https://e.com/1234' }))).toBe(null));
test('texts are bounded in sum', () => {
  const texts = many(3, { type: 'text', text: 'x'.repeat(60_000) });
  expect(message(texts)).toBe(null);
  expect(message(texts, { 'layer 2': 'x'.repeat(100_000) })).toBe(
    `modifications["layer 2"].text: with this layer the template's texts have more than 200000 characters; shorten it or leave layers out`,
  );
});
test('the sources of images, inline ones and fallbacks among them', () => {
  const layers = [
    { name: 'photo', type: 'image', src: 'img_a', fallback: 'img_b' },
    { name: 'words', type: 'text', spans: [{ text: 'x' }, { image: { src: 'img_c' } }] },
    { name: 'hidden', type: 'image', src: 'img_d', visible: false },
  ];
  expect(check(templateOf(...layers), { photo: 'img_e' }).sources).toEqual(['img_e', 'img_b', 'img_c']);
});
