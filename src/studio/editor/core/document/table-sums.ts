// Edits what a table calculates: products and balances in its columns, totals and taxes below it, group headings,
// sub-totals below each group, and sums carried from page to page. Each is a row of cells, made from those of the table.

import type { RawLayer } from './document.ts';
import { type Patch, patched } from './edits.ts';
import {
  addTotal,
  bodyCell,
  columnsOf,
  entriesOf,
  numberNames,
  placedCells,
  plainValue,
  RATE_FORMAT,
  type RawCell,
  rowsOfPart,
  valueNames,
} from './table-edits.ts';

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
    const plain = cells.map((cell) =>
      patched(cell, cell.calculate === undefined ? {} : { name: undefined, total: undefined }),
    );
    return plain.map((cell, i) => (i === labelled ? { ...cell, text: label } : cell));
  }
  const name = [...numberNames(table)].filter((one) => valueNames(table).includes(one)).at(-1);
  if (name === undefined) return null;
  const made = rowsOfPart(addTotal(table, name), 'footer')[0] ?? [];
  return made.map((cell) => (cell.calculate === undefined ? { ...cell, text: label } : cell));
}

// What a column calculates of the values of each entry.

/** What the cell of each entry shows: a value, a product of two, or a balance that runs from row to row. */
export type Calculated = 'multiply' | 'running';

/** The values that a column can calculate with: those that are numbers in every entry first, and not what it shows itself. */
export function termNames(table: RawLayer, column: number): readonly string[] {
  const own = bodyCell(table, column)?.cell.name;
  const names = groupNames(table).filter((name) => name !== own);
  return [...names.filter((name) => isNumber(table, name)), ...names.filter((name) => !isNumber(table, name))];
}

const isNumber = (table: RawLayer, name: string, most = Infinity): boolean =>
  entriesOf(table).length > 0 &&
  entriesOf(table).every((entry) => {
    const text = String(plainValue(entry[name]) ?? '').trim();
    return text !== '' && Math.abs(Number(text)) < most;
  });

/** The value that a tax most likely depends on: one that is below 1 in every entry. */
export const rateName = (table: RawLayer): string =>
  groupNames(table).find((name) => isNumber(table, name, 1)) ?? groupNames(table).at(-1) ?? '';

/** The patch that makes a cell calculate, with the first values that there are. @param name what it is called, so that totals can add it up */
export function calculated(table: RawLayer, column: number, word: Calculated, name: string): Patch {
  const [first = 'quantity', second = 'price'] = termNames(table, column);
  const calculate = word === 'multiply' ? { multiply: [first, second], round: 2 } : { running: first };
  return { counter: undefined, text: undefined, name, calculate };
}

// The rows below a table: totals, taxes by rate, and the sum of both.

/** `total`: the sum of a value; `tax`: a row for each rate; `all`: the sum of what the rows before it calculate. */
export type FooterKind = 'total' | 'tax' | 'all';

/** A row of the footer. */
export interface FooterRow {
  /** Among the rows of the footer as it is; null = it is new. */
  readonly at: number | null;
  readonly label: string;
  /** null = a row that was written otherwise, which stays as it is. */
  readonly kind: FooterKind | null;
  /** The value that it adds up, and the rate that it takes of it. */
  readonly of: string;
  readonly rate: string;
  /** The total of an e-invoice that must be the same; '' = none. */
  readonly total: string;
}

interface WrittenRow {
  readonly by?: unknown;
  readonly cells: readonly RawCell[];
}

/** The rows of a footer as they are written, each with its cells and whatever else it has. */
function writtenRows(table: RawLayer): readonly WrittenRow[] {
  const given = (table.footer ?? []) as readonly unknown[];
  return rowsOfPart(table, 'footer').map((cells, i) => {
    const row = given[i];
    return typeof row === 'object' && row !== null && 'cells' in row ? { ...row, cells } : { cells };
  });
}

const isSum = ({ calculate }: RawCell): boolean => calculate !== undefined;
const isLabel = (cell: RawCell): boolean => !isSum(cell) && (cell.text !== undefined || cell.spans !== undefined);
const spansOfCell = ({ spans }: RawCell): readonly RawCell[] => (Array.isArray(spans) ? (spans as RawCell[]) : []);

