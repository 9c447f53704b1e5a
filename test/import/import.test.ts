// Tests the import of templates as the APIs of Bannerbear and Placid return them: what is translated, and the list by
// layer of what is not.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BANNERBEAR, readBannerbear } from '../../src/import/bannerbear.ts';
import { type ForeignFields, importTemplate } from '../../src/import/foreign-template.ts';
import { PLACID, readPlacid } from '../../src/import/placid.ts';
import { platen } from '../cli/run-platen.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const fixture = async (name: string): Promise<ForeignFields> =>
  JSON.parse(await readFile(join(FIXTURES, name), 'utf8'));

test('Bannerbear, version 5: layers with places and styles', async () => {
  const { template, warnings } = importTemplate(readBannerbear(await fixture('bannerbear-v5.json'), {}), BANNERBEAR);
  expect(template).toEqual({
    name: 'Sale',
    width: 800,
    height: 400,
    layers: [
      { name: 'back', type: 'shape', x: 0, y: 0, width: 800, height: 400, fill: '#101418', borderRadius: 12 },
      {
        ...{ name: 'photo', type: 'image', x: 400, y: 0, width: 400, height: 400, src: 'https://example.com/a.jpg' },
        ...{ fit: 'cover', focus: { x: 1, y: 0.5 } },
      },
      {
        ...{ name: 'title', type: 'text', x: 40, y: 60, width: 320, height: 120, text: 'Half price', color: '#ffffff' },
        ...{ fontFamily: 'Inter', fontSize: 64, fontWeight: 700, verticalAlign: 'middle' },
      },
      {
        ...{ name: 'title-2', type: 'shape', shape: 'ellipse', x: 40, y: 220, width: 80, height: 80, fill: '#d1401b' },
        visible: false,
      },
      { name: 'layer-6', type: 'qr', x: 260, y: 260, width: 100, height: 100, value: 'https://example.com' },
    ],
  });
  expect(warnings).toEqual([
    'Layer "photo": effect has no counterpart and was left out.',
    'Layer "title": font_family_2 has no counterpart and was left out.',
    'Layer "title": shift_x has no counterpart and was left out.',
    'Layer "title-2": it had a name that cannot be kept; this is its new one.',
    'Layer "confetti": a layer of type "lottie" has no counterpart; the layer was left out.',
    'Layer "layer-6": it had no name; this is its new one.',
    'Layer "layer-6": opacity has a value that cannot be translated: "half".',
  ]);
});

test.each([
  ['text', { text: 'Now *half* price_now' }, { text: 'Now **half** price\\_now', markup: 'markdown' }],
  ['text', { text: '2 * 3' }, { text: '2 * 3' }],
  ['text', { text_fit: true }, { autoFit: { min: 6 } }],
  ['text', { text_fit: false }, {}],
  ['text', { font_family: 'Roboto Bold' }, { fontFamily: 'Roboto', fontWeight: 700 }],
  [
    'text',
    { font_family: 'Open Sans ExtraBold Italic' },
    { fontFamily: 'Open Sans', fontWeight: 800, fontStyle: 'italic' },
  ],
  ['text', { font_family: 'Black' }, { fontFamily: 'Black' }],
  ['text', { opacity: 80 }, { opacity: 0.8 }],
  [
    'rectangle',
    { shadow: '2px 4px 8px rgba(0, 0, 0, 0.5)' },
    { shadow: { x: 2, y: 4, blur: 8, color: 'rgba(0,0,0,0.5)' } },
  ],
  ['rectangle', { shadow: '2px 4px #000' }, { shadow: { x: 2, y: 4, color: '#000' } }],
  ['bar_code', { bar_code_type: 'EAN-13' }, { format: 'ean13' }],
])('Bannerbear: %s %j', (type, given, translated) => {
  const file = {
    name: 'One',
    width: 99,
    height: 99,
    config: { objects: [{ name: 'a', type, x: 0, y: 0, width: 9, height: 9, ...given }] },
  };
  const { template, warnings } = importTemplate(readBannerbear(file, {}), BANNERBEAR);
  const [{ name: _, type: __, x: ___, y: ____, width: _____, height: ______, ...layer } = {}] = (
    template as { layers: ForeignFields[] }
  ).layers;
  expect([layer, warnings]).toEqual([translated, []]);
});

