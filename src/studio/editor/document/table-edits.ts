// Changes of a table's columns, cells and entries. A column is one thing to its author: its width, its header, the cell
// of each row and its footer change together.

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

/** A cell of a table: of one of its parts, whose rows count from 0; `body` is the entry that a row shows. */
export interface CellPlace {
  readonly part: 'header' | 'body' | 'footer';
  readonly row: number;
  /** Among the cells of its row. */
  readonly cell: number;
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

/** The rows of a part; that of the body is one, which all entries are shown with. */
export function rowsOfPart(table: RawLayer, part: Part): readonly (readonly RawCell[])[] {
  const given = list(table[part]);
  if (part !== 'row' && Array.isArray(given[0])) return given.map((row) => list(row).map(asCell));
  return given.length === 0 ? [] : [given.map(asCell)];
}

function withRows(table: RawLayer, part: Part, rows: readonly (readonly RawCell[])[]): Patch {
  const written = rows.map((row) => row.map(asWritten));
  const isFlat = part === 'row' || (written.length <= 1 && !Array.isArray(list(table[part])[0]));
  return { [part]: isFlat ? (written[0] ?? []) : written };
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
  (rowsOfPart(table, 'row')[0] ?? []).flatMap(({ name }) => name ?? []);

function freshName(table: RawLayer, wanted: string): string {
  const taken = new Set(valueNames(table));
  if (!taken.has(wanted)) return wanted;
  for (let i = 2; ; i += 1) if (!taken.has(`${wanted} ${i}`)) return `${wanted} ${i}`;
}

/** Inserts a column before the one at `at`. */
export function addColumn(table: RawLayer, at: number, title = 'Column'): RawLayer {
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

/** Sets a value of an entry; a number stays one. */
export function setEntry(table: RawLayer, row: number, name: string, text: string): RawLayer {
  const entries = entriesOf(table);
  const isNumber = typeof entries[row]?.[name] === 'number' && text.trim() !== '' && Number.isFinite(Number(text));
  return patched(table, { rows: entries.with(row, { ...entries[row], [name]: isNumber ? Number(text) : text }) });
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
export function textAtCell(table: RawLayer, { part, row, cell }: CellPlace): string | null {
  const shown = rowsOfPart(table, part === 'body' ? 'row' : part)[part === 'body' ? 0 : row]?.[cell];
  if (!shown || shown.counter !== undefined) return null;
  const value = shown.name === undefined ? undefined : valuesAt(table, part, row)[shown.name];
  if (value !== undefined && value !== null) return String(value);
  return shown.calculate === undefined ? (shown.text ?? '') : null;
}

const valuesAt = (table: RawLayer, part: CellPlace['part'], row: number): RawEntry =>
  (part === 'body' ? entriesOf(table)[row] : (table.values as RawEntry | undefined)) ?? {};

/** Changes the text of a cell where it is from: the entry of its row, the values of header and footer, or the cell. */
export function setTextAtCell(table: RawLayer, { part, row, cell }: CellPlace, text: string): RawLayer {
  const shown = rowsOfPart(table, part === 'body' ? 'row' : part)[part === 'body' ? 0 : row]?.[cell];
  if (!shown) return table;
  if (part === 'body') {
    return shown.name === undefined ? setCell(table, 'row', 0, cell, { text }) : setEntry(table, row, shown.name, text);
  }
  const values = valuesAt(table, part, row);
  if (shown.name === undefined || values[shown.name] === undefined) return setCell(table, part, row, cell, { text });
  return patched(table, { values: { ...values, [shown.name]: text } });
}

/** Every cell whose text can be edited, in reading order. */
export function editableCells(table: RawLayer): readonly CellPlace[] {
  const header = rowsOfPart(table, 'header').flatMap((cells, row) => places('header', row, cells));
  const [cells = []] = rowsOfPart(table, 'row');
  const body = entriesOf(table).flatMap((_, row) => places('body', row, cells));
  const footer = rowsOfPart(table, 'footer').flatMap((row, at) => places('footer', at, row));
  return [...header, ...body, ...footer].filter((place) => textAtCell(table, place) !== null);
}

const places = (part: CellPlace['part'], row: number, cells: readonly RawCell[]): readonly CellPlace[] =>
  cells.map((_, cell) => ({ part, row, cell }));
