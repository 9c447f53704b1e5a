// Changes of a table's columns, cells and entries. A column is one thing to its author: its width, its header, the cell
// of each row and its footer change together.

import { namesInCalculation, withNames } from '#core/template/calculation.ts';
import { type CellArea, placeCells } from '#core/template/table-layer.ts';
import { texts } from '../../../texts/editor.ts';
import type { RawLayer } from './document.ts';
import { type Patch, patched } from './edits.ts';
import { plainNumbers, withPlainNumbers } from './read-numbers.ts';

export interface RawCell {
  readonly name?: string;
  readonly text?: string;
  readonly columnSpan?: number;
  readonly rowSpan?: number;
  readonly [property: string]: unknown;
}
export type RawColumn = number | string | Readonly<Record<string, unknown>>;
export type RawEntry = Readonly<Record<string, unknown>>;

/** The rows of cells of a table that the canvas edits. */
export type Part = 'header' | 'row' | 'footer';
/** All of them: a column goes through each. */
const ALL_PARTS = ['header', 'row', 'footer', 'groupHeader', 'groupFooter', 'carryHeader', 'carryFooter'] as const;
type AnyPart = (typeof ALL_PARTS)[number];

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
export function rowsOfPart(table: RawLayer, part: AnyPart): readonly (readonly RawCell[])[] {
  const given = list(table[part]);
  if (isListOfRows(given)) return given.map((row) => cellsIn(row).map(asCell));
  return given.length === 0 ? [] : [given.map(asCell)];
}

function withRows(table: RawLayer, part: AnyPart, rows: readonly (readonly RawCell[])[]): Patch {
  const given = list(table[part]);
  const written = rows.map((row) => row.map(asWritten));
  if (!isListOfRows(given)) return { [part]: written[0] ?? [] };
  const inPlace = written.map((cells, i) => {
    const before = given[i];
    return Array.isArray(before) || before === undefined ? cells : { ...(before as object), cells };
  });
  return { [part]: inPlace };
}

/** Changes the rows of every part that the table has. */
function withParts(
  table: RawLayer,
  change: (rows: readonly (readonly RawCell[])[], part: AnyPart) => readonly (readonly RawCell[])[],
): RawLayer {
  const patches = ALL_PARTS.flatMap((part) => {
    const rows = rowsOfPart(table, part);
    return rows.length === 0 ? [] : [withRows(table, part, change(rows, part))];
  });
  return patched(table, Object.assign({}, ...patches));
}

const withCells = (table: RawLayer, change: (cell: RawCell, part: AnyPart) => RawCell): RawLayer =>
  withParts(table, (rows, part) => rows.map((row) => row.map((cell) => change(cell, part))));

/** A cell with the columns and lines that it covers. */
export interface PlacedCell extends CellArea {
  readonly cell: RawCell;
  /** Among the cells of its line. */
  readonly index: number;
}

export const placedCells = (rows: readonly (readonly RawCell[])[]): readonly PlacedCell[] =>
  placeCells(rows).flatMap((areas, line) =>
    areas.map((area, index) => ({ ...area, index, cell: rows[line]?.[index] as RawCell })),
  );

const isAt = ({ column, span, line, lineSpan }: CellArea, atLine: number, atColumn: number): boolean =>
  column <= atColumn && atColumn < column + span && line <= atLine && atLine < line + lineSpan;

/** The rows of cells that have got other places. Where a cell would slip to the left, an empty one is put before it. */
function rowsOfPlaced(placed: readonly Omit<PlacedCell, 'index'>[], lines: number): readonly (readonly RawCell[])[] {
  return Array.from({ length: lines }, (_, line) => {
    const own = placed.filter((one) => one.line === line).sort((a, b) => a.column - b.column);
    let next = 0;
    return own.flatMap(({ cell, column, span }) => {
      const gaps: RawCell[] = [];
      for (; next < column; next += 1) if (!placed.some((one) => isAt(one, line, next))) gaps.push({});
      next = column + span;
      return [...gaps, span === spanOf(cell) ? cell : patched(cell, { columnSpan: span === 1 ? undefined : span })];
    });
  });
}

