import { expect, test } from 'vitest';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { withBarcodes } from '#renderer/with-barcodes.ts';

test('the encoder is loaded for the first template that has a barcode', async () => {
  const barcode = { name: 'code', type: 'barcode', format: 'code128', value: '42', width: 80, height: 30 };
  const template = parseTemplate({ name: 'Label', width: 100, height: 50, layers: [barcode] });
  expect(resolve(template, {}).needs.codes).toBe(true);
  expect((await withBarcodes(() => resolve(template, {}))).needs.codes).toBeUndefined();
});
