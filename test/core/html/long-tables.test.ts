// Rows of long tables are packed while their page is laid out: what is drawn is the same as without.

import { expect, test } from 'vitest';
import { composePages } from '#core/compose.ts';
import { sheetOf } from '#core/html/page-rules.ts';
import { sceneOfPage } from '#core/html/page-scene.ts';
import type { FrameNode } from '#core/resolve/scene.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { pictureOf } from '#draw/html/page-pictures.ts';
import { parsePage } from '#draw/html/parse-html.ts';
import { loadResources } from '#draw/renderer/load-resources.ts';
import { CLAUSES, documentOf, fixtureOf } from './chromium/fixtures.ts';
import { FIXTURES } from './sheets/fixtures.ts';

const fonts = openFontLibrary({ folders: [] });
const files = {
  async read(source: string): Promise<Uint8Array> {
    if (!source.startsWith('data:')) throw new Error(`no image "${source}"`);
    return new Uint8Array(await (await fetch(source)).arrayBuffer());
  },
};

/** The display lists of a page, and what is told of it. @param longTable from how many rows on these are packed */
async function drawn(text: string, isOnSheets: boolean, longTable: number, height = 600) {
  const { html, isQuirky, isOld } = parsePage(text);
  const size = { width: 800, height };
  const page = isOnSheets ? sheetOf(size) : null;
  const source = { html, isQuirky, isOld, sheets: [], page, ...size, sourceOf: pictureOf, longTable };
  const { scene } = sceneOfPage(source);
  const { resources } = await loadResources(scene.needs, await fonts, files, new AbortController().signal, 'header');
  const { lists, diagnostics } = composePages(scene, resources, {});
  return { lists: [...lists], diagnostics, packed: packedIn(scene.nodes as FrameNode[]) };
}

const packedIn = (nodes: readonly FrameNode[]): number =>
  nodes.reduce((sum, { packed, children = [] }) => sum + (packed ? 1 : packedIn(children as FrameNode[])), 0);

const CELLS = [
  ...['word', 'two words', '', '  ', '1,234.50', 'a longer text that has to go on over several lines of its cell'],
  ...[
    '<b>bold</b> and not',
    '<a href="https://x.example">a link</a>',
    '<p>a block</p>',
    'AV To fi ﬁ',
    'שלום 12',
    '日本語',
  ],
  ...['a<br>b', '<img width=20 height=10 src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">', '\u0378'],
];
const rows = (count: number, cell: (i: number) => string = (i) => CELLS[i % CELLS.length] ?? '') =>
  Array.from(
    { length: count },
    (_, row) => `<tr>${[0, 1, 2].map((i) => `<td>${cell(row * 3 + i)}</td>`).join('')}</tr>`,
  );
const table = (css: string, inside = rows(60).join('')) =>
  `<!doctype html><style>body{margin:0;font:14px Inter}${css}</style><table>${inside}</table>`;

