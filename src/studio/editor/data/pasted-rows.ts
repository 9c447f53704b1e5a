// Turns cells pasted from a spreadsheet, and rows read from a file, into entries of a list.

import { unescaped } from '#design/csv-text.ts';
import { plainNumbers, withPlainNumbers } from '../core/document/read-numbers.ts';
import { parseCsv } from '../core/document/sheet.ts';
import { entryWith, type RawEntry } from '../core/document/table-edits.ts';
import type { ListColumn } from './list-columns.ts';

/** Names and titles are compared without what people vary. */
const plainName = (name: string) => name.toLowerCase().replace(/[\s_.-]+/g, '');

const columnNamed = (columns: readonly ListColumn[], given: string): ListColumn | undefined =>
  columns.find(({ name }) => name === given) ??
  columns.find(({ name, title }) => [name, title].some((own) => plainName(own) === plainName(given)));

/** Entries whose names are titles of columns, or differ in case and spaces, with the names of the list. */
export function namedLike(columns: readonly ListColumn[], rows: readonly RawEntry[]): readonly RawEntry[] {
  const named = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [columnNamed(columns, name)?.name ?? name, value])),
  );
  return withPlainNumbers(named, numbersOf(columns));
}

const numbersOf = (columns: readonly ListColumn[]) => columns.flatMap(({ name, isNumber }) => (isNumber ? name : []));

interface Sheet {
  readonly columns: readonly ListColumn[];
  readonly rows: readonly RawEntry[];
  /** Of the cell that has the focus. */
  readonly row: number;
  readonly column: number;
}

/**
 * The rows with pasted cells from a cell on, to the right and below; a first line that names columns says where the
 * others go. null: the text is of one cell.
 */
export function pasted(text: string, { columns, rows, row, column }: Sheet): readonly RawEntry[] | null {
  const isSheet = text.includes('\t');
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  if (!isSheet && lines.length < 2) return null;
  // Without tabs a line is one cell, unless the first names columns, as that of a CSV does.
  const parsed = parseCsv(text).map((cells) => cells.map(unescaped));
  const named = (parsed[0] ?? []).map((title) => columnNamed(columns, title.trim())?.name);
  const isNamed = parsed.length > 1 && named.every((name) => name !== undefined);
  const cells = isNamed ? parsed.slice(1) : isSheet ? parsed : lines.map((line) => [line]);
  const names = isNamed ? named : columns.slice(column).map(({ name }) => name);
  const numbers = new Set(numbersOf(columns));
  const plain = names.map((name, at) =>
    name !== undefined && numbers.has(name) ? plainNumbers(cells.map((values) => values[at] ?? '')) : null,
  );
  const next = [...rows];
  for (const [i, values] of cells.entries()) {
    let entry = next[row + i] ?? {};
    for (const [at, value] of values.entries()) {
      const name = names[at];
      if (name !== undefined) entry = entryWith(entry, name, plain[at]?.[i] ?? value);
    }
    next[row + i] = entry;
  }
  return next;
}
