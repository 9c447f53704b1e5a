// Lays the tables out in Chromium and records each cell's box in recorded.json.
//
// Run by hand when fixtures change: CHROMIUM_PATH=… node test/core/layout/table/record.ts. The tests only read the
// record.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { fontPath } from '../../text/faces.ts';
import { FIXTURES, type Fixture, FONT_SIZE, PADDING } from './fixtures.ts';

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
    body { margin: 0; text-rendering: geometricPrecision; font: ${FONT_SIZE}px/1.25 "platen inter" }
    table { border-spacing: 0 }
    td { overflow-wrap: break-word; vertical-align: top; font: inherit }
  </style><main></main>`,
);
await page.evaluate(() => Promise.all([...document.fonts].map((face) => face.load())));
const entries: string[] = [];
for (const fixture of FIXTURES) {
  const cells = await page.evaluate(measure, toHtml(fixture));
  entries.push(`${JSON.stringify(fixture.name)}: ${JSON.stringify(cells)}`);
}
await browser.close();
writeFileSync(join(import.meta.dirname, 'recorded.json'), `{\n${entries.join(',\n')}\n}\n`);

function toHtml({ table }: Fixture): string {
  const { columns, width, cells, padding = PADDING, border, cellBorder } = table;
  const css = (column: unknown) => (typeof column === 'number' ? `${column}px` : column === 'hug' ? 'auto' : column);
  const cols = columns.map((column) => `<col style="width:${css(column)}">`).join('');
  const collapses = cellBorder !== undefined || cells.flat().some((cell) => typeof cell === 'object' && cell.border);
  const line = (px: number | undefined) => (px === undefined ? '' : `;border:${px}px solid`);
  const rows = cells.map((row) => {
    const each = row.map((cell) => (typeof cell === 'string' ? { text: cell } : cell));
    // An empty cell has a line, as an empty text has.
    const tds = each.map(
      ({ text, columnSpan = 1, rowSpan = 1, border: own = cellBorder }) =>
        `<td colspan="${columnSpan}" rowspan="${rowSpan}" style="padding:${padding}px${line(own)}">${text || '&#8203;'}</td>`,
    );
    return `<tr>${tds.join('')}</tr>`;
  });
  const style = `width:${width === null ? 'auto' : `${width}px`}${line(border)}${collapses ? ';border-collapse:collapse' : ''}`;
  return `<table style="${style}">${cols}<tbody>${rows.join('')}</table>`;
}

/** Returns [x, y, width, height] of each cell. Runs in the page, without access to this module. */
function measure(markup: string): number[][] {
  const main = document.querySelector('main');
  if (!main) throw new Error('The page has no main.');
  main.innerHTML = markup;
  return Array.from(main.querySelectorAll('td'), (cell) => {
    const { left, top, width, height } = cell.getBoundingClientRect();
    return [left, top, width, height].map((value) => Math.round(value * 100) / 100);
  });
}