const OWN: Readonly<Record<string, string>> = {
  plain: table(''),
  collapsed: table('table{border-collapse:collapse;width:100%}td{border:1px solid #ccc;padding:2pt 4pt}'),
  fixed: table('table{table-layout:fixed;width:90%}td:nth-child(2){text-align:right;width:40px}'),
  striped: table('tr:nth-child(even){background:#eee}td{vertical-align:middle;height:30px}td:last-child{color:red}'),
  'in percent': table('table{width:80%}td{padding:2%}td:first-child{width:20%}'),
  'from the right': table('table{direction:rtl;width:100%}'),
  generated: table('table{counter-reset:n}td{counter-increment:n}td:first-child::before{content:counter(n) ". "}'),
  'first letters': table('td:first-child::first-letter{font-size:2em}td:last-child::first-line{color:blue}'),
  'kept spaces': table('td{white-space:pre-wrap;text-transform:uppercase;letter-spacing:1px}'),
  'in capitals': table(
    'td{text-transform:uppercase}td:last-child{text-indent:8px;overflow-wrap:anywhere;hyphens:auto}',
  ),
  numbered: table('', rows(60, (i) => String(i * 17)).join('')),
  'over several rows': table('', rows(20).join('').replaceAll('<tr><td>word', '<tr><td rowspan=2>word')),
  'with a head': table(
    'td{padding:30px 0}',
    `<thead><tr><th>a<th>b<th>c</thead><tbody>${rows(40).join('')}</tbody><tfoot><tr><td colspan=3>foot</tfoot>`,
  ),
  'higher than a sheet': table('td{width:60px}', rows(3, (i) => 'many words '.repeat(i === 4 ? 300 : 2)).join('')),
  'begins pages': table('tr:nth-child(7n){break-before:page}td:nth-child(2){break-after:page}'),
  'of layers': table('', rows(10).join('').replaceAll('<td>two', '<td data-layer=two lang=de>two')),
  'in two languages': table(
    'td{hyphens:auto;width:60px}',
    rows(40, () => 'Donaudampfschiff')
      .join('')
      .replaceAll('<tr><td>', '<tr><td lang=de>'),
  ),
  linked: table(
    'a::after{content:" on " target-counter(attr(href),page)}@page{size:400px 300px;@top-left{content:string(s)}}td{string-set:s content()}',
    rows(60, (i) => (i % 9 === 0 ? `<a href="#c${i + 27}">see</a>` : `word ${i}`))
      .map((row, i) => row.replace('<td>', `<td id=c${i * 3}>`).replace('<tr>', i % 5 === 0 ? `<tr id=r${i}>` : '<tr>'))
      .join(''),
  ),
  titled: `<h1>${table('')}</h1>`,
};

for (const isOnSheets of [false, true]) {
  for (const [name, html] of Object.entries(OWN)) {
    test(`${name}${isOnSheets ? ', on sheets' : ''}`, async () => {
      const [packed, whole] = [await drawn(html, isOnSheets, 1), await drawn(html, isOnSheets, Infinity)];
      expect(whole.packed).toBe(0);
      expect(packed.lists).toEqual(whole.lists);
      expect(packed.diagnostics).toEqual(whole.diagnostics);
    });
  }
}

test('rows of words are packed', async () => {
  expect((await drawn(OWN.numbered ?? '', true, 1)).packed).toBe(60);
  expect((await drawn(OWN.collapsed ?? '', true, 1)).packed).toBeGreaterThan(8);
});

test('so it is with all pages that Chromium recorded', async () => {
  const all = [
    ...Object.values(CLAUSES)
      .flatMap((clause) => Object.values(clause))
      .map((page) => ({ html: documentOf(fixtureOf(page)), isOnSheets: false })),
    ...Object.values(FIXTURES).map((html) => ({ html, isOnSheets: true })),
  ].filter(({ html }) => /table/.test(html));
  expect(all.length).toBeGreaterThan(100);
  let count = 0;
  for (const { html, isOnSheets } of all) {
    const [packed, whole] = [await drawn(html, isOnSheets, 1), await drawn(html, isOnSheets, Infinity)];
    count += packed.packed;
    expect(packed.lists, html).toEqual(whole.lists);
  }
  expect(count).toBeGreaterThan(200);
});

for (const css of [
  ...[
    '',
    'text-align:center',
    'text-align:justify;width:90px',
    'text-indent:9px',
    'letter-spacing:2px',
    'direction:rtl',
  ],
  ...[
    'text-transform:uppercase',
    'font-variant-numeric:tabular-nums',
    'line-height:30px',
    'width:40px',
    'hyphens:auto',
    'text-align-last:center',
  ],
]) {
  test(`the sixtieth text of a style is as the first: ${css}`, async () => {
    const html = `<!doctype html><style>body{font:14px Inter}p{${css}}</style>${'<p>AV To 12 words'.repeat(60)}`;
    const [list] = (await drawn(html, false, Infinity, 6_000)).lists;
    const glyphs = (list?.ops ?? []).filter((op) => op.kind === 'glyphs');
    const each = glyphs.length / 60;
    const of = (from: number) => glyphs.slice(from, from + each).map(({ origin, run }) => ({ x: origin.x, run }));
    expect(each).toBeGreaterThan(0);
    expect(of(59 * each)).toEqual(of(0));
    expect(glyphs[59 * each]?.origin.y).toBeCloseTo(
      (glyphs[0]?.origin.y ?? 0) + 59 * ((glyphs[each]?.origin.y ?? 0) - (glyphs[0]?.origin.y ?? 0)),
    );
  });
}
