// Lays the fixtures out in Chromium and records the boxes of each table in recorded.json.
//
// Run by hand when fixtures change: CHROMIUM_PATH=… node test/html/chromium/record.ts. The tests only read the record.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { fontPath } from '../../core/text/faces.ts';
import { CANVAS, CSS, FIXTURES } from './fixtures.ts';

const font = readFileSync(fontPath('inter')).toString('base64');
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/lib/chromium/chromium-headless-shell',
  headless: 'shell',
  args: ['--no-sandbox', '--font-render-hinting=none', '--disable-dev-shm-usage'],
});
const page = await browser.newPage();
await page.setViewport(CANVAS);
const entries: string[] = [];
for (const [name, html] of Object.entries(FIXTURES)) {
  await page.setContent(
    `<!doctype html><style>@font-face{font-family:Inter;src:url(data:font/ttf;base64,${font});font-weight:100 900}
    body{text-rendering:geometricPrecision}${CSS}</style>${html}`,
  );
  await page.evaluate(() => Promise.all(Array.from(document.fonts, (face) => face.load())));
  const boxes = await page.evaluate(() =>
    Array.from(document.querySelectorAll('table,caption,td,th,p,div')).flatMap((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const isCollapsed = /^T[DH]$/.test(element.tagName) && getComputedStyle(element).borderCollapse === 'collapse';
      if (isCollapsed || width === 0) return [];
      return [[left, top, width, height].map((value) => Math.round(value * 100) / 100)];
    }),
  );
  entries.push(`${JSON.stringify(name)}: ${JSON.stringify(boxes)}`);
}
await browser.close();
writeFileSync(join(import.meta.dirname, 'recorded.json'), `{\n${entries.join(',\n')}\n}\n`);
