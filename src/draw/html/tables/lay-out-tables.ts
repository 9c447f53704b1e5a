// Lays out the tables of a page, which satori does not know: it measures their cells, this computes widths and heights,
// and satori draws the page with each part at its place.
//
// The elements stay as they are, so that selectors match; declarations of ours are added to them. Inner tables are
// measured before those around them, and get their widths after them. Then heights are measured, inner ones first.

import type { Rect } from '#core/geometry.ts';
import type { HtmlElement } from '../parse-html.ts';
import type { PageTables, Table } from './read-tables.ts';
import {
  askedWidth,
  type Declared,
  isPlain,
  narrowParts,
  placedParts,
  px,
  restingParts,
  rowParts,
  UNBOUNDED,
  wideParts,
} from './table-parts.ts';
import { type Boxes, columnsOf, initialSizes, NO_BOX, type Sizes, setBounds, setHeights } from './table-sizes.ts';
import type { TableStyles } from './table-styles.ts';

/** Declarations of ours, by element and property. */
export type Overrides = ReadonlyMap<HtmlElement, Declared>;
/** Lays the page out with these declarations, and reports the boxes of the elements of its tables. */
export type MeasureTables = (overrides: Overrides, textIn?: TextIn) => Promise<ReadonlyMap<HtmlElement, Rect>>;
/** The text that stands for one inside an element. */
export type TextIn = (text: string, parent: HtmlElement) => string;

/**
 * @param spread the boxes of the page with `spreadTables`, if they are known
 * @returns the declarations with which satori draws each part at its place
 */
export async function layOutTables(
  { tables, styles }: PageTables,
  measure: MeasureTables,
  spread: Boxes | null = null,
): Promise<Overrides> {
  const levels = Array.from({ length: 1 + Math.max(-1, ...tables.map(({ level }) => level)) }, (_, level) =>
    tables.filter((table) => table.level === level),
  );
  const resting = new Map<HtmlElement, Declared>(tables.flatMap((table) => [...restingParts(table, styles)]));
  const sizes = new Map<Table, Sizes>();
  const all = (of: readonly Table[]) => of.flatMap((table) => [[table, sizes.get(table) as Sizes] as const]);

  for (const [index, level] of [...levels.entries()].reverse()) {
    const deeper = (of: 'min' | 'max') =>
      all(levels.slice(index + 1).flat()).map(
        ([table, own]) => [table.element, { width: px(own[of]), ...UNBOUNDED }] as const,
      );
    const narrow = level.flatMap((table) => [...narrowParts(table)]);
    const wide = level.flatMap((table) => [...wideParts(table, styles)]);
    const mins = await measure(withDeclared(resting, [...deeper('min'), ...narrow]), unspaced(styles));
    const isSpread = levels.length === 1 && spread !== null;
    const maxs = isSpread ? spread : await measure(withDeclared(resting, [...deeper('max'), ...wide]));
    for (const table of level) {
      const own = initialSizes(table, mins, maxs);
      sizes.set(table, own);
      setBounds(table, styles, own, mins);
    }
  }

  const placed = new Map<HtmlElement, Declared>();
  for (const level of levels) {
    const asked = all(level.filter((table) => !isPlain(table, styles))).map(
      ([table, own]) => [table.element, askedWidth(table, styles, own)] as const,
    );
    const boxes = asked.length > 0 ? await measure(withDeclared(withDeclared(resting, placed), asked)) : null;
    for (const [table, own] of all(level)) {
      const box = (isPlain(table, styles) ? own.given : boxes)?.get(table.element) ?? NO_BOX;
      const isAuto = styles.declared(table.element, 'width') === null;
      const most = isPlain(table, styles) && isAuto ? own.max : Infinity;
      own.width = Math.max(own.min, Math.min(most, box.width));
      own.widths = columnsOf(table, own, styles);
      for (const [element, declared] of placedParts(table, styles, own)) placed.set(element, declared);
    }
  }

  for (const level of levels.toReversed()) {
    const rows = all(level).flatMap(([table, own]) => [...rowParts(table, styles, own)]);
    const boxes = await measure(withDeclared(withDeclared(resting, placed), rows));
    for (const [table, own] of all(level)) {
      setHeights(table, styles, own, boxes);
      for (const [element, declared] of placedParts(table, styles, own)) placed.set(element, declared);
    }
  }
  return withDeclared(resting, placed);
}

/**
 * Text with breaks that take no space where lines may break at spaces. Satori counts the space at the end of a word
 * to its least width, and browsers do not.
 */
const unspaced =
  (styles: TableStyles): TextIn =>
  (text, parent) => {
    if (!styles.breaksAtSpaces(parent)) return text;
    return text.replace(/[ \t\n\f\r]+/g, (spaces, at: number) => {
      const isBetween = /\S/.test(text.charAt(at - 1)) && /\S/.test(text.charAt(at + spaces.length));
      return isBetween ? '\u200b' : spaces;
    });
  };

/**
 * Every cell as wide as it wants to be, at the corner of its table: for finding out which fonts the page needs, and, of
 * tables that stand in no others, what their cells want.
 */
export function spreadTables({ tables, styles }: PageTables): Overrides {
  const resting = new Map(tables.flatMap((table) => [...restingParts(table, styles)]));
  return withDeclared(
    resting,
    tables.flatMap((table) => [...wideParts(table, styles)]),
  );
}

function withDeclared(first: Overrides, second: Iterable<readonly [HtmlElement, Declared]>): Overrides {
  const all = new Map(first);
  for (const [element, declared] of second) all.set(element, { ...all.get(element), ...declared });
  return all;
}
