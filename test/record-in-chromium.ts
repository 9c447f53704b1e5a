// Measures fixtures in Chromium, and writes the record that tests compare our layout with.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { type FaceName, fontPath } from './core/text/faces.ts';
import { CHROMIUM } from './server/chromium/chromium.ts';

/** One fixture: its markup is put into the element `main` of the page. */
interface Measured {
  readonly name: string;
  readonly markup: string;
}

/**
 * Writes `recorded.json`, which is then to be formatted: what was measured of each fixture, by its name.
 *
 * @param folder where the record is
 * @param faces faces of the tests; the page has each as the family "platen NAME"
 * @param css of the page
 * @param measure runs in the page, without access to its own module
 */
export async function recordInChromium(
  folder: string,
  faces: Iterable<FaceName>,
  css: string,
  fixtures: readonly Measured[],
  measure: (main: HTMLElement) => unknown,
): Promise<void> {
  if (!CHROMIUM) throw new Error('There is no Chromium. Set CHROMIUM_PATH.');
  const args = ['--no-sandbox', '--font-render-hinting=none', '--disable-dev-shm-usage'];
  const browser = await puppeteer.launch({ executablePath: CHROMIUM.path, headless: 'shell', args });
  const page = await browser.newPage();
  const rules = Array.from(new Set(faces), (name) => {
    const url = `data:font/ttf;base64,${readFileSync(fontPath(name)).toString('base64')}`;
    return `@font-face{font-family:"platen ${name}";src:url(${url});font-weight:100 900}`;
  });
  await page.setContent(`<!doctype html><style>${rules.join('')}body{margin:0}${css}</style><main></main>`);
  await page.evaluate(() => Promise.all([...document.fonts].map((font) => font.load())));
  const entries: string[] = [];
  for (const { name, markup } of fixtures) {
    await page.$eval('main', (main, html) => main.setHTMLUnsafe(html), markup);
    entries.push(`${JSON.stringify(name)}: ${JSON.stringify(await page.$eval('main', measure))}`);
  }
  await browser.close();
  writeFileSync(join(folder, 'recorded.json'), `{\n${entries.join(',\n')}\n}\n`);
}
