// Writes the generated parts of README.md, ARCHITECTURE.md and docs, and the client's types: `npm run docs`.
//
// A part is between `<!-- name -->` and `<!-- /name -->`; figures stand in sentences (docs/figures.ts). A test fails if anything
// differs from what this would write.

import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { variablesTable } from '../src/server/config/config.ts';
import { openApiDocument } from '../src/server/http/openapi/document.ts';
import { contractTypes } from './contract-types.ts';
import { PAGES_WITH_FIGURES, withFigures } from './docs/figures.ts';
import { navigation } from './docs/navigation.ts';
import { editorKeys } from './editor-keys.ts';
import { layerReference } from './layer-reference.ts';
import { librariesTable } from './libraries.ts';
import { mistakesTable } from './mistakes.ts';
import { walkthrough } from './walkthrough.ts';

/** The README's pictures of the samples and the specimen sheet, which `npm run gallery` renders. @throws if one is missing */
async function gallery(): Promise<string> {
  const files = (await readdir('samples')).filter((name) => name.endsWith('.json')).sort();
  const cells = await Promise.all(
    files.map(async (file) => {
      const { name } = JSON.parse(await readFile(`samples/${file}`, 'utf8')) as { readonly name: string };
      const picture = `samples/rendered/${file.replace('.json', '.webp')}`;
      await access(picture);
      return `[<img src="${picture}" alt="${name}" height="200">](samples/${file})`;
    }),
  );
  const specimen = 'samples/rendered/specimen.webp';
  await access(specimen);
  cells.push(
    `[<img src="${specimen}" alt="Specimen of fonts, scripts and features" height="200">](samples/specimen/specimen.json)`,
  );
  return cells.join('\n');
}

/** Every page with its title, by sections. @param at before each address */
async function pages(at: string): Promise<string> {
  const files = (await readdir('docs')).filter((file) => file.endsWith('.md') && file !== 'index.md');
  const titles = new Map(
    await Promise.all(
      files.map(async (file) => {
        const [, title = file] = /^# (.*)$/m.exec(await readFile(`docs/${file}`, 'utf8')) ?? [];
        return [file.replace('.md', ''), title] as const;
      }),
    ),
  );
  const row = ({ title, pages }: ReturnType<typeof navigation>[number]) =>
    `| ${title} | ${pages.map((name) => `[${titles.get(name)}](${at}${name}.md)`).join(', ')} |`;
  return `| | |\n|---|---|\n${navigation(new Set(titles.keys())).map(row).join('\n')}\n`;
}

const PARTS: Readonly<Record<string, () => string | Promise<string>>> = {
  configuration: variablesTable,
  gallery,
  keys: editorKeys,
  layers: layerReference,
  libraries: librariesTable,
  mistakes: mistakesTable,
  'all-pages': () => pages('docs/'),
  pages: () => pages(''),
  walkthrough,
};

const DOCUMENTS = new Set([
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/index.md',
  'docs/configuration.md',
  'docs/layers.md',
  'docs/mistakes.md',
  'docs/studio-editor.md',
  ...PAGES_WITH_FIGURES,
]);

/** Each document with its generated parts up to date. */
export async function writtenDocuments(): Promise<ReadonlyMap<string, string>> {
  const written = new Map<string, string>();
  for (const file of DOCUMENTS) {
    let text = await readFile(file, 'utf8');
    for (const [name, write] of Object.entries(PARTS)) {
      const part = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
      if (!part.test(text)) continue;
      const body = (await write()).trim();
      text = text.replace(part, (_whole, open: string, close: string) => `${open}\n${body}\n\n${close}`);
    }
    written.set(file, withFigures(file, text));
  }
  written.set('clients/js/contract.generated.ts', contractTypes(openApiDocument('http://127.0.0.1:3000', 'all')));
  return written;
}

if (import.meta.main) {
  for (const [file, text] of await writtenDocuments()) await writeFile(file, text);
}