/** The rows of the footer, top to bottom. */
export function footerRows(table: RawLayer): readonly FooterRow[] {
  return writtenRows(table).map(({ by, cells }, at) => {
    const [sum, ...others] = cells.filter(isSum);
    const { sum: of, times } = Object(sum?.calculate) as { readonly sum?: unknown; readonly times?: unknown };
    const label = cells.find(isLabel);
    const text = String(label?.text ?? (label && spansOfCell(label)[0]?.text) ?? '').trim();
    const row = { at, label: text, of: String(of ?? ''), rate: String(by ?? ''), total: String(sum?.total ?? '') };
    const isTax = typeof by === 'string' && times === by && typeof of === 'string';
    const kind = Array.isArray(of) ? 'all' : isTax ? 'tax' : typeof of === 'string' && !by && !times ? 'total' : null;
    return { ...row, kind: others.length > 0 ? null : kind };
  });
}

/**
 * Writes the rows of the footer. What a row has beside these properties stays, unless it adds up another value, which may
 * be of another column. The sum of all takes each row before it by the name of its cell.
 */
export function withFooter(table: RawLayer, rows: readonly FooterRow[]): RawLayer {
  const [before, written] = [footerRows(table), writtenRows(table)];
  const names = new Set(written.flatMap(({ cells }) => cells.filter(isSum).flatMap(({ name }) => name ?? [])));
  const sums: string[] = [];
  const next = rows.map((row): WrittenRow => {
    const own = row.at === null || before[row.at]?.of !== row.of ? undefined : written[row.at];
    if (row.kind === null) return own ?? { cells: [] };
    const base = own ?? { cells: newCells(table, row) };
    const label = base.cells.find(isLabel);
    const cells = base.cells.map((cell) => {
      if (cell === label) return labelled(cell, row);
      if (!isSum(cell)) return cell;
      const name = cell.name ?? freshName(names, row.kind === 'tax' ? 'tax' : row.kind === 'all' ? 'total' : 'net');
      const calculate =
        row.kind === 'all'
          ? { ...Object(cell.calculate), sum: sums.length === 0 ? [row.of] : [...sums] }
          : { ...Object(cell.calculate), sum: row.of, ...(row.kind === 'tax' && { times: row.rate }) };
      sums.push(name);
      return patched(cell, { name, calculate, total: row.total || undefined });
    });
    return patched({ ...base, cells }, { by: row.kind === 'tax' ? row.rate : undefined });
  });
  const footer = next.map((row) => (Object.keys(row).length === 1 ? row.cells : row));
  return patched(table, { footer: footer.length === 0 ? undefined : footer });
}

function freshName(taken: Set<string>, wanted: string): string {
  let name = wanted;
  for (let i = 2; taken.has(name); i += 1) name = `${wanted}-${i}`;
  taken.add(name);
  return name;
}

/** A label before what is calculated; that of a tax says its rate. */
function labelled(cell: RawCell, { kind, label, rate }: FooterRow): RawCell {
  if (kind !== 'tax') return patched(cell, { text: label });
  const [, shown = { format: RATE_FORMAT }] = spansOfCell(cell);
  return patched(cell, { text: undefined, spans: [{ text: `${label} ` }, { ...shown, name: rate }] });
}

/** The cells of a new row: its sum is below the value that it adds up, or below the sums before it. */
function newCells(table: RawLayer, { kind, of }: FooterRow): readonly RawCell[] {
  const shown = placedCells(rowsOfPart(table, 'row')).find(({ cell }) => cell.name === of);
  const last = placedCells(rowsOfPart(table, 'footer')).findLast(({ cell }) => isSum(cell));
  const { column = columnsOf(table).length - 1, cell } = (kind === 'all' ? (last ?? shown) : shown) ?? {};
  const calculate = kind === 'tax' ? { sum: of, round: 2 } : { sum: of };
  const sum = patched<RawCell>({ calculate }, { format: cell?.format });
  if (column === 0) return [sum];
  return [column > 1 ? { text: '', columnSpan: column } : { text: '' }, sum];
}
