// Opens Chromium with the faces of the catalogue that fixtures use, by which it lays out what we are compared with.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';
import type { Size } from '#core/geometry.ts';
import { serve } from '../../../listen.ts';
import { CHROMIUM } from '../../../server/chromium/chromium.ts';
import { FAMILIES } from './fixtures.ts';

const ROOT = join(import.meta.dirname, '../../../..');

interface Catalog {
  readonly families: readonly {
    readonly family: string;
    readonly package: string;
    readonly faces: readonly { readonly weight: number; readonly style: string; readonly file: string }[];
  }[];
}

/** Shows a whole document, with its faces and pictures loaded. */
type Show = (html: string, viewport: Size) => Promise<void>;

/** Calls `job` with a page that shows fixtures, and ends the browser after it. @throws Error without a Chromium */
export async function onFixturePages(job: (page: Page, show: Show) => Promise<void>): Promise<void> {
  if (!CHROMIUM) throw new Error('There is no Chromium. Set CHROMIUM_PATH.');
  const catalog: Catalog = JSON.parse(readFileSync(join(ROOT, 'fonts/catalog.json'), 'utf8'));
  const rules = catalog.families
    .filter(({ family }) => FAMILIES.includes(family))
    .flatMap(({ family, package: from, faces }) =>
      faces.map(
        ({ weight, style, file }) =>
          `@font-face{font-family:"${family}";font-weight:${weight};font-style:${style};src:url(/${from}/${file})}`,
      ),
    );
  // Text as wide as its advances, at every size.
  const css = `${rules.join('')}html{text-rendering:geometricPrecision}`;
  let shown = '';
  await using server = await serve((request, answer) => {
    const path = request.url ?? '';
    if (path === '/') return void answer.setHeader('content-type', 'text/html; charset=utf-8').end(shown);
    if (!/^\/@expo-google-fonts\/[\w/-]+\.ttf$/.test(path)) return void answer.writeHead(404).end();
    answer.setHeader('cache-control', 'max-age=3600').end(readFileSync(join(ROOT, 'node_modules', path)));
  });
  const args = ['--no-sandbox', '--font-render-hinting=none', '--disable-dev-shm-usage', '--hide-scrollbars'];
  const browser = await puppeteer.launch({ executablePath: CHROMIUM.path, headless: 'shell', args });
  try {
    const page = await browser.newPage();
    // As pages without a browser are: what `noscript` holds is shown.
    await page.setJavaScriptEnabled(false);
    await job(page, async (html, viewport) => {
      shown = html;
      await page.setViewport({ width: viewport.width, height: viewport.height });
      await page.goto(`${server.url}/`);
      await page.evaluate(prepare, css);
    });
  } finally {
    await browser.close();
  }
}

/** Runs in the page. */
async function prepare(css: string): Promise<void> {
  const style = document.createElement('style');
  style.textContent = css;
  document.documentElement.append(style);
  document.body.getBoundingClientRect();
  await document.fonts.ready;
  await Promise.all(Array.from(document.querySelectorAll('img'), (image) => image.decode().catch(() => {})));
}