test('Bannerbear: a shadow and a code that cannot be read are named', () => {
  const objects = [
    { name: 'a', type: 'bar_code', x: 0, y: 0, width: 9, height: 9, bar_code_type: 'maxicode', shadow: 'soft' },
  ];
  const { warnings } = importTemplate(
    readBannerbear({ name: 'One', width: 99, height: 99, config: { objects } }, {}),
    BANNERBEAR,
  );
  expect(warnings).toEqual([
    'Layer "a": bar_code_type has a value that cannot be translated: "maxicode".',
    'Layer "a": shadow has a value that cannot be translated: "soft".',
  ]);
});

test('Bannerbear, version 2: names, and what can be changed, in a column', async () => {
  const { template, warnings } = importTemplate(readBannerbear(await fixture('bannerbear-v2.json'), {}), BANNERBEAR);
  const { layers } = template as { layers: ForeignFields[] };
  expect(layers.map(({ name, type, y }) => [name, type, y])).toEqual([
    ['cover', 'image', 24],
    ['episode', 'text', 208],
    ['panel', 'shape', 280],
    ['code', 'barcode', 384],
    ['link', 'qr', 488],
  ]);
  expect(layers[1]).toMatchObject({ text: 'Episode 12', color: '#FF0000' });
  expect(warnings).toContain('Layer "stars": a star rating has no counterpart; the layer was left out.');
  expect(warnings.filter((one) => one.includes('x, y, width and height are not in the file'))).toHaveLength(5);
});

test('Placid: names and kinds, with values as a request has them', async () => {
  const file = await fixture('placid.json');
  const { template, warnings } = importTemplate(readPlacid(file, { width: 1200, height: 630 }), PLACID);
  expect(template).toMatchObject({
    name: 'Blog card',
    width: 1200,
    layers: [
      { name: 'title', type: 'text', text: 'Hello', color: '#112233', fontFamily: 'Inter' },
      { name: 'cover', type: 'image', src: 'https://example.com/a.jpg', opacity: 0.8 },
      { name: 'panel', type: 'shape', fill: '#eeeeee', strokeWidth: 2, x: 10, y: 20, height: 100 },
    ],
  });
  expect(warnings).toEqual([
    'Layer "title": alt_text_color has no counterpart and was left out.',
    'Layer "title": x, y, width and height are not in the file; arrange it in the studio.',
    'Layer "cover": image_viewport has no counterpart and was left out.',
    'Layer "cover": x, y, width and height are not in the file; arrange it in the studio.',
    'Layer "panel": width has a value that cannot be translated: "50%".',
    'Layer "panel": width is not in the file; arrange it in the studio.',
    'Layer "browser": a layer of type "browserframe" has no counterpart; the layer was left out.',
    'Layer "rating": a layer of type "rating" has no counterpart; the layer was left out.',
  ]);
  expect(() => readPlacid(file, {})).toThrow('The file has no width; give it with --width.');
  expect(() => readPlacid({ data: [file, file] }, {})).toThrow('data must hold one template');
  expect(() => readPlacid({}, {})).toThrow('it has no layers');
  expect(() => readBannerbear({}, {})).toThrow('This is not a Bannerbear template');
  expect(() => readBannerbear({ available_modifications: [1], width: 9, height: 9 }, {})).toThrow('must be a list');
});

test('the command writes a template, and prints what was lost', async () => {
  await using folder = await temporaryFolder();
  const [file, out] = [join(FIXTURES, 'placid.json'), join(folder.path, 'card.json')];
  const size = ['--width', '1200', '--height', '630'];
  const { stdout, stderr } = await platen(folder.path, ['import', 'placid', file, ...size, '-o', out]);
  expect(stdout).toBe(`${out}: 3 layers, 8 warnings.\n`);
  expect(stderr).toContain('platen: Layer "rating": a layer of type "rating" has no counterpart');
  expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ name: 'Blog card' });
});
