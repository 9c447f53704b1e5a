// Makes a random document of texts and tables, which is the same for the same seed.

import type { TableDocument, TextDocument } from '#core/template/layer.ts';
import { parseTemplate, type Template } from '#core/template/template.ts';
import { seeded } from '../../seeded.ts';

type Random = (below: number) => number;

/** px, of each page: no sum of lines, which the browser would round otherwise. */
export const SHEET = { width: 400, height: 306.3 };

const WORDS = 'oak hinge of the planed board and two more screws in a long delivery for Amsterdam'.split(' ');
const LONG = ['Donaudampfschifffahrtsgesellschaft', 'https://example.com/a/very/long/path', 'antidisestablishment'];
const HEBREW = ['שלום', 'עולם', 'חשבון', 'מספר', 'תאריך'];
const NUMBERS = ['12.50', '1,234.56', '€9', '-4', '2026-05-31', '100%'];

export function randomDocument(seed: number): Template {
  // The generator's first numbers are close to each other for seeds that are.
  const random = seeded(seed * 7_919 + 1);
  for (let i = 0; i < 3; i += 1) random(2);
  const layers = Array.from({ length: 1 + random(2) }, (_, i) => [
    ...(random(2) ? [heading(random, `text-${i}`)] : []),
    randomTable(random, `table-${i}`),
    ...(random(3) ? [] : [{ ...heading(random, `end-${i}`), breakAfter: 'auto' }]),
  ]).flat();
  return parseTemplate({
    name: `document ${seed}`,
    page: { size: [SHEET.width, SHEET.height] },
    layers: [{ name: 'flow', type: 'frame', flow: true, layout: {}, children: layers }],
  });
}

const one = <T>(random: Random, list: readonly T[]): T => list[random(list.length)] as T;
const sometimes = <T>(random: Random, oneIn: number, value: T): T | Record<string, never> =>
  random(oneIn) === 0 ? value : {};

function sentence(random: Random, most: number, isHebrew: boolean): string {
  const word = () => {
    if (random(24) === 0) return one(random, LONG);
    if (random(6) === 0) return one(random, NUMBERS);
    return one(random, isHebrew ? HEBREW : WORDS);
  };
  return Array.from({ length: random(most + 1) }, word).join(' ');
}

function heading(random: Random, name: string): Partial<TextDocument> & { readonly type: 'text' } {
  return {
    name,
    type: 'text',
    text: sentence(random, 12, false) || 'Heading',
    fontFamily: 'inter',
    fontSize: one(random, [12, 16, 24]),
    lineHeight: 1.25,
    width: 'fill',
    ...sometimes(random, 2, { breakAfter: 'avoid' as const }),
    ...sometimes(random, 3, { margin: [one(random, [0, 10, 35]), 0, 0, 0] as const }),
  };
}

