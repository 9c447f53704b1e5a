// Tables that Chromium has laid out once, which is recorded, and that ours lays out on every test run.

import type { TableDocument } from '#core/template/layer.ts';
import { parseTemplate, type Template } from '#core/template/template.ts';

export interface Fixture {
  readonly name: string;
  readonly template: Template;
  /** Chromium's table has the same columns, cells and padding. */
  readonly table: Given;
}

type Given = Pick<TableDocument, 'columns'> & {
  /** px; null = as its content wants. */
  readonly width: number | null;
  readonly cells: readonly (readonly (string | GivenCell)[])[];
  readonly padding?: number;
  /** px, of the table, whose borders collapse with those of the cells. */
  readonly border?: number;
  /** px, of each cell. */
  readonly cellBorder?: number;
  readonly direction?: 'rtl';
};

interface GivenCell {
  readonly text: string;
  readonly columnSpan?: number;
  readonly rowSpan?: number;
  /** px, instead of those of all cells. */
  readonly border?: number;
}

const line = (width: number | undefined) => (width === undefined ? {} : { border: { width, color: '#000' } });
const ourCell = (cell: string | GivenCell) => {
  if (typeof cell === 'string') return cell;
  const { border, ...own } = cell;
  return { ...own, ...line(border) };
};

const PLAIN = ['Hinge', 'A board of oak, planed and oiled on both sides', '12.50'];
const LONG = ['Antidisestablishmentarianism', 'Two words', 'A sentence that is long enough to wrap over several lines'];
/** Columns in px are exact here, whatever words they hold, as with CSS's `table-layout: fixed`: none is longer than its own. */
const SHORT = ['Anti', 'Two words', 'A sentence that is long enough to wrap'];
const three = (...columns: Given['columns']) => columns;

export const PADDING = 4;
export const FONT_SIZE = 16;

const fixture = (name: string, table: Given): Fixture => ({
  name,
  table,
  template: parseTemplate({
    name,
    width: 800,
    height: 600,
    layers: [
      {
        ...{ name: 'table', type: 'table', width: table.width ?? 'hug', columns: table.columns },
        cell: {
          fontFamily: 'inter',
          fontSize: FONT_SIZE,
          lineHeight: 1.25,
          padding: table.padding ?? PADDING,
          background: '#eee',
          ...line(table.cellBorder),
        },
        ...line(table.border),
        direction: table.direction ?? null,
        header: table.cells.map((row) => row.map(ourCell)),
      },
    ],
  }),
});

const HIGH = 'many words in a cell';
const spanned = (name: string, ...cells: Given['cells']) =>
  fixture(name, { columns: three(80, 80, 80), width: 240, cells });
const collapsed = (name: string, borders: Pick<Given, 'border' | 'cellBorder'>, ...cells: Given['cells']) =>
  fixture(name, { columns: three(80, 200, 80), width: null, cells, ...borders });

