// Changes of a table's columns, cells and entries. A column is one thing to its author: its width, its header, the cell
// of each row and its footer change together.

import { texts } from '../../texts/editor.ts';
import type { RawLayer } from './document.ts';
import { type Patch, patched } from './edits.ts';

export interface RawCell {
  readonly name?: string;
  readonly text?: string;
  readonly columnSpan?: number;
  readonly [property: string]: unknown;
}
export type RawColumn = number | string | Readonly<Record<string, unknown>>;
export type RawEntry = Readonly<Record<string, unknown>>;

/** The rows of cells of a table. */
export type Part = 'header' | 'row' | 'footer';

/** A cell of a table on the canvas. */
export interface CellPlace {
  readonly part: Part;
  /** Among the rows of its part. */
  readonly row: number;
  /** Among the cells of its row. */
  readonly cell: number;
  /** The entry that it shows; null in header and footer. */
  readonly entry: number | null;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const columnsOf = (table: RawLayer): readonly RawColumn[] => list(table.columns) as readonly RawColumn[];
export const entriesOf = (table: RawLayer): readonly RawEntry[] => list(table.rows) as readonly RawEntry[];

const asCell = (cell: unknown): RawCell => (typeof cell === 'string' ? { text: cell } : (cell as RawCell));
/** A cell that has nothing but a text is written as one. */
const asWritten = (cell: RawCell): unknown => {
  const keys = Object.keys(cell);
  return keys.length === 1 && cell.text !== undefined ? cell.text : keys.length === 0 ? '' : cell;
};
const spanOf = ({ columnSpan }: RawCell): number => columnSpan ?? 1;

/** A row as it is written: its cells, or an object with them. */
const cellsIn = (row: unknown): readonly unknown[] => (Array.isArray(row) ? row : list((row as RawCell).cells));

/** Whether a part is written as a list of rows rather than as the cells of one. */
const isListOfRows = (given: readonly unknown[]): boolean =>
  given.length > 0 &&
  given.every((row) => Array.isArray(row) || (typeof row === 'object' && row !== null && 'cells' in row));

/** The rows of a part; those of the body are what each entry is shown with. */
export function rowsOfPart(table: RawLayer, part: Part): readonly (readonly RawCell[])[] {
  const given = list(table[part]);
  if (isListOfRows(given)) return given.map((row) => cellsIn(row).map(asCell));
  return given.length === 0 ? [] : [given.map(asCell)];
}

function withRows(table: RawLayer, part: Part, rows: readonly (readonly RawCell[])[]): Patch {
  const given = list(table[part]);
  const written = rows.map((row) => row.map(asWritten));
  if (!isListOfRows(given)) return { [part]: written[0] ?? [] };
  const inPlace = written.map((cells, i) => {
    const before = given[i];
    return Array.isArray(before) || before === undefined ? cells : { ...(before as object), cells };
  });
  return { [part]: inPlace };
}

/** Changes the rows of all three parts alike. */
function withParts(table: RawLayer, change: (row: readonly RawCell[], part: Part) => readonly RawCell[]): RawLayer {
  const patches = (['header', 'row', 'footer'] as const).map((part) =>
    withRows(
      table,
      part,
      rowsOfPart(table, part).map((row) => change(row, part)),
    ),
  );
  return patched(table, Object.assign({}, ...patches));
}

/** The cell of a row that covers a column, and the column at which it starts; null = the row ends before. */
export function cellAtColumn(
  row: readonly RawCell[],
  column: number,
): { readonly index: number; readonly cell: RawCell; readonly start: number } | null {
  let start = 0;
  for (const [index, cell] of row.entries()) {
    if (column < start + spanOf(cell)) return { index, cell, start };
    start += spanOf(cell);
  }
  return null;
}

/** The last row of the header whose cell is of this column alone: its title. */
export function titleOf(table: RawLayer, column: number): { readonly row: number; readonly cell: RawCell } | null {
  const rows = rowsOfPart(table, 'header');
  for (let row = rows.length - 1; row >= 0; row -= 1) {
    const found = cellAtColumn(rows[row] ?? [], column);
    if (found && spanOf(found.cell) === 1) return { row, cell: found.cell };
  }
  return null;
}

/** The names of values that the cells of a row show. */
export const valueNames = (table: RawLayer): readonly string[] =>
  rowsOfPart(table, 'row').flatMap((cells) => cells.flatMap(({ name }) => name ?? []));

function freshName(table: RawLayer, wanted: string): string {
  const taken = new Set(valueNames(table));
  if (!taken.has(wanted)) return wanted;
  for (let i = 2; ; i += 1) if (!taken.has(`${wanted} ${i}`)) return `${wanted} ${i}`;
}

/** Inserts a column before the one at `at`. */
export function addColumn(table: RawLayer, at: number, title = texts.value.document.column): RawLayer {
  const name = freshName(table, title.toLowerCase());
  const withCells = withParts(table, (row, part) => {
    const found = cellAtColumn(row, at);
    if (found && found.start < at) {
      const cell = { ...found.cell, columnSpan: spanOf(found.cell) + 1 };
      return row.with(found.index, cell);
    }
    // A row that is shorter than the table stays so.
    if (!found && row.reduce((sum, cell) => sum + spanOf(cell), 0) < at) return row;
    const cell: RawCell = part === 'row' ? { name } : part === 'header' ? { text: title } : { text: '' };
    return row.toSpliced(found?.index ?? row.length, 0, cell);
  });
  return patched(withCells, { columns: columnsOf(table).toSpliced(at, 0, 'hug') });
}

/** Removes a column; the last one stays, since a table has at least one. */
export function removeColumn(table: RawLayer, at: number): RawLayer {
  const columns = columnsOf(table);
  if (columns.length <= 1) return table;
  const withCells = withParts(table, (row) => {
    const found = cellAtColumn(row, at);
    if (!found) return row;
    const span = spanOf(found.cell) - 1;
    if (span === 0) return row.toSpliced(found.index, 1);
    const { columnSpan: _, ...cell } = found.cell;
    return row.with(found.index, span === 1 ? cell : { ...cell, columnSpan: span });
  });
  return patched(withCells, { columns: columns.toSpliced(at, 1) });
}

/** Exchanges a column with the next one. Cells that span one of them stay where they are. */
export function swapColumns(table: RawLayer, at: number): RawLayer {
  const columns = columnsOf(table);
  const [left, right] = [columns[at], columns[at + 1]];
  if (left === undefined || right === undefined) return table;
  const withCells = withParts(table, (row) => {
    const [a, b] = [cellAtColumn(row, at), cellAtColumn(row, at + 1)];
    if (!a || !b || spanOf(a.cell) !== 1 || spanOf(b.cell) !== 1) return row;
    return row.with(a.index, b.cell).with(b.index, a.cell);
  });
  return patched(withCells, { columns: columns.with(at, right).with(at + 1, left) });
}

/** Sets properties of a column, its width among them. A column with nothing but a width is written as that. */
export function setColumn(table: RawLayer, at: number, patch: Patch): RawLayer {
  const columns = columnsOf(table);
  const column = columns[at];
  if (column === undefined) return table;
  const next = patched(typeof column === 'object' ? column : { width: column }, patch);
  const isPlain = Object.keys(next).join() === 'width';
  return patched(table, { columns: columns.with(at, isPlain ? (next.width as RawColumn) : next) });
}

export const widthOf = (column: RawColumn): number | string =>
  typeof column === 'object' ? ((column.width as number | string | undefined) ?? 'hug') : column;

/** Sets properties of the cell of a part; undefined removes one. */
export function setCell(table: RawLayer, part: Part, row: number, cell: number, patch: Patch): RawLayer {
  const rows = rowsOfPart(table, part);
  const before = rows[row]?.[cell];
  if (!before) return table;
  const next = rows.with(row, (rows[row] ?? []).with(cell, patched(before, patch)));
  return patched(table, withRows(table, part, next));
}

/** Sets the format of the value that a cell of each row shows, and of what is calculated from it. */
export function setFormat(table: RawLayer, cell: number, format: unknown): RawLayer {
  const name = rowsOfPart(table, 'row')[0]?.[cell]?.name;
  const isOfValue = ({ calculate }: RawCell) =>
    typeof calculate === 'object' && calculate !== null && Object.values(calculate).includes(name);
  return withParts(setCell(table, 'row', 0, cell, { format }), (row, part) =>
    part === 'row' ? row : row.map((one) => (isOfValue(one) ? patched(one, { format }) : one)),
  );
}

/** Sets the title of a column; a table without a header gets one. */
export function setTitle(table: RawLayer, column: number, text: string): RawLayer {
  const title = titleOf(table, column);
  if (title) {
    const found = cellAtColumn(rowsOfPart(table, 'header')[title.row] ?? [], column);
    return found ? setCell(table, 'header', title.row, found.index, { text }) : table;
  }
  const titles = columnsOf(table).map((_, i) => (i === column ? text : ''));
  return patched(table, { header: rowsOfPart(table, 'header').length === 0 ? titles : table.header });
}

/** Renames the value that a cell of each row shows: in the entries and in the sums as well. */
export function renameValue(table: RawLayer, cell: number, to: string): RawLayer {
  const from = rowsOfPart(table, 'row')[0]?.[cell]?.name;
  const renamed = setCell(table, 'row', 0, cell, { name: to });
  if (from === undefined || valueNames(renamed).includes(from)) return renamed;
  const rows = entriesOf(table).map((entry) =>
    Object.fromEntries(Object.entries(entry).map(([name, value]) => [name === from ? to : name, value])),
  );
  const inSums = withParts(renamed, (row) =>
    row.map((one) => {
      const { calculate } = one as { readonly calculate?: unknown };
      if (typeof calculate !== 'object' || calculate === null) return one;
      const of = Object.entries(calculate).map(([kind, name]) => [kind, name === from ? to : name]);
      return { ...one, calculate: Object.fromEntries(of) };
    }),
  );
  return rows.length === 0 ? inSums : patched(inSums, { rows });
}

/** Gives a table a footer that adds up a value below its column. */
export function addTotal(table: RawLayer, name: string): RawLayer {
  const [row = []] = rowsOfPart(table, 'row');
  const index = row.findIndex((cell) => cell.name === name);
  const before = row.slice(0, index).reduce((sum, cell) => sum + (cell.columnSpan ?? 1), 0);
  const format = row[index]?.format;
  const sum = { calculate: { sum: name }, ...(format !== undefined && { format }) };
  const label = before === 1 ? texts.value.common.total : { text: texts.value.common.total, columnSpan: before };
  return patched(table, { footer: before === 0 ? [sum] : [label, sum] });
}

/** Sets a value of an entry. */
export function setEntry(table: RawLayer, row: number, name: string, text: string): RawLayer {
  const entries = entriesOf(table);
  return patched(table, { rows: entries.with(row, withValue(entries[row] ?? {}, name, text)) });
}

/** With another text as a value, which keeps its styles; a number stays one. */
function withValue(values: RawEntry, name: string, text: string): RawEntry {
  const before = values[name];
  const isNumber = typeof plain(before) === 'number' && text.trim() !== '' && Number.isFinite(Number(text));
  const value = isNumber ? Number(text) : text;
  return { ...values, [name]: typeof before === 'object' && before !== null ? { ...before, value } : value };
}

/** Adds an empty entry at the end. */
export const addEntry = (table: RawLayer): RawLayer => patched(table, { rows: [...entriesOf(table), {}] });

/**
 * Shows other entries. Where none of their names is shown yet, the columns become theirs.
 *
 * @param names those of the entries, in their order
 */
export function setEntries(table: RawLayer, names: readonly string[], rows: readonly RawEntry[]): RawLayer {
  const shown = new Set(valueNames(table));
  if (names.some((name) => shown.has(name))) return patched(table, { rows });
  const isNumber = (name: string) => rows.every((row) => row[name] === '' || Number.isFinite(Number(row[name])));
  return patched(table, {
    rows,
    columns: names.map((name, i) => (i === 0 ? 'fill' : isNumber(name) ? { width: 'hug', align: 'end' } : 'hug')),
    header: names.map((name) => name.charAt(0).toUpperCase() + name.slice(1)),
    row: names.map((name) => ({ name })),
    footer: undefined,
  });
}

/** The text that can be edited in a cell; null = it shows something that is computed. */
export function textAtCell(table: RawLayer, place: CellPlace): string | null {
  const shown = cellAtPlace(table, place);
  if (!shown || shown.counter !== undefined || isConditional(table, place.part)) return null;
  // A table of contents shows headings, and test data has entries that the template has not.
  if (place.entry !== null && entriesOf(table)[place.entry] === undefined) return null;
  const value = shown.name === undefined ? undefined : plain(valuesAt(table, place)[shown.name]);
  if (value !== undefined && value !== null) return String(value);
  return shown.calculate === undefined ? (shown.text ?? '') : null;
}

/** Whether some rows of a part are left out by conditions: then a row on the canvas does not tell which it is. */
const isConditional = (table: RawLayer, part: Part): boolean =>
  list(table[part]).some((row) => {
    const { when, hideWhenEmpty } = Object(row) as { readonly when?: unknown; readonly hideWhenEmpty?: unknown };
    return (
      !Array.isArray(row) && typeof row === 'object' && row !== null && 'cells' in row && Boolean(when ?? hideWhenEmpty)
    );
  });

const cellAtPlace = (table: RawLayer, { part, row, cell }: CellPlace): RawCell | undefined =>
  rowsOfPart(table, part)[row]?.[cell];

const valuesAt = (table: RawLayer, { entry }: CellPlace): RawEntry =>
  (entry === null ? (table.values as RawEntry | undefined) : entriesOf(table)[entry]) ?? {};

/** A value without the styles that it may come with. */
const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (value as { readonly value?: unknown }).value : value;

/** Changes the text of a cell where it is from: the entry that it shows, the values of header and footer, or the cell. */
export function setTextAtCell(table: RawLayer, place: CellPlace, text: string): RawLayer {
  const shown = cellAtPlace(table, place);
  if (!shown) return table;
  const { part, row, cell, entry } = place;
  if (entry !== null && shown.name !== undefined) return setEntry(table, entry, shown.name, text);
  const values = valuesAt(table, place);
  if (shown.name === undefined || values[shown.name] === undefined) return setCell(table, part, row, cell, { text });
  return patched(table, { values: withValue(values, shown.name, text) });
}

/** Every cell whose text can be edited, in reading order. */
export function editableCells(table: RawLayer): readonly CellPlace[] {
  const places = (part: Part, entry: number | null) =>
    rowsOfPart(table, part).flatMap((cells, row) => cells.map((_, cell): CellPlace => ({ part, row, cell, entry })));
  const body = entriesOf(table).flatMap((_, entry) => places('row', entry));
  return [...places('header', null), ...body, ...places('footer', null)].filter(
    (place) => textAtCell(table, place) !== null,
  );
}