function randomTable(random: Random, name: string): Partial<TableDocument> {
  const isRtl = random(5) === 0;
  const isHebrew = isRtl && random(3) > 0;
  const count = 2 + random(4);
  const lines = random(6) === 0 ? 2 + random(2) : 1;
  const collapses = random(3) === 0;
  const columns = Array.from({ length: count }, () => randomColumn(random, count, collapses));
  const groupBreak = one(random, ['auto', 'avoid', 'page'] as const);
  const keeps = random(5) === 0;
  // What has to stay together is lower than a page: of wishes that cannot all be met, CSS does not say which count more.
  const isLow = keeps || lines > 1 || groupBreak === 'avoid' || collapses;
  const text = (most = isLow ? 3 : 6) => sentence(random, !isLow && random(40) === 0 ? 90 : most, isHebrew);
  const cells = (make: (column: number) => object) => {
    const row: object[] = [];
    for (let column = 0; column < count; ) {
      const columnSpan = random(10) === 0 ? Math.min(count - column, 1 + random(3)) : 1;
      row.push({ ...make(column), columnSpan });
      column += columnSpan;
    }
    return row;
  };
  const fixed = (most: number) => () => ({ text: text(most), ...sometimes(random, 8, cellLook(random)) });
  const names = ['a', 'b', 'c', 'd', 'e'];
  const entryRow = (line: number) =>
    line === 0 || random(2) ? cells((column) => ({ name: names[column] })) : cells(fixed(4));
  // A cell over all lines of an entry; the others begin beside it.
  const row =
    lines > 1 && random(2)
      ? [
          [{ name: 'a', rowSpan: lines }, ...Array.from({ length: count - 1 }, (_, i) => ({ name: names[i + 1] }))],
          ...Array.from({ length: lines - 1 }, () => Array.from({ length: count - 1 }, fixed(3))),
        ]
      : Array.from({ length: lines }, (_, i) => entryRow(i));
  const isGrouped = random(4) === 0;
  const line = () => ({ width: one(random, [1, 2, 4, 7]), color: '#000' });
  return {
    name,
    type: 'table',
    ...sometimes(random, 4, { width: random(2) ? 'hug' : 200 + random(200) }),
    columns,
    ...(isRtl && { direction: 'rtl' as const }),
    ...sometimes(random, 3, { margin: [random(30), random(20), 0, random(20)] as const }),
    ...(random(4) && { header: Array.from({ length: 1 + (random(5) ? 0 : 1) }, () => cells(fixed(2))) }),
    row,
    ...sometimes(random, 3, { footer: cells(fixed(3)) }),
    ...(isGrouped && {
      groupBy: 'group',
      ...sometimes(random, 2, { groupHeader: [[{ name: 'group', columnSpan: count }]] }),
      ...sometimes(random, 2, { groupFooter: cells(fixed(2)) }),
      groupBreak,
    }),
    ...(keeps && { keepWithNext: { kind: 'title' } }),
    rows: Array.from({ length: 1 + random(40) }, (_, i) => ({
      ...Object.fromEntries(names.slice(0, count).map((key) => [key, text()])),
      group: `Group ${Math.floor(i / (groupBreak === 'avoid' ? 2 : 5))}`,
      kind: random(4) ? 'line' : 'title',
    })),
    cell: {
      fontFamily: one(
        random,
        ['inter', 'serif'].map((family) => [family, 'hebrew']),
      ),
      fontSize: one(random, [10, 12, 15]),
      lineHeight: one(random, [1.2, 1.5]),
      padding: one(random, [0, 4, [2, 8, 6, 3]]),
      background: '#eeeeee',
      ...sometimes(random, 3, cellLook(random)),
      ...(collapses && { border: line() }),
    },
    ...(collapses && random(2) && { border: line() }),
    ...(!collapses && {
      ...sometimes(random, 2, { rule: line() }),
      ...sometimes(random, 3, { headerRule: line(), footerRule: line() }),
      ...sometimes(random, 3, { columnRule: line() }),
      ...sometimes(random, 4, { border: line() }),
    }),
    ...sometimes(random, 2, { zebra: '#ddeeff' }),
    repeatHeader: random(3) > 0,
    repeatFooter: random(3) === 0,
    splitRows: !isLow && random(2) === 0,
  } as Partial<TableDocument>;
}

const cellLook = (random: Random) => ({
  ...sometimes(random, 2, { verticalAlign: one(random, ['middle', 'bottom'] as const) }),
  ...sometimes(random, 2, { align: one(random, ['end', 'center', 'right'] as const) }),
});

/** Of collapsed borders, Chromium takes percentages of another width than CSS Tables 3 says. */
function randomColumn(random: Random, count: number, collapses: boolean): string | number {
  const kind = random(8);
  if (kind < 3) return 'hug';
  if (kind < 5) return 40 + random(Math.floor(300 / count));
  return kind === 5 && !collapses ? `${8 + random(Math.floor(60 / count))}%` : `${1 + random(3)}fr`;
}
