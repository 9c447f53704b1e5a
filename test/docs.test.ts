// Tests that the documents agree with the code: generated parts are up to date, templates are valid, links lead
// somewhere, and named variables exist. test/heavy/docs.heavy.ts runs their code blocks.

import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { PDF_PROPERTIES } from '#core/template/html-template.ts';
import { FileFields, RENDER_FIELDS } from '#server/http/v1/renders.ts';
import { buildDocs } from '../scripts/docs/build-docs.ts';
import { headingsOf } from '../scripts/docs/markdown-page.ts';
import { navigation } from '../scripts/docs/navigation.ts';
import { writtenDocuments } from '../scripts/write-docs.ts';
import { VARIABLES } from '../src/server/config/variables.ts';
import { documents, fencesOf } from './docs/fences.ts';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';

const texts = await documents();
const fences = [...texts].flatMap(([file, text]) => fencesOf(file, text));

test.each([...(await writtenDocuments())])('%s is what `npm run docs` would write', async (file, written) => {
  expect(await readFile(file, 'utf8')).toBe(written);
});

test('ARCHITECTURE.md and README.md can be read in one sitting', async () => {
  for (const [file, most] of [
    ['ARCHITECTURE.md', 315],
    ['README.md', 200],
  ] as const) {
    expect((await readFile(file, 'utf8')).split('\n').length, file).toBeLessThanOrEqual(most);
  }
});

test('every page begins with its title and one sentence', () => {
  for (const [file, text] of texts) {
    if (file !== 'README.md') expect(text, file).toMatch(/^# \S.*\n\n[A-Z`]/);
  }
});

test('every block of JSON is JSON, and every template in it is one', () => {
  for (const { file, line, code, words } of fences.filter(({ language }) => language === 'json')) {
    const where = `${file}:${line}`;
    const value = JSON.parse(code) as Record<string, unknown>;
    if (words.includes('layer')) parseAnyTemplate({ name: where, width: 9, height: 9, layers: [value] });
    else if ('width' in value && ('layers' in value || 'html' in value)) parseAnyTemplate(value);
  }
});

test('a block that is not run says why', () => {
  expect(fences.filter(({ skip }) => skip !== null && skip.length < 10)).toEqual([]);
  expect(fences.filter(({ language }) => language === '').map(({ file, line }) => `${file}:${line}`)).toEqual([]);
});

/** Environment variables of the examples that are not the server's own. */
const OF_EXAMPLES = ['PLATEN_TEMPLATE', 'PLATEN_URL', 'PLATEN_SIGNING_SECRET', 'PLATEN_WEBHOOK_SECRET'];

test('every variable that is named exists', () => {
  const unknown = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/\bPLATEN_[A-Z_]*[A-Z]\b/g)]
      .map(([name]) => name)
      .filter((name) => !Object.hasOwn(VARIABLES, name) && !OF_EXAMPLES.includes(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('every field of a render, and every property of a PDF, is explained on its page', () => {
  const unexplained = (page: string, names: readonly string[]) => {
    const code =
      texts
        .get(page)
        ?.split('`')
        .filter((_, index) => index % 2 === 1)
        .join(' ') ?? '';
    return names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code)).map((name) => `${page}: ${name}`);
  };
  const options = Object.keys(FileFields.shape);
  expect([
    ...unexplained('docs/api.md', RENDER_FIELDS),
    ...unexplained('docs/documents.md', PDF_PROPERTIES),
    ...unexplained(
      'docs/install.md',
      options.filter((name) => name !== 'pdf'),
    ),
  ]).toEqual([]);
});

test('every link between the documents leads to a file, and to a heading of it', async () => {
  const broken: string[] = [];
  for (const [file, text] of texts) {
    const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = '', anchor = ''] = target.split('#');
      const to = path === '' ? file : join(dirname(file), path);
      const there = await access(to).then(
        () => true,
        () => false,
      );
      const heading = texts.get(to);
      const isOperation = to === 'docs/api.md' && /^[a-z]+[A-Z]/.test(anchor);
      const hasAnchor = anchor === '' || isOperation || headingsOf(heading ?? '').some(({ id }) => id === anchor);
      if (!there || !hasAnchor) broken.push(`${file}: ${target}`);
      else if (
        file.startsWith('docs/') &&
        path !== '' &&
        heading === undefined &&
        !/\.(webp|png|jpg|svg)$/.test(path)
      ) {
        broken.push(`${file}: ${target} is no page of the documentation`);
      }
    }
  }
  expect(broken).toEqual([]);
});

