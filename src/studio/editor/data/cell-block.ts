// The selected block of cells in a sheet: copies it as text, empties it, and pastes into it.

import { unescaped } from '#design/csv-text.ts';
import { plainNumbers, withPlainNumbers } from '../core/document/read-numbers.ts';
import { parseCsv } from '../core/document/sheet.ts';
import { entryWith, plainValue, type RawEntry } from '../core/document/table-edits.ts';
import type { ListColumn } from './list-columns.ts';

/** A cell, by the numbers of its row and column. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** Rows and columns from the first to the last. */
export interface Block {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
  readonly cells: number;
}

/** The block between two cells. null for both: it has no cells. */
export function blockOf(at: Place | null, end: Place | null): Block {
  if (!at) return { top: 0, bottom: -1, left: 0, right: -1, cells: 0 };
  const other = end ?? at;
  const [top, bottom] = [Math.min(at.row, other.row), Math.max(at.row, other.row)];
  const [left, right] = [Math.min(at.column, other.column), Math.max(at.column, other.column)];
  return { top, bottom, left, right, cells: (bottom - top + 1) * (right - left + 1) };
}

export const isInside = ({ top, bottom, left, right }: Block, row: number, column: number): boolean =>
  row >= top && row <= bottom && column >= left && column <= right;

const isNested = (value: unknown) => typeof value === 'object' && value !== null;

/** The rows with empty texts in a block. Lists in cells stay, because they are edited elsewhere. */
export function cleared(
  columns: readonly ListColumn[],
  rows: readonly RawEntry[],
  { top, bottom, left, right }: Block,
): readonly RawEntry[] {
  const names = columns.slice(left, right + 1).map(({ name }) => name);
  const filled = (entry: RawEntry) =>
    names.filter((name) => entry[name] !== undefined && !isNested(plainValue(entry[name])));
  return rows.map((entry, row) =>
    row < top || row > bottom
      ? entry
      : filled(entry).reduce<RawEntry>((next, name) => entryWith(next, name, ''), entry),
  );
}

/** What a spreadsheet would take for a formula. Numbers with a sign stay numbers. */
const FORMULA = /^[=+\-@\t\r][\d.,\s]*[^\d.,\s]/;

/** A block as spreadsheets paste it, a line for each row and a tab between cells; one cell is its plain text. */
export function copied(columns: readonly ListColumn[], rows: readonly RawEntry[], block: Block): string {
  const { top, bottom, left, right, cells } = block;
  const lines = rows.slice(top, bottom + 1).map((entry) =>
    columns.slice(left, right + 1).map(({ name }) => {
      const value = plainValue(entry[name]);
      return isNested(value) ? JSON.stringify(value) : String(value ?? '');
    }),
  );
  if (cells === 1) return lines.flat().join('');
  const shown = (cell: string) => {
    const text = FORMULA.test(cell) ? `'${cell}` : cell;
    return /["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return lines.map((line) => line.map(shown).join('\t')).join('\n');
}

// Turns cells pasted from a spreadsheet, and rows read from a file, into entries of a list.

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
