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
  readonly cells: readonly (readonly (string | { readonly text: string; readonly columnSpan: number })[])[];
  readonly padding?: number;
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
        cell: { fontFamily: 'inter', fontSize: FONT_SIZE, lineHeight: 1.25, padding: table.padding ?? PADDING },
        header: table.cells,
      },
    ],
  }),
});

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
];
