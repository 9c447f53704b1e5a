// The selected block of cells in a sheet: copies it as text, and empties it.

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
