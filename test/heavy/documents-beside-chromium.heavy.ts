// Compares random documents of texts and tables with Chromium: which row stands on which page, the box of each cell, and
// each line of its text. Every eighth of 500; with WHOLE=1 all 500 of the day, of SEED. ONLY=7,9 shows
// some. What differs must be known by its cause.

import { readFileSync } from 'node:fs';
import puppeteer, { type Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { Landmarks } from '#core/fragmentation/landmarks.ts';
import type { LayoutBox, TextBox } from '#core/layout/box.ts';
import { layOut } from '#core/layout/layout.ts';
import { TableBox } from '#core/layout/table-box.ts';
import { Pagination } from '#core/pages/paginate.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { FrameNode } from '#core/resolve/scene.ts';
import type { Layer } from '#core/template/layer.ts';
import type { Template } from '#core/template/template.ts';
import { wholeText } from '#core/text/line-text.ts';
import { resources } from '../core/scene-nodes.ts';
import { type FaceName, fontPath, fontSet, query, style } from '../core/text/faces.ts';
import { IS_WHOLE, SEED, sampled } from '../sampled.ts';
import { CHROMIUM } from '../server/chromium/chromium.ts';
import { randomDocument, SHEET } from './documents/random-document.ts';
import { documentHtml } from './documents/table-to-html.ts';

const FACES: readonly FaceName[] = ['inter', 'serif', 'mono', 'hebrew'];

/** The places of a cell, a text or a line of it: [page, x, y, width, height], px on the page. */
type Places = Map<string, (readonly number[])[]>;

const fontsOf = () =>
  fontSet(
    ...['inter', 'serif', 'mono'].flatMap((family) => [
      style({ font: query(family as FaceName) }),
      style({ font: query(family as FaceName, 'hebrew') }),
    ]),
  );

function ours(template: Template): {
  readonly flow: FrameNode;
  readonly places: Places;
  /** Of the columns of each table. */
  readonly widths: readonly (readonly number[])[];
  /** Lines of each text. */
  readonly counts: ReadonlyMap<string, number>;
} {
  const scene = resolve(template, {});
  const [flow] = layOut(scene, { ...resources(), fonts: fontsOf() }).boxes;
  if (flow?.kind !== 'frame' || !scene.page) throw new Error('A document has a frame that flows.');
  const places: Places = new Map();
  const add = (name: string, place: readonly number[]) => places.set(name, [...(places.get(name) ?? []), place]);
  const pagination = new Pagination(flow, scene.page, new Landmarks(new Set()));
  for (let page = 1; page <= pagination.count; page += 1) {
    for (const child of pagination.box(page)?.children ?? []) {
      if (child.kind === 'text') {
        const { x, y, width, height } = child.rect;
        // A text that goes on ends with its last line here, and in CSS with the page.
        const isWhole = child.paragraph.lines.at(-1)?.end === wholeText(child.node).length;
        add(child.node.name, [page, x, y, width, isWhole ? height : Number.NaN]);
        continue;
      }
      for (const row of child.kind === 'frame' ? child.children : []) addRow(row, child.node.name, page, add);
    }
  }
  for (const node of flow.node.children) {
    if (node.type !== 'table') continue;
    for (const { kind, index, cells } of node.rows) {
      for (const at of cells.keys()) {
        const name = `${node.name}/${index}/${at}`;
        const boxes = places.get(name) ?? [];
        // A head or foot that is repeated is told by what is below or above it.
        if (kind === 'head' && node.repeatsHead) places.set(name, boxes.slice(0, 1));
      }
    }
  }
  const widths = flow.children.map((box) => (box instanceof TableBox ? box.rows.columns : []));
  const counts = new Map(
    flow.children.flatMap((box) => (box.kind === 'text' ? [[box.node.name, box.paragraph.lines.length] as const] : [])),
  );
  return { flow: flow.node, places, widths, counts };
}

function addRow(
  row: LayoutBox,
  table: string,
  page: number,
  add: (name: string, place: readonly number[]) => void,
): void {
  if (row.kind !== 'frame' || !row.tableRow) return;
  const { cells, index } = row.tableRow;
  if (index === null) return;
  const nameOf = (at: number) => `${table}/${index}/${at}`;
  // A background for each cell that is shown, below the texts.
  const shown = row.part?.row.cells ?? cells;
  // Lines of an entry that a page divides are one row here, which ends with the page.
  const isPart = row.part !== undefined;
  for (const [i, cell] of shown.entries()) {
    const fill = row.children[i];
    const at = cells.findIndex(({ text }) => text === cell.text);
    if (fill)
      add(nameOf(at), [page, fill.rect.x, fill.rect.y, fill.rect.width, isPart ? Number.NaN : fill.rect.height]);
  }
  const addLines = (text: TextBox, at: number) => {
    for (const { box } of text.paragraph.lines) {
      if (box.width > 0)
        add(`${nameOf(at)} lines`, [page, text.content.x + box.x, text.content.y + box.y + box.height / 2, box.width]);
    }
  };
  for (const child of row.children.slice(shown.length)) {
    if (child.kind === 'text') {
      const { role } = child;
      const column = role && 'of' in role ? role.of.cells[role.index]?.column : undefined;
      const at = cells.findIndex((cell) => cell.column === column);
      if (at >= 0) addLines(child, at);
    } else if (child.kind === 'frame' && child.cell) {
      const { column, line } = child.cell;
      const at = cells.findIndex((cell) => cell.column === column && cell.line === line);
      for (const text of child.children) if (text.kind === 'text') addLines(text, at);
    }
  }
}

async function theirs(page: Page, { flow, widths, places, counts }: ReturnType<typeof ours>): Promise<Places> {
  await page.$eval(
    'main',
    (main, html) => main.setHTMLUnsafe(html),
    documentHtml(flow, SHEET, widths, (cell) => counts.get(cell) ?? places.get(`${cell} lines`)?.length ?? 0),
  );
  return new Map(await page.$eval('main', measure, SHEET));
}

/** Runs in the page. */
function measure(main: HTMLElement, { width, height }: typeof SHEET): [string, number[][]][] {
  // Between the columns that stand for pages, px: tables may be wider than these.
  const GAP = 10_000;
  const number = (css: string) => Number.parseFloat(css) || 0;
  for (const table of main.querySelectorAll<HTMLTableElement>('table[data-tracks]')) {
    // A table has the widths of the tracks of a grid that holds the same cells, but for those over several columns.
    const outer = table.getClientRects()[0]?.width ?? 0;
    const edges = outer - (table.rows[0]?.getClientRects()[0]?.width ?? outer);
    const around = document.createElement('div');
    const room = table.parentElement?.clientWidth ?? 0;
    around.style.cssText = `position:absolute;visibility:hidden;width:${room - edges}px`;
    const grid = document.createElement('div');
    const own = /px$/.test(table.style.width) ? `${number(table.style.width) - edges}px` : table.style.width;
    grid.style.cssText = `display:grid;width:${own === 'auto' ? 'fit-content' : own};grid-template-columns:${table.dataset.tracks}`;
    for (const cell of table.querySelectorAll('td')) {
      const copy = document.createElement('div');
      const [box, content] = [cell.getClientRects()[0], cell.firstElementChild?.getClientRects()[0]];
      if (!box || !content || cell.colSpan > 1) continue;
      // They may begin on different pages.
      const between = (px: number) => (px + (width + GAP) * 100) % (width + GAP);
      const padding = `0 ${between(box.right - content.right)}px 0 ${between(content.left - box.left)}px`;
      copy.style.cssText = `${cell.style.cssText};border:none;min-width:auto;padding:${padding};grid-column:${Number(cell.dataset.column) + 1}`;
      copy.innerHTML = cell.innerHTML;
      grid.append(copy);
    }
    around.append(grid);
    main.append(around);
    const widths = getComputedStyle(grid).gridTemplateColumns.split(' ').map(number);
    const sum = widths.reduce((all, each) => all + each, 0);
    const isNarrow = sum > grid.clientWidth + 1;
    around.remove();
    const chosen = isNarrow ? (table.dataset.narrow ?? '').split(' ').map(number) : widths;
    for (const [i, col] of [...table.querySelectorAll('col')].entries()) col.style.width = `${chosen[i]}px`;
    table.style.tableLayout = 'fixed';
    table.style.width = `${chosen.reduce((all, each) => all + each, edges)}px`;
  }
  const placeOf = ({ left, top, width: w, height: h }: DOMRect) => {
    const page = Math.floor((left + GAP / 2) / (width + GAP));
    return { page: page + 1, x: left - page * (width + GAP), y: top, w, h };
  };
  const round = (place: readonly number[]) => place.map((value) => Math.round(value * 100) / 100);
  const places: [string, number[][]][] = [];
  for (const element of main.querySelectorAll<HTMLElement>('[data-name]')) {
    const name = element.dataset.name ?? '';
    const { borderCollapse, borderTopWidth, borderBottomWidth } = getComputedStyle(element);
    // Rules are apart from cells, unless borders collapse.
    const isApart = element.tagName === 'TD' && borderCollapse === 'separate';
    const fragments = [...element.getClientRects()];
    // A head or foot that is repeated is told by what is below or above it.
    const group = element.closest('thead, tfoot')?.tagName;
    // The browser says of none but the first where it is.
    if (group === 'TFOOT' && fragments.length > 1) continue;
    const shown = group === 'THEAD' ? fragments.slice(0, 1) : fragments;
    // A head that is higher than a quarter of the page is not repeated, and may go on.
    const isHigh = group === 'THEAD' && (shown[0]?.height ?? 0) > height / 4;
    const lastShown = isHigh ? fragments.length - 1 : shown.length - 1;
    const boxes = shown.map((rect, i) => {
      const { page, x, y, w, h } = placeOf(rect);
      if (!isApart) return round([page, x, y, w, h]);
      const top = i === 0 ? number(borderTopWidth) : 0;
      const bottom = i === lastShown ? number(borderBottomWidth) : 0;
      // A line between columns lies in the cell before it.
      return round([page, x, y + top, w, h - top - bottom]);
    });
    places.push([name, boxes]);
    if (element.tagName !== 'TD') continue;
    const range = document.createRange();
    range.selectNodeContents(element.firstElementChild ?? element);
    const lines: number[][] = [];
    for (const rect of range.getClientRects()) {
      const { page, x, y, w, h } = placeOf(rect);
      if (w === 0) continue;
      const middle = y + h / 2;
      const same = lines.find((line) => line[0] === page && Math.abs((line[2] ?? 0) - middle) < 3);
      if (!same) lines.push([page, x, middle, w]);
      else if (group === undefined || lines.length > 1 || x !== same[1]) {
        const [, left = 0, , wide = 0] = same;
        same[1] = Math.min(left, x);
        same[3] = Math.max(left + wide, x + w) - same[1];
      }
    }
    if (lines.length > 0) places.push([`${name} lines`, lines.map(round)]);
  }
  return places;
}

/** Each place that differs by more than a pixel, with ours and theirs. */
function differences(a: Places, b: Places): readonly string[] {
  const show = (places: readonly (readonly number[])[] = []) =>
    places.map((place) => place.map((n) => Math.round(n * 10) / 10).join(' ')).join(' | ');
  return [...b.keys()].flatMap((name) => {
    const [own = [], other = []] = [a.get(name), b.get(name)];
    const isSame =
      own.length === other.length &&
      own.every((place, i) =>
        place.every((value, at) => Number.isNaN(value) || Math.abs(value - (other[i]?.[at] ?? Number.NaN)) <= 1),
      );
    return isSame ? [] : [`${name}: ${show(own)} instead of ${show(other)}`];
  });
}

/** What the tables of a document are. */
const summary = ({ layers }: Template): string =>
  layers
    .flatMap((flow) => (flow.type === 'frame' ? flow.children : []))
    .map((layer) => {
      if (layer.type !== 'table') return layer.name;
      const { width, columns, cell, direction, margin, groupBreak, groupBy } = layer;
      const lines = Array.isArray(layer.row[0]) ? layer.row.length : 1;
      const flags = [
        layer.splitRows && 'split',
        layer.keepWithNext && 'kept',
        layer.header.length > 0 && `head${layer.repeatHeader ? ' repeated' : ''}`,
        layer.footer.length > 0 && `foot${layer.repeatFooter ? ' repeated' : ''}`,
        lines > 1 && `${lines} lines`,
        cell.border && `border ${cell.border.width}`,
        layer.border && `own ${layer.border.width}`,
        layer.rule && `rule ${layer.rule.width}`,
        layer.headerRule && `headRule ${layer.headerRule.width}`,
        layer.columnRule && `columnRule ${layer.columnRule.width}`,
        groupBy &&
          `group ${groupBreak}${layer.groupHeader.length ? ' head' : ''}${layer.groupFooter.length ? ' foot' : ''}`,
        margin && 'margin',
        direction,
        cell.verticalAlign,
      ];
      return `${layer.name} ${width} [${columns.join(' ')}] ${flags.filter(Boolean).join(', ')} p${cell.padding} ${cell.fontSize}*${cell.lineHeight}`;
    })
    .join(' ; ');

/** The numbers of a difference: our places and theirs, [page, x, y, width, height]. */
function placesIn(found: string): readonly (readonly (readonly number[])[])[] {
  const [, told = ''] = /^[^:]*: (.*)$/s.exec(found) ?? [];
  return told.split('instead of').map((side) =>
    side
      .trim()
      .split(' | ')
      .map((place) => place.split(' ').map(Number)),
  );
}

/** Whether nothing is elsewhere but along the pages. */
const isAlongPages = (found: readonly string[]): boolean =>
  found.every((each) => {
    const [own = [], other = []] = placesIn(each);
    const across = (place: readonly number[] = []) => [place[1] ?? 0, place[3] ?? 0];
    // Lines of a text differ in width, and where a page ends among them.
    return (
      each.includes(' lines:') || across(own[0]).every((value, i) => Math.abs(value - (across(other[0])[i] ?? 0)) < 1.5)
    );
  });

/** Whether it ends, here or there, where the page does, as exactly as the browser counts: by 1/64 px in each sum. */
const endsWithPage = (found: string): boolean =>
  placesIn(found).some((side) => side.some(([, , y = 0, , height = 0]) => Math.abs(y + height - SHEET.height) <= 0.25));

const rowsOf = ({ header, row, footer, groupHeader, groupFooter }: Table) =>
  [header, row, footer, groupHeader, groupFooter].flatMap(
    (part) => (Array.isArray(part[0]) ? part : [part]) as readonly (readonly { readonly columnSpan: number }[])[],
  );

/** Whether a column has no cell but such as go on in other columns. */
function hasSharedColumn(table: Table): boolean {
  const own = new Set(
    rowsOf(table).flatMap((cells) => {
      let at = 0;
      return cells.flatMap(({ columnSpan }) => {
        at += columnSpan;
        return columnSpan === 1 ? [at - 1] : [];
      });
    }),
  );
  return table.columns.some((_, column) => !own.has(column));
}

/** Why a table may differ, by what it has and by what differs; the first that holds is the cause. */
const CAUSES: readonly (readonly [cause: string, holds: (table: Table, found: readonly string[]) => boolean])[] = [
  [
    'A column without a cell of its own has the width that it is given; CSS squeezes and widens it.',
    (table, found) => hasSharedColumn(table) && !isAlongPages(found),
  ],
  [
    'A line that is as wide as its cell to 1/64 px: the browser may break it.',
    (_, found) => found.length === 1 && found[0]?.includes(' lines:') === true,
  ],
  [
    'An entry of several lines is one row here, and several in CSS.',
    ({ row }, found) => Array.isArray(row[0]) && row.length > 1 && isAlongPages(found),
  ],
  [
    'Of rows that should stay together and cannot, each drops other wishes first.',
    ({ groupBreak, groupBy, keepWithNext }, found) =>
      (keepWithNext !== null || (groupBy !== null && groupBreak === 'avoid')) && isAlongPages(found),
  ],
  [
    'Collapsed borders: the outer half may stand in the margin at the end of a page, and goes on in a row that is divided.',
    ({ cell }, found) => Boolean(cell.border) && isAlongPages(found),
  ],
  [
    'The line below a row that fills its page begins the next one in the browser, and ends the row here.',
    ({ rule, headerRule }, [first = '']) => Boolean(rule ?? headerRule) && placesIn(first)[1]?.at(-1)?.[4] === 0,
  ],
  [
    'A row that is higher than a page, or than what is left of it below its header: the padding below its last line ends with the page.',
    (_, found) => (found[0] ?? '').split('|').length > 2 && isAlongPages(found),
  ],
  [
    'A text of three lines is not divided where that leaves one; the browser does so if a row cannot stay with its header.',
    (_, found) =>
      isAlongPages(found) &&
      placesIn(found[0] ?? '')
        .map(({ length }) => length)
        .join() === '1,2' &&
      found.some((each) => each.includes(' lines:') && placesIn(each)[0]?.length === 3),
  ],
  [
    'A header that is higher than a page.',
    ({ header }, found) =>
      isAlongPages(found) &&
      Number(/\/(\d+)\//.exec(found[0] ?? '')?.[1]) < header.length &&
      placesIn(found[0] ?? '').some((side) => side.some(([, , , , height = 0]) => height > 0.9 * SHEET.height)),
  ],
  [
    'What ends just where its page does: the browser rounds heights to 1/64 px.',
    (_, found) => isAlongPages(found) && endsWithPage(found[0] ?? ''),
  ],
];

type Table = Extract<Layer, { readonly type: 'table' }>;

function causeOf({ layers }: Template, found: readonly string[]): string | null {
  const name = (found[0] ?? '').split(/[/:]/)[0];
  const flow = layers.flatMap((each) => (each.type === 'frame' ? each.children : []));
  const at = flow.findIndex((each) => each.name === name);
  const [above, layer] = [flow[at - 1], flow[at]];
  const isKeptText =
    layer?.type === 'text' &&
    (layer.breakAfter === 'avoid' || (above?.type === 'table' && above.keepWithNext !== null)) &&
    isAlongPages(found);
  if (isKeptText) return CAUSES[3]?.[0] ?? null;
  const own = found.filter((each) => each.startsWith(`${name}/`));
  return (layer?.type === 'table' && CAUSES.find(([, holds]) => holds(layer, own))?.[0]) || null;
}

const only = process.env.ONLY?.split(',').map(Number) ?? null;
const first = IS_WHOLE ? 500 * SEED : 0;
const all = Array.from({ length: 500 }, (_, i) => first + i + 1);
const seeds = only ?? sampled(all);

test('documents are as in Chromium', async () => {
  if (!CHROMIUM) throw new Error('There is no Chromium. Set CHROMIUM_PATH.');
  const args = ['--no-sandbox', '--font-render-hinting=none', '--disable-dev-shm-usage'];
  const browser = await puppeteer.launch({ executablePath: CHROMIUM.path, headless: 'shell', args, pipe: true });
  const different: Record<string, readonly string[]> = {};
  const known = new Map<string, number>();
  try {
    const page = await browser.newPage();
    const rules = FACES.map((name) => {
      const url = `data:font/ttf;base64,${readFileSync(fontPath(name)).toString('base64')}`;
      return `@font-face{font-family:"platen ${name}";src:url(${url});font-weight:100 900}`;
    });
    await page.setContent(
      `<!doctype html><style>${rules.join('')}*{box-sizing:border-box}body,p{margin:0}body{font-synthesis:none;text-rendering:geometricPrecision}p{overflow-wrap:break-word}</style><main></main>`,
    );
    await page.evaluate(() => Promise.all([...document.fonts].map((font) => font.load())));
    for (const seed of seeds) {
      const own = ours(randomDocument(seed));
      const found = differences(own.places, await theirs(page, own));
      const cause = found.length > 0 ? causeOf(randomDocument(seed), found) : null;
      if (cause) known.set(cause, (known.get(cause) ?? 0) + 1);
      else if (found.length > 0) different[seed] = found;
    }
  } finally {
    await browser.close();
  }
  const told = Object.entries(different).map(
    ([seed, found]) =>
      `${seed}: ${summary(randomDocument(Number(seed)))}\n   ${found.length}: ${found.slice(0, only ? 40 : 1).join('\n   ')}`,
  );
  if (IS_WHOLE || only) console.info([...known].map(([cause, count]) => `${count}: ${cause}`).join('\n'));
  if (told.length > 0) console.info(told.join('\n'));
  expect(Object.keys(different)).toEqual([]);
}, 600_000);