/** The cell of the lines of a part that covers a column alone, from the last line or from the first; null = none does. */
function cellOfColumn(table: RawLayer, part: Part, column: number): PlacedCell | null {
  const own = placedCells(rowsOfPart(table, part)).filter((cell) => cell.column === column && cell.span === 1);
  return own.at(part === 'header' ? -1 : 0) ?? null;
}

/** The last cell of the header that is of this column alone. */
export const titleOf = (table: RawLayer, column: number): PlacedCell | null => cellOfColumn(table, 'header', column);

/** The cell of each entry that shows the value of a column. */
export const bodyCell = (table: RawLayer, column: number): PlacedCell | null =>
  cellOfColumn(table, 'row', column) ??
  placedCells(rowsOfPart(table, 'row')).find((cell) => isAt(cell, cell.line, column)) ??
  null;

/** The names of values that the cells of a row show. */
export const valueNames = (table: RawLayer): readonly string[] =>
  rowsOfPart(table, 'row').flatMap((cells) => cells.flatMap(({ name }) => name ?? []));

/** The names of values that are read as numbers: those that are formatted as such, and those that are calculated with. */
export function numberNames(table: RawLayer): ReadonlySet<string> {
  const cells = ALL_PARTS.flatMap((part) => rowsOfPart(table, part).flat());
  return new Set(
    cells.flatMap(({ name, format, calculate }) => {
      const { type } = Object(format) as { readonly type?: unknown };
      const isNumber = format !== undefined && !['date', 'list'].includes(String(type ?? format));
      return [
        ...((isNumber || calculate !== undefined) && name !== undefined ? [name] : []),
        ...namesInCalculation(calculate),
      ];
    }),
  );
}

function freshName(table: RawLayer, wanted: string): string {
  const taken = new Set(valueNames(table));
  if (!taken.has(wanted)) return wanted;
  for (let i = 2; ; i += 1) if (!taken.has(`${wanted} ${i}`)) return `${wanted} ${i}`;
}

/** Inserts a column before the one at `at`; cells that span its place get wider. */
export function addColumn(table: RawLayer, at: number, title = texts.value.document.column): RawLayer {
  const name = freshName(table, title.toLowerCase());
  const widened = withParts(table, (rows, part) => {
    const placed = placedCells(rows);
    const moved = placed.map((one) =>
      one.column >= at
        ? { ...one, column: one.column + 1 }
        : one.column + one.span > at
          ? { ...one, span: one.span + 1 }
          : one,
    );
    // A line that is shorter than the table stays so.
    const free = rows.flatMap((_, line) => {
      const end = Math.max(0, ...placed.filter((one) => covers(one, line)).map(({ column, span }) => column + span));
      return end < at || moved.some((one) => isAt(one, line, at)) ? [] : [line];
    });
    // One line has the title, and one the value.
    const own = part === 'header' ? free.at(-1) : part === 'row' ? free[0] : undefined;
    const content: RawCell = part === 'row' ? { name } : { text: title };
    const added = free.map((line) => ({
      ...{ column: at, span: 1, line, lineSpan: 1 },
      cell: line === own ? content : {},
    }));
    return rowsOfPlaced([...moved, ...added], rows.length);
  });
  return patched(widened, { columns: columnsOf(table).toSpliced(at, 0, 'hug') });
}

const covers = ({ line, lineSpan }: CellArea, at: number): boolean => line <= at && at < line + lineSpan;

/** Removes a column; the last one stays, since a table has at least one. Cells that span it get narrower. */
export function removeColumn(table: RawLayer, at: number): RawLayer {
  const columns = columnsOf(table);
  if (columns.length <= 1) return table;
  const narrowed = withParts(table, (rows) => {
    const left = placedCells(rows).flatMap((one) => {
      if (one.column > at) return [{ ...one, column: one.column - 1 }];
      if (one.column + one.span <= at) return [one];
      return one.span === 1 ? [] : [{ ...one, span: one.span - 1 }];
    });
    return rowsOfPlaced(left, rows.length);
  });
  return patched(narrowed, { columns: columns.toSpliced(at, 1) });
}

