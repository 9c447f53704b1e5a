// Divides the fixtures in Chromium, into columns instead of pages, and records each layer's parts in recorded.json.
//
// Run by hand when fixtures change: CHROMIUM_PATH=… node test/core/pages/chromium/record.ts. The tests only read the
// record.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { resolve } from '#core/resolve/resolve.ts';
import { toColumns } from '../../layout/chromium/to-html.ts';
import { fontPath } from '../../text/faces.ts';
import { FIXTURES, SHEET } from './fixtures.ts';

const font = readFileSync(fontPath('inter')).toString('base64');
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/lib/chromium/chromium-headless-shell',
  headless: 'shell',
  args: ['--no-sandbox', '--font-render-hinting=none', '--disable-dev-shm-usage'],
});
const page = await browser.newPage();
await page.setContent(
  `<style>@font-face{font-family:"platen inter";src:url(data:font/ttf;base64,${font})}
    * { box-sizing: border-box }
    /* Shapes are whole, as pictures are; CSS would divide an empty box. */
    main [data-name]:empty { contain: size }
    body { margin: 0; font-synthesis: none; text-rendering: geometricPrecision }
  </style><main></main>`,
);
await page.evaluate(() => Promise.all([...document.fonts].map((face) => face.load())));

const entries: string[] = [];
for (const { name, template } of FIXTURES) {
  const [node] = resolve(template, {}).nodes;
  if (node?.type !== 'frame') throw new Error('The fixtures have a frame that flows.');
  const parts = await page.evaluate(measure, toColumns(node, SHEET), SHEET.width);
  entries.push(`${JSON.stringify(name)}: ${JSON.stringify(parts)}`);
}
await browser.close();
writeFileSync(join(import.meta.dirname, 'recorded.json'), `{\n${entries.join(',\n')}\n}\n`);

/** Returns [page, x, y, width, height] of each layer's parts. Runs in the page, without access to this module. */
function measure(markup: string, width: number): Record<string, number[][]> {
  const main = document.querySelector('main');
  if (!main) throw new Error('The page has no main.');
  main.innerHTML = markup;
  const round = (value: number) => Math.round(value * 100) / 100;
  return Object.fromEntries(
    Array.from(main.querySelectorAll<HTMLElement>('[data-name]'), (element) => [
      element.dataset.name ?? '',
      Array.from(element.getClientRects(), (rect) => {
        const column = Math.floor((rect.left + 0.5) / width);
        return [column + 1, ...[rect.left - column * width, rect.top, rect.width, rect.height].map(round)];
      }),
    ]),
  );
}
