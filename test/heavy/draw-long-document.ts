// Draws a table of many rows as a PDF in a process of its own: `node draw-long-document.ts <rows> [codes]`. With
// codes, each row has one. Prints the bytes of the file, its pages, and the most memory that the process had, MB.

import { readFileSync } from 'node:fs';
import { composePages } from '../../src/core/compose.ts';
import { resolve } from '../../src/core/resolve/resolve.ts';
import { parseTemplate } from '../../src/core/template/template.ts';
import { openFontLibrary } from '../../src/draw/fonts/font-library.ts';
import { exportAs } from '../../src/draw/output/export.ts';
import { DEFAULT_EXPORT } from '../../src/draw/output/formats.ts';
import { loadResources } from '../../src/draw/renderer/load-resources.ts';

const count = Number(process.argv[2]);
const hasCodes = process.argv[3] === 'codes';
const names = ['number', 'item', 'date', 'quantity', 'price', 'amount'];
const template = parseTemplate({
  ...{ name: 'Report', page: { size: 'A4', margin: 72 }, background: '#fff' },
  layers: [
    {
      ...{ name: 'page', type: 'text', right: 72, bottom: 36, fontSize: 11 },
      spans: [{ text: 'Page ' }, { counter: 'page' }, { text: ' of ' }, { counter: 'pages' }],
    },
    {
      ...{ name: 'body', type: 'frame', flow: true },
      children: [
        {
          ...{ name: 'lines', type: 'table', cell: { fontSize: 12 }, rule: { width: 1, color: '#ccc' } },
          columns: [48, 'fill', 96, 72, 80, { width: 96, align: 'end' }],
          header: names,
          row: [
            hasCodes ? { name: 'number', code: { format: 'code128', width: 40, height: 16 } } : { name: 'number' },
            ...names.slice(1, -1).map((name) => ({ name })),
            { name: 'amount', format: 'number' },
          ],
          carryFooter: [{ text: 'Carried forward', columnSpan: 5 }, { calculate: { sum: 'amount' } }],
        },
      ],
    },
  ],
});

/** As a server has them: as text. */
function rows(): string {
  const parts = Array.from({ length: count }, (_, i) => {
    const words = [7, 11, 13].map((factor) => ((i * factor) % 9973).toString(36)).join(' ');
    const values = [i + 1, `Item ${words}`, '2026-11-28', (i * 17) % 400, `${i % 90}.50`, (i * 31) % 10_000];
    return JSON.stringify(Object.fromEntries(names.map((name, column) => [name, values[column]])));
  });
  return Buffer.from(`[${parts.join()}]`).toString('latin1');
}

const fonts = await openFontLibrary({ folders: [] });
const files = {
  async read(source: string): Promise<never> {
    throw new Error(`no image "${source}"`);
  },
};
const scene = resolve(template, { lines: rows() });
const { resources } = await loadResources(scene.needs, fonts, files, new AbortController().signal, 'header');
let pages = 0;
function* counted() {
  for (const list of composePages(scene, resources, {}).lists) {
    pages += 1;
    yield list;
  }
}
const file = await exportAs('pdf', counted(), resources, DEFAULT_EXPORT);
const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
console.log(JSON.stringify({ bytes: file.length, pages, peak: Number(peak) / 1000 }));