/** Exchanges a column with the next one. Cells of lines in which a cell spans one of them stay where they are. */
export function swapColumns(table: RawLayer, at: number): RawLayer {
  const columns = columnsOf(table);
  const [left, right] = [columns[at], columns[at + 1]];
  if (left === undefined || right === undefined) return table;
  const swapped = withParts(table, (rows) => {
    const placed = placedCells(rows);
    const affected = placed.filter(({ column, span }) => column < at + 2 && column + span > at);
    const fixed = new Set(affected.filter(({ span }) => span > 1));
    // A cell that covers a line with a fixed one is fixed too, and so are those beside it on its other lines.
    for (let before = -1; before < fixed.size; ) {
      before = fixed.size;
      for (const one of affected) if ([...fixed].some((other) => shareLine(one, other))) fixed.add(one);
    }
    const moved = placed.map((one) =>
      affected.includes(one) && !fixed.has(one) ? { ...one, column: one.column === at ? at + 1 : at } : one,
    );
    return rowsOfPlaced(moved, rows.length);
  });
  return patched(swapped, { columns: columns.with(at, right).with(at + 1, left) });
}

const shareLine = (a: CellArea, b: CellArea): boolean => a.line < b.line + b.lineSpan && b.line < a.line + a.lineSpan;

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
function setCell(table: RawLayer, part: Part, row: number, cell: number, patch: Patch): RawLayer {
  const rows = rowsOfPart(table, part);
  const before = rows[row]?.[cell];
  if (!before) return table;
  const next = rows.with(row, (rows[row] ?? []).with(cell, patched(before, patch)));
  return patched(table, withRows(table, part, next));
}

/** Sets properties of the cell of each entry that shows the value of a column. */
export function setBodyCell(table: RawLayer, column: number, patch: Patch): RawLayer {
  const found = bodyCell(table, column);
  return found ? setCell(table, 'row', found.line, found.index, patch) : table;
}

/** How a rate is written: 19 % and 8.1 %. */
export const RATE_FORMAT = { type: 'percent', maximumFractionDigits: 2 };

/** Sets the format of the value of a column, and of what is calculated from it. */
export function setFormat(table: RawLayer, column: number, format: unknown): RawLayer {
  const name = bodyCell(table, column)?.cell.name;
  const isOfValue = ({ calculate }: RawCell) => {
    const [first, ...others] = namesInCalculation(calculate);
    return first !== undefined && first === name && others.length === 0;
  };
  return withCells(setBodyCell(table, column, { format }), (cell) =>
    isOfValue(cell) ? patched(cell, { format }) : cell,
  );
}

/** Sets the title of a column; a table without a header gets one. */
export function setTitle(table: RawLayer, column: number, text: string): RawLayer {
  const title = titleOf(table, column);
  if (title) return setCell(table, 'header', title.line, title.index, { text });
  const titles = columnsOf(table).map((_, i) => (i === column ? text : ''));
  return patched(table, { header: rowsOfPart(table, 'header').length === 0 ? titles : table.header });
}

/** Renames the value of a column: in the entries, groups and sums as well. */
export function renameValue(table: RawLayer, column: number, to: string): RawLayer {
  const from = bodyCell(table, column)?.cell.name;
  const renamed = setBodyCell(table, column, { name: to });
  if (from === undefined || valueNames(renamed).includes(from)) return renamed;
  const nameOf = <Name>(name: Name): Name | string => (name === from ? to : name);
  const inCells = withCells(renamed, (cell, part) => {
    const { calculate } = cell;
    return patched(cell, {
      // Those of header and footer are of `values`.
      ...(part.startsWith('group') && { name: nameOf(cell.name) }),
      ...(calculate !== undefined && { calculate: withNames(calculate, nameOf) }),
    });
  });
  const withBy = (row: unknown): unknown => {
    const { by } = Object(row) as { readonly by?: unknown };
    return by === undefined ? row : { ...(row as object), by: Array.isArray(by) ? by.map(nameOf) : nameOf(by) };
  };
  const inRows = ALL_PARTS.filter((part) => inCells[part] !== undefined);
  const rows = entriesOf(table).map((entry) =>
    Object.fromEntries(Object.entries(entry).map(([name, value]) => [nameOf(name), value])),
  );
  return patched(inCells, {
    ...Object.fromEntries(inRows.map((part) => [part, list(inCells[part]).map(withBy)])),
    groupBy: nameOf(table.groupBy),
    ...(rows.length > 0 && { rows }),
  });
}

