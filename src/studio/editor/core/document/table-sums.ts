// Edits the rows of a table that add up: group headings, sub-totals below each group, and sums carried from page to page.
// Each is a row of cells, made from those of the table.

import type { RawLayer } from './document.ts';
import { patched } from './edits.ts';
import { addTotal, columnsOf, entriesOf, numberNames, type RawCell, rowsOfPart, valueNames } from './table-edits.ts';

/** The rows that sums can be in, beside the footer. */
export type SumPart = 'groupFooter' | 'carryFooter' | 'carryHeader';

/** The values that entries can be grouped by: those of the entries, and those that cells show. */
export const groupNames = (table: RawLayer): readonly string[] => [
  ...new Set([...valueNames(table), ...entriesOf(table).flatMap(Object.keys)]),
];

/** Groups entries by a value, each group below a row with it; undefined removes the groups with all that is theirs. */
export function groupBy(table: RawLayer, name: string | undefined): RawLayer {
  if (name === undefined) {
    const none = {
      groupHeader: undefined,
      groupFooter: undefined,
      repeatGroupHeader: undefined,
      groupBreak: undefined,
    };
    return patched(table, { ...none, groupBy: undefined });
  }
  const all = columnsOf(table).length;
  const own: RawCell = { name, fontWeight: 700, ...(all > 1 && { columnSpan: all }) };
  const before = rowsOfPart(table, 'groupHeader').flat();
  const isOwn = before.length === 0 || (before.length === 1 && before[0]?.name === table.groupBy);
  return patched(table, { groupBy: name, ...(isOwn && { groupHeader: [own] }) });
}

export const hasSums = (table: RawLayer, part: SumPart): boolean => rowsOfPart(table, part).length > 0;

/** Whether the table has a value that can be added up. */
export const hasNumbers = (table: RawLayer): boolean => sumRow(table, '') !== null;

/** Adds a row with the sums that the footer has, or with that of the last number; or removes it. */
export function withSums(table: RawLayer, part: SumPart, label: string | null): RawLayer {
  const row = label === null ? undefined : sumRow(table, label);
  return row === null ? table : patched(table, { [part]: row });
}

function sumRow(table: RawLayer, label: string): readonly unknown[] | null {
  const cells = rowsOfPart(table, 'footer').find((row) => row.some(({ calculate }) => calculate !== undefined));
  if (cells) {
    const labelled = cells.findIndex(({ text, calculate }) => text !== undefined && calculate === undefined);
    return cells.map((cell, i) => (i === labelled ? { ...cell, text: label } : cell));
  }
  const name = [...numberNames(table)].filter((one) => valueNames(table).includes(one)).at(-1);
  if (name === undefined) return null;
  const made = rowsOfPart(addTotal(table, name), 'footer')[0] ?? [];
  return made.map((cell) => (cell.calculate === undefined ? { ...cell, text: label } : cell));
}
