// Tests designs in files: what they hold beside the template, and how several files are called.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { designFile, nameOf, readDesignOptions } from '../../src/cli/design-file.ts';
import { readTemplateFile } from '../../src/cli/template-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const CARD = {
  name: 'Card',
  width: 20,
  height: 10,
  brand: 'acme',
  background: '$paper',
  sizes: { tall: { width: 10, height: 20 } },
  texts: { title: { de: 'Hallo' } },
  layers: [{ name: 'title', type: 'text', text: 'Hello' }],
};
const paper = (color: string) => ({ colors: { paper: color } });

async function fileWith(content: object) {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'card.json'), JSON.stringify(content));
  return readTemplateFile(join(folder.path, 'card.json'));
}

test('a file holds the brands and components of its design', async () => {
  const file = await fileWith({ template: CARD, brands: { acme: paper('#ff0000') } });
  expect(designFile(file, { size: 'tall' }).template).toMatchObject({ width: 10, background: '#ff0000' });
  const around = { name: 'P', width: 9, height: 9, layers: [{ name: 'c', type: 'template', template: 'tpl_card@1' }] };
  const nested = await fileWith({
    template: around,
    templates: { 'tpl_card@1': { ...CARD, brand: undefined, background: '#fff' } },
  });
  expect(designFile(nested).template).toMatchObject({ layers: [{ children: [{ name: 'c/title' }] }] });
});

test('what it lacks is named', async () => {
  const file = await fileWith(CARD);
  expect(() => designFile(file)).toThrow(
    'The file lacks acme: write {"template": …, "brands": {"acme": …}}, or name the file of a brand with --brand.',
  );
});

test('options ask for every combination, with the brand of a file', async () => {
  await using folder = await temporaryFolder();
  const brand = join(folder.path, 'brand.json');
  await writeFile(brand, JSON.stringify(paper('#00ff00')));
  const read = await readDesignOptions(await fileWith(CARD), { size: 'all', lang: 'de, fr', brand });
  expect(read.choices.map(({ size, lang }) => `${lang} ${size}`)).toEqual([
    'de default',
    'de tall',
    'fr default',
    'fr tall',
  ]);
  expect(designFile(read.file, read.choices[1]).template).toMatchObject({ width: 10, background: '#00ff00' });
});

test('one file keeps its name, several have what was chosen in it', () => {
  expect(nameOf('out/card.png', { size: 'tall' }, false)).toBe('out/card.png');
  expect(nameOf('out/card.png', { size: 'tall', lang: 'de' }, true)).toBe('out/card-de-tall.png');
});