/** Gives a table a footer that adds up a value below its column. */
export function addTotal(table: RawLayer, name: string): RawLayer {
  const shown = placedCells(rowsOfPart(table, 'row')).find(({ cell }) => cell.name === name);
  const [before, format] = [shown?.column ?? 0, shown?.cell.format];
  const sum = { calculate: { sum: name }, ...(format !== undefined && { format }) };
  const label = before === 1 ? texts.value.common.total : { text: texts.value.common.total, columnSpan: before };
  return patched(table, { footer: before === 0 ? [sum] : [label, sum] });
}

/** Sets a value of an entry. */
function setEntry(table: RawLayer, row: number, name: string, text: string): RawLayer {
  const entries = entriesOf(table);
  return patched(table, { rows: entries.with(row, entryWith(entries[row] ?? {}, name, text)) });
}

/** With another text as a value, which keeps its styles; a number stays one. */
export function entryWith(values: RawEntry, name: string, text: string): RawEntry {
  const before = values[name];
  const isNumber = typeof plainValue(before) === 'number' && text.trim() !== '' && Number.isFinite(Number(text));
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
  if (names.some((name) => shown.has(name)))
    return patched(table, { rows: withPlainNumbers(rows, numberNames(table)) });
  const plain = new Map(names.map((name) => [name, plainNumbers(rows.map((row) => String(row[name] ?? '')))]));
  const isNumber = (name: string) =>
    plain.get(name) || rows.every((row) => row[name] === '' || Number.isFinite(Number(row[name])));
  // A format writes what was read otherwise with the comma of the document's language.
  const cellOf = (name: string) => {
    const decimals = Math.max(0, ...(plain.get(name) ?? []).map((value) => value.split('.')[1]?.length ?? 0));
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    return plain.get(name) ? { name, format: { type: 'number', ...digits } } : { name };
  };
  const longest = (name: string) => Math.max(0, ...rows.map((row) => String(row[name] ?? '').length));
  // The longest words have what is left.
  const [widest = names[0]] = names.filter((name) => !isNumber(name)).toSorted((a, b) => longest(b) - longest(a));
  const widthFor = (name: string) =>
    isNumber(name) ? { width: name === widest ? 'fill' : 'hug', align: 'end' } : name === widest ? 'fill' : 'hug';
  return patched(table, {
    rows: withPlainNumbers(rows, names),
    columns: names.map(widthFor),
    header: names.map((name) => name.charAt(0).toUpperCase() + name.slice(1)),
    row: names.map(cellOf),
    footer: undefined,
  });
}

/** The text that can be edited in a cell; null = it shows something that is computed. */
export function textAtCell(table: RawLayer, place: CellPlace): string | null {
  const shown = cellAtPlace(table, place);
  if (!shown || shown.counter !== undefined || isConditional(table, place.part)) return null;
  // A table of contents shows headings, and test data has entries that the template has not.
  if (place.entry !== null && entriesOf(table)[place.entry] === undefined) return null;
  const value = shown.name === undefined ? undefined : plainValue(valuesAt(table, place)[shown.name]);
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
export const plainValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'value' in value ? value.value : value;

/** Changes the text of a cell where it is from: the entry that it shows, the values of header and footer, or the cell. */
export function setTextAtCell(table: RawLayer, place: CellPlace, text: string): RawLayer {
  const shown = cellAtPlace(table, place);
  if (!shown) return table;
  const { part, row, cell, entry } = place;
  if (entry !== null && shown.name !== undefined) return setEntry(table, entry, shown.name, text);
  const values = valuesAt(table, place);
  if (shown.name === undefined || values[shown.name] === undefined) return setCell(table, part, row, cell, { text });
  return patched(table, { values: entryWith(values, shown.name, text) });
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
