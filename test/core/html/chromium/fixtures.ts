// Pages that Chromium has laid out once, which is recorded, and that ours lays out on every test run.

import { BLOCKS } from './fixtures/blocks.ts';
import { CASCADE } from './fixtures/cascade.ts';
import { COLUMNS } from './fixtures/columns.ts';
import { CSS_COLUMNS } from './fixtures/css-columns.ts';
import { CSS2_FLOATS } from './fixtures/css2-floats.ts';
import { CSS2_LISTS } from './fixtures/css2-lists.ts';
import { CSS2_MARGINS } from './fixtures/css2-margins.ts';
import { CSS2_NORMAL_FLOW } from './fixtures/css2-normal-flow.ts';
import { CSS2_POSITIONING } from './fixtures/css2-positioning.ts';
import { CSS2_TABLES } from './fixtures/css2-tables.ts';
import { DISPLAY } from './fixtures/display.ts';
import { ELEMENTS } from './fixtures/elements.ts';
import type { Fixture, Fixtures } from './fixtures/fixture.ts';
import { FLOATS } from './fixtures/floats.ts';
import { INLINE } from './fixtures/inline.ts';
import { LISTS } from './fixtures/lists.ts';
import { PAGES } from './fixtures/pages.ts';
import { PICTURES } from './fixtures/pictures.ts';
import { POSITIONED } from './fixtures/positioned.ts';
import { QUIRKS } from './fixtures/quirks.ts';
import { TABLES } from './fixtures/tables.ts';
import { TREE } from './fixtures/tree.ts';
import { VALUES } from './fixtures/values.ts';
import { WRITING } from './fixtures/writing.ts';

/** By clause, which is also the name of the file with its record. */
export const CLAUSES: Readonly<Record<string, Fixtures>> = {
  blocks: BLOCKS,
  inline: INLINE,
  lists: LISTS,
  floats: FLOATS,
  positioned: POSITIONED,
  tables: TABLES,
  display: DISPLAY,
  columns: COLUMNS,
  pictures: PICTURES,
  elements: ELEMENTS,
  tree: TREE,
  values: VALUES,
  cascade: CASCADE,
  writing: WRITING,
  quirks: QUIRKS,
  pages: PAGES,
  'css2-normal-flow': CSS2_NORMAL_FLOW,
  'css2-margins': CSS2_MARGINS,
  'css2-floats': CSS2_FLOATS,
  'css2-positioning': CSS2_POSITIONING,
  'css2-lists': CSS2_LISTS,
  'css2-tables': CSS2_TABLES,
  'css-columns': CSS_COLUMNS,
};

/** Faces of the repository's catalogue, by the name that a page gives them. */
export const FAMILIES: readonly string[] = ['Inter', 'JetBrains Mono', 'Source Serif 4', 'Noto Sans Hebrew'];

/** The whole document of a fixture. Lines have a height in px unless the fixture says otherwise. */
export function documentOf({ html }: Fixture): string {
  return /^<!doctype|^<html/i.test(html) ? html : `<!doctype html><style>html{font:16px/20px Inter}</style>${html}`;
}

/** The fixture of a name, with the size of its viewport. */
export function fixtureOf(fixture: string | Fixture): Required<Fixture> {
  return { width: 600, height: 400, ...(typeof fixture === 'string' ? { html: fixture } : fixture) };
}