export const FIXTURES: readonly Fixture[] = [
  fixture('by-content', { columns: three('hug', 'hug', 'hug'), width: null, cells: [PLAIN] }),
  fixture('by-content-rows', {
    columns: three('hug', 'hug', 'hug'),
    width: null,
    cells: [PLAIN, ['x', 'y', 'z'], ['', '', 'wide word here']],
  }),
  fixture('stretched', { columns: three('hug', 'hug', 'hug'), width: 700, cells: [PLAIN, ['Screw', 'Steel', '0.10']] }),
  fixture('squeezed', { columns: three('hug', 'hug', 'hug'), width: 300, cells: [PLAIN] }),
  fixture('squeezed-long-words', { columns: three('hug', 'hug', 'hug'), width: 460, cells: [LONG, PLAIN] }),
  fixture('narrower-than-words', { columns: three('hug', 'hug', 'hug'), width: 100, cells: [PLAIN] }),
  fixture('fixed', { columns: three(80, 200, 60), width: 340, cells: [PLAIN] }),
  fixture('fixed-and-content', { columns: three(80, 'hug', 60), width: 500, cells: [PLAIN] }),
  fixture('fixed-and-contents', { columns: three(80, 'hug', 'hug'), width: 300, cells: [PLAIN, SHORT] }),
  fixture('percent', { columns: three('20%', '50%', '30%'), width: 500, cells: [PLAIN] }),
  fixture('percent-and-content', { columns: three('20%', 'hug', '30%'), width: 500, cells: [PLAIN] }),
  fixture('padding', { columns: three('hug', 'hug', 'hug'), width: 320, cells: [PLAIN], padding: 12 }),
  fixture('spans', {
    columns: three(80, 200, 60),
    width: 340,
    cells: [PLAIN, [{ text: 'A cell over two columns, with many words in it', columnSpan: 2 }, '3']],
  }),
  fixture('rows-of-heights', {
    columns: three(90, 90, 90),
    width: 270,
    cells: [PLAIN, SHORT, ['a', 'b', 'c'], ['', '', '']],
  }),

  spanned('row-span', [{ text: 'A', rowSpan: 2 }, 'b', 'c'], ['d', 'e']),
  spanned('row-span-in-the-middle', ['a', { text: 'B', rowSpan: 2 }, 'c'], ['d', 'e']),
  spanned('row-span-higher-than-its-rows', [{ text: HIGH, rowSpan: 2 }, 'b', 'c'], ['d', 'e']),
  spanned('row-span-higher-than-uneven-rows', [{ text: `${HIGH} ${HIGH}`, rowSpan: 2 }, 'b', 'c'], ['d', HIGH]),
  spanned('row-span-of-three', [{ text: HIGH, rowSpan: 3 }, 'b', 'c'], ['d', 'e'], ['f', 'g']),
  spanned('row-spans-nested', [{ text: HIGH, rowSpan: 3 }, { text: HIGH, rowSpan: 2 }, 'c'], ['d'], ['e', 'f']),
  spanned(
    'row-spans-overlapping',
    [{ text: HIGH, rowSpan: 2 }, 'b', 'c'],
    [{ text: HIGH, rowSpan: 2 }, 'e'],
    ['f', 'g'],
  ),
  spanned('row-and-column-span', [{ text: HIGH, rowSpan: 2, columnSpan: 2 }, 'c'], ['d'], ['e', 'f', 'g']),
  spanned('row-span-beyond-the-last-row', ['a', 'b', { text: HIGH, rowSpan: 9 }], ['d', 'e']),
  spanned(
    'two-header-rows',
    [
      { text: 'Item', rowSpan: 2 },
      { text: 'Price', columnSpan: 2 },
    ],
    ['net', 'gross'],
    ['x', '1', '2'],
  ),

  collapsed('collapsed', { cellBorder: 2 }, PLAIN, ['d', 'e', 'f']),
  collapsed('collapsed-wide', { cellBorder: 10 }, PLAIN, ['d', 'e', 'f']),
  collapsed('collapsed-with-a-wider-table', { cellBorder: 2, border: 8 }, PLAIN, ['d', 'e', 'f']),
  collapsed('collapsed-with-a-narrower-table', { cellBorder: 8, border: 2 }, PLAIN, ['d', 'e', 'f']),
  collapsed('collapsed-one-wide-cell', { cellBorder: 2 }, ['a', { text: 'B', border: 12 }, 'c'], ['d', 'e', 'f']),
  collapsed('collapsed-wide-corner', { cellBorder: 2 }, [{ text: 'A', border: 12 }, 'b', 'c'], ['d', 'e', 'f']),
  collapsed('collapsed-only-one', {}, ['a', 'b', 'c'], ['d', { text: 'E', border: 6 }, 'f'], ['g', 'h', 'i']),
  collapsed(
    'collapsed-row-span',
    { cellBorder: 4 },
    [{ text: HIGH, rowSpan: 2 }, 'b', 'c'],
    ['d', { text: 'E', border: 8 }],
  ),
  collapsed(
    'collapsed-column-span',
    { cellBorder: 4 },
    [{ text: 'A', columnSpan: 2 }, 'b'],
    ['c', { text: 'E', border: 8 }, 'f'],
  ),
  fixture('collapsed-by-content', {
    columns: three('hug', 'hug', 'hug'),
    width: null,
    cells: [PLAIN, LONG],
    cellBorder: 6,
  }),
  fixture('collapsed-percent', { columns: three('20%', '50%', '30%'), width: 500, cells: [PLAIN], cellBorder: 6 }),

  fixture('rtl', { columns: three('hug', 'hug', 'hug'), width: 500, cells: [PLAIN, SHORT], direction: 'rtl' }),
  fixture('rtl-by-content', { columns: three('hug', 80, 'hug'), width: null, cells: [PLAIN], direction: 'rtl' }),
  fixture('rtl-spans', {
    columns: three(80, 200, 60),
    width: 340,
    cells: [PLAIN, [{ text: HIGH, columnSpan: 2, rowSpan: 2 }, '3'], ['4']],
    direction: 'rtl',
  }),
  fixture('rtl-collapsed', {
    columns: three(80, 200, 80),
    width: null,
    cells: [['a', { text: 'B', border: 12 }, 'c'], PLAIN],
    cellBorder: 2,
    border: 6,
    direction: 'rtl',
  }),
];
