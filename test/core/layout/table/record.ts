// Lays the tables out in Chromium and records each cell's box in recorded.json.
//
// Run by hand when fixtures change: CHROMIUM_PATH=… node test/core/layout/table/record.ts. The tests only read the
// record.

import { recordInChromium } from '../../../record-in-chromium.ts';
import { FIXTURES, type Fixture, FONT_SIZE, PADDING } from './fixtures.ts';

await recordInChromium(
  import.meta.dirname,
  ['inter'],
  `* { box-sizing: border-box }
  body { text-rendering: geometricPrecision; font: ${FONT_SIZE}px/1.25 "platen inter" }
  table { border-spacing: 0 }
  td { overflow-wrap: break-word; vertical-align: top; font: inherit }`,
  FIXTURES.map((fixture) => ({ name: fixture.name, markup: toHtml(fixture) })),
  measure,
);

function toHtml({ table }: Fixture): string {
  const { columns, width, cells, padding = PADDING, border, cellBorder, direction = 'ltr' } = table;
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
  return `<table dir="${direction}" style="${style}">${cols}<tbody>${rows.join('')}</table>`;
}

/** Returns [x, y, width, height] of each cell. */
function measure(main: HTMLElement): number[][] {
  return Array.from(main.querySelectorAll('td'), (cell) => {
    const { left, top, width, height } = cell.getBoundingClientRect();
    return [left, top, width, height].map((value) => Math.round(value * 100) / 100);
  });
}
