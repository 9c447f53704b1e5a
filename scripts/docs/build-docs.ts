// Builds the documentation, docs/*.md, into dist/docs as static pages: `npm run build:docs`, which `npm ci` runs too.
//
// The pages make no requests to other hosts and run one small script; without it only the search is missing. Pictures
// of templates are drawn by this checkout. Files other than pages are named by a hash of their bytes.

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { openApiDocument } from '../../src/server/http/openapi/document.ts';
import { interfaceFont } from '../studio/interface-font.ts';
import { apiReference } from './api-reference.ts';
import { drawExample } from './live-example.ts';
import { type Page, type PageContext, renderPage } from './markdown-page.ts';
import { HOME, navigation } from './navigation.ts';
import { framePage } from './page-frame.ts';

const ROOT = join(import.meta.dirname, '../..');

/** @param draw renders the pictures of templates */
export async function buildDocs(
  folder = join(ROOT, 'dist/docs'),
  draw: PageContext['draw'] = (json) => drawExample(ROOT, json),
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'assets'), { recursive: true });

  const keep = async (name: string, bytes?: Buffer) => {
    const content = bytes ?? (await readFile(join(ROOT, 'docs', name)));
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12).replace(/[-_]/g, 'x');
    const [base = 'file'] = (name.split('/').at(-1) ?? name).split('.');
    const address = `assets/${base}-${hash}${extname(name)}`;
    await writeFile(join(folder, address), content);
    return address;
  };

  const pages = await readPages({ draw, keep });
  const sections = navigation(new Set(pages.keys()));
  const index = sections
    .flatMap(({ pages: names }) => names)
    .map((name) => {
      const { title, passages } = pages.get(name) as Page;
      const own = passages.map(({ heading, text }) => [
        heading.depth === 1 ? '' : heading.id,
        heading.text,
        text.trim(),
      ]);
      return { name, title, passages: own };
    });
  const assets = {
    style: await keep('site.css', Buffer.from(await stylesheet(keep))),
    script: await keep('search.js', Buffer.from(await script())),
    index: await keep('index.json', Buffer.from(JSON.stringify(index))),
    icon: await keep('icon.svg', await readFile(join(ROOT, 'src/studio/public/icon.svg'))),
  };
  for (const [name, page] of pages) {
    await writeFile(join(folder, `${name}.html`), framePage({ ...page, name }, { sections, about: pages, assets }));
  }
}

async function readPages(context: PageContext): Promise<ReadonlyMap<string, Page>> {
  const pages = new Map<string, Page>();
  for (const file of (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md')).sort()) {
    try {
      const page = await renderPage(await readFile(join(ROOT, 'docs', file), 'utf8'), context);
      pages.set(file.slice(0, -'.md'.length), file === 'api.md' ? withReference(page) : page);
    } catch (cause) {
      throw new Error(`docs/${file}: ${(cause as Error).message}`, { cause });
    }
  }
  if (!pages.has(HOME)) throw new Error(`docs/${HOME}.md is missing.`);
  return pages;
}

function withReference(page: Page): Page {
  const reference = apiReference(openApiDocument('http://127.0.0.1:3000', 'all'));
  return {
    ...page,
    html: page.html + reference.html,
    headings: [...page.headings, ...reference.headings],
    passages: [...page.passages, ...reference.passages],
  };
}

/** The site's script: search.js with what it imports, as one file. */
async function script(): Promise<string> {
  const read = (file: string) => readFile(join(import.meta.dirname, 'client', file), 'utf8');
  const [rank, main] = await Promise.all([read('rank.js'), read('search.js')]);
  return `'use strict';\n{\n${rank.replace(/^export /gm, '')}\n${main.replace(/^import .*$/gm, '')}}\n`;
}

/** The studio's colours and fonts, then the site's own rules. */
async function stylesheet(keep: PageContext['keep']): Promise<string> {
  let tokens = await readFile(join(ROOT, 'src/studio/shell/tokens.css'), 'utf8');
  for (const [address, specifier = ''] of tokens.matchAll(/url\("([^"]+)\?interface"\)/g)) {
    const font = await interfaceFont(specifier);
    const file = await keep(`${specifier.split('/').at(-1)?.replace('.ttf', '')}.woff2`, Buffer.from(font));
    tokens = tokens.replace(address, `url("${file.replace('assets/', '')}")`);
  }
  return tokens + (await readFile(join(import.meta.dirname, 'site.css'), 'utf8'));
}

if (import.meta.main) await buildDocs();
