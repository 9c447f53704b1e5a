// Tests `platen texts`: words out of a template file, translated, and back.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { textsCommand } from '../../src/cli/texts.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const CARD = {
  name: 'Card',
  width: 100,
  height: 50,
  lang: 'en',
  texts: { title: { de: 'Hallo' } },
  layers: [
    { name: 'title', type: 'text', text: 'Hello' },
    { name: 'words', type: 'text', text: '=1+1 and more' },
    { name: 'price', type: 'text', text: '19' },
  ],
};

async function run(...args: readonly string[]): Promise<unknown> {
  const said: string[] = [];
  using _out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  await textsCommand().parseAsync([...args, '--json'], { from: 'user' });
  return JSON.parse(said.join(''));
}

test('words go out as CSV, and come back translated', async () => {
  await using folder = await temporaryFolder();
  const [card, table] = [join(folder.path, 'card.json'), join(folder.path, 'texts.csv')];
  await writeFile(card, JSON.stringify(CARD));
  expect(await run('export', card, '-o', table, '--lang', 'fr')).toMatchObject({ texts: 2, languages: ['de', 'fr'] });
  expect(await readFile(table, 'utf8')).toBe(
    ['layer,en,de,fr', 'title,Hello,Hallo,', `words,"'=1+1 and more",,`].join('\n'),
  );
  await writeFile(table, 'layer;en;de;fr\ntitle;Hello;Servus;Salut\nwords;x;;"\'=1+1, et plus"\n');
  expect(await run('import', card, table)).toMatchObject({ output: card, texts: 3 });
  expect(JSON.parse(await readFile(card, 'utf8'))).toEqual({
    ...CARD,
    texts: { title: { de: 'Servus', fr: 'Salut' }, words: { fr: '=1+1, et plus' } },
  });
});

test('as XLIFF too, into another file, with what is around the template', async () => {
  await using folder = await temporaryFolder();
  const [card, texts, out] = ['card.json', 'texts.xlf', 'out.json'].map((name) => join(folder.path, name));
  await writeFile(card ?? '', JSON.stringify({ template: CARD, brands: { acme: {} } }));
  await run('export', card ?? '', '-o', texts ?? '', '--lang', 'pt-BR');
  const xliff = await readFile(texts ?? '', 'utf8');
  expect(xliff).toContain('target-language="pt-BR"');
  const half = xliff.replace(/(target-language="pt-BR"[\s\S]*?<source>Hello<\/source>)/, '$1<target>Olá</target>');
  await writeFile(texts ?? '', half);
  await run('import', card ?? '', texts ?? '', '-o', out ?? '');
  const made = JSON.parse(await readFile(out ?? '', 'utf8'));
  expect(made).toEqual({
    template: { ...CARD, texts: { title: { de: 'Hallo', 'pt-BR': 'Olá' } } },
    brands: { acme: {} },
  });
});

test('what cannot be read is named with its file', async () => {
  await using folder = await temporaryFolder();
  const [card, table] = [join(folder.path, 'card.json'), join(folder.path, 'texts.csv')];
  await writeFile(card, JSON.stringify(CARD));
  await writeFile(table, 'name,de\ntitle,Hallo\n');
  await expect(run('import', card, table)).rejects.toThrow(/texts\.csv: line 1: must name the columns/);
  await writeFile(table, 'layer,de\ntitel,Hallo\n');
  await expect(run('import', card, table)).rejects.toThrow(/titel: the template has no text "titel".*title/);
});