test.each(['README.md', 'docs/index.md'])('%s leads to every page', (start) => {
  const links = new Set(
    [...(texts.get(start) ?? '').matchAll(/\]\(([^)\s#]+)/g)].map(([, to = '']) => join(dirname(start), to)),
  );
  expect([...texts.keys()].filter((file) => file.startsWith('docs/') && file !== start && !links.has(file))).toEqual(
    [],
  );
});

let site: TemporaryFolder;
/** The built pages, by name. */
const pages = new Map<string, string>();
beforeAll(async () => {
  site = await temporaryFolder();
  await buildDocs(site.path, async () => ({ bytes: Buffer.from('picture'), alt: 'x', width: 1, height: 1 }));
  for (const file of (await readdir(site.path)).filter((name) => name.endsWith('.html'))) {
    pages.set(file.slice(0, -'.html'.length), await readFile(join(site.path, file), 'utf8'));
  }
  return () => site[Symbol.asyncDispose]();
}, 120_000);

test('the site has every page, and each is in its navigation', () => {
  const names = [...texts.keys()].filter((file) => file !== 'README.md').map((file) => file.slice(5, -3));
  expect([...pages.keys()].sort()).toEqual(names.sort());
  expect(navigation(new Set(names)).map(({ title }) => title)).not.toContain('More');
});

test('every address in the site leads to a page, an anchor or a file of it', async () => {
  const broken: string[] = [];
  const ids = new Map(
    [...pages].map(([name, html]) => [name, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  );
  for (const [name, html] of pages) {
    for (const [, kind, address = ''] of html.matchAll(/\s(href|src|data-index)="([^"]*)"/g)) {
      if (kind === 'href' && /^https?:/.test(address)) continue;
      if (address === '../studio/') continue;
      const [path = '', anchor] = address.split('#');
      const page = path === '' ? name : path === './' ? 'index' : path.replace(/^\.\//, '');
      const isFile =
        path.startsWith('assets/') &&
        (await access(join(site.path, path)).then(
          () => true,
          () => false,
        ));
      if (!isFile && !ids.get(page)?.has(anchor ?? '') && !(anchor === undefined && pages.has(page))) {
        broken.push(`${name}: ${address}`);
      }
    }
  }
  expect(broken).toEqual([]);
});

test('the site asks no other host for anything, and nothing in it needs a looser policy', async () => {
  for (const [name, html] of pages) {
    expect(html, name).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)="(https?:)?\/\//);
    expect(html, name).not.toMatch(/\sstyle="|<style|\son[a-z]+="|<script>|javascript:/);
  }
  for (const file of await readdir(join(site.path, 'assets'))) {
    if (!/\.(css|js)$/.test(file)) continue;
    expect(await readFile(join(site.path, 'assets', file), 'utf8'), file).not.toMatch(
      /url\(["']?https?:|innerHTML|eval\(|@import/,
    );
  }
});

test('the search finds what every page says', async () => {
  const [file = ''] = (await readdir(join(site.path, 'assets'))).filter((name) => name.startsWith('index-'));
  const index = JSON.parse(await readFile(join(site.path, 'assets', file), 'utf8')) as {
    name: string;
    passages: string[][];
  }[];
  expect(index.map(({ name }) => name).sort()).toEqual([...pages.keys()].filter((name) => name !== 'index').sort());
  const textOf = (name: string) =>
    index
      .find((page) => page.name === name)
      ?.passages.flat()
      .join(' ');
  expect(textOf('webhooks')).toContain('Idempotency-Key');
  expect(textOf('configuration')).toContain('PLATEN_DRAIN_DELAY');
  expect(textOf('api')).toContain('POST /v1/renders/batch');
});
