// Makes a table fit that needs more than its width: shrinks it, or divides its columns among pages.
//
// Both are tables of other cells: rows keep their texts, and a cell is made anew once for all rows that have it.

import type { List } from '../packed-list.ts';
import { PLAIN_FRAME, PLAIN_NODE, plainFlex } from '../resolve/plain-node.ts';
import { WHOLE } from '../resolve/resolve-pages.ts';
import type {
  CarriedRow,
  CharacterStyle,
  ColumnWidth,
  FrameNode,
  RowList,
  RowLook,
  SceneNode,
  TableCell,
  TableNode,
  TableRow,
} from '../resolve/scene.ts';
import type { Resources } from '../resources.ts';
import type { LayoutBox } from './box.ts';
import { isStraight } from './box-matrix.ts';
import { PackedRowBox, TableBox } from './table-box.ts';
import { TableRows } from './table-rows.ts';

/** How often a table is shrunk again: borders keep their widths, so that the first time may be too little. */
const MOST_TIMES = 5;

/** The rows of a table at a width, px, shrunk if it asks for that. */
export function fittedRows(node: TableNode, width: number | null, resources: Resources): TableRows {
  let rows = new TableRows(node, width, resources);
  const { wide } = node;
  if (width === null || !wide || !('shrinkTo' in wide)) return rows;
  const least = Math.min(1, wide.shrinkTo / smallestFont(node));
  let scale = 1;
  for (let times = 0; times < MOST_TIMES && scale > least; times += 1) {
    const { crowding } = rows;
    if (crowding <= 1) break;
    scale = Math.max(least, Math.floor((scale / crowding) * 1_000) / 1_000);
    rows = new TableRows(shrunk(node, scale), width, resources, scale);
  }
  return rows;
}

const cellsOf = ({ rows, carryHead, carryFoot }: TableNode): readonly TableCell[] =>
  [...rows.looks, carryHead, carryFoot].flatMap((each) => each?.cells ?? []);

const smallestFont = (node: TableNode): number =>
  cellsOf(node).reduce((least, { text }) => Math.min(least, text.strut.fontSize), Number.POSITIVE_INFINITY);

/** A table of which columns, letters, padding and pictures are smaller; codes and lines keep their sizes. */
function shrunk(node: TableNode, scale: number): TableNode {
  const cell = shrunkCells(scale);
  return {
    ...node,
    columns: node.columns.map((column) => (column.kind === 'px' ? { ...column, value: column.value * scale } : column)),
    ...withCells(node, (cells) => ({ cells: cells.map(cell), shown: null })),
  };
}

function shrunkCells(scale: number): (cell: TableCell) => TableCell {
  const style = onceFor(
    (own: CharacterStyle): CharacterStyle => ({
      ...own,
      fontSize: own.fontSize * scale,
      letterSpacing: own.letterSpacing * scale,
      wordSpacing: own.wordSpacing * scale,
    }),
  );
  const size = (length: number | null) => (length === null ? null : length * scale);
  const content = (own: TableCell['content']): TableCell['content'] => {
    switch (own?.kind) {
      case 'spans':
        return {
          ...own,
          spans: own.spans.map((span) => {
            const { image } = span;
            const picture = image && { ...image, width: size(image.width), height: size(image.height) };
            return { ...span, style: style(span.style), image: picture };
          }),
        };
      case 'markdown':
        return { ...own, style: { ...own.style, fontSize: own.style.fontSize * scale } };
      case 'image':
        return { ...own, width: size(own.width), height: size(own.height) };
      default:
        return own;
    }
  };
  return onceFor((own: TableCell): TableCell => {
    const { text, padding } = own;
    return {
      ...own,
      text: {
        ...text,
        strut: style(text.strut),
        spans: text.spans.map((span) => ({ ...span, style: style(span.style) })),
      },
      padding: {
        top: padding.top * scale,
        right: padding.right * scale,
        bottom: padding.bottom * scale,
        left: padding.left * scale,
      },
      content: content(own.content),
    };
  });
}

/** Nodes in which the tables that are too wide for their boxes, and ask for it, are divided; the same if none is. */
export function withDividedTables(nodes: SceneNode[], boxes: readonly LayoutBox[], resources: Resources): SceneNode[] {
  const divided = new Map<SceneNode, FrameNode>();
  const find = (box: LayoutBox): void => {
    if (box instanceof TableBox) {
      const { node } = box.rows;
      const parts = partsOf(box.rows, resources);
      if (parts.length < 2) return;
      const { placement, fragmentation } = node;
      const own = { name: node.name, placement, fragmentation, layout: plainFlex('column') };
      divided.set(node, { ...PLAIN_FRAME, ...own, children: parts });
    } else if (box.kind === 'frame' && !(box instanceof PackedRowBox)) for (const child of box.children) find(child);
  };
  for (const box of boxes) find(box);
  if (divided.size === 0) return nodes;
  const replaced = (node: SceneNode): SceneNode => {
    if (node.type !== 'frame') return divided.get(node) ?? node;
    return { ...node, children: node.children.map(replaced) };
  };
  return nodes.map(replaced);
}

/** A table for each group of columns that has room, the second and later ones at the top of a page; none = all have. */
function partsOf(rows: TableRows, resources: Resources): readonly TableNode[] {
  const { node, width } = rows;
  const { wide, fragmentation } = node;
  if (!wide || !('keyColumns' in wide) || !isStraight(node) || rows.crowding <= 1) return [];
  const widths = rows.naturalColumns((rows.room ?? width) / 2);
  const groups = columnGroups(widths, wide.keyColumns, rows.room ?? width);
  if (groups.length < 2) return [];
  // Keys have one width on all sheets.
  const columns = node.columns.map((column, i) =>
    i < wide.keyColumns ? ({ kind: 'px', value: widths[i] ?? 0 } as const) : column,
  );
  const tables = groups.map((group) => withColumns({ ...node, columns }, group));
  const measured = tables.map((table) => new TableRows(table, width, resources));
  const heights = Float64Array.from({ length: node.rows.length }, (_, row) =>
    Math.max(...measured.map((each) => each.top(row + 1) - each.top(row))),
  );
  const placement = { ...PLAIN_NODE.placement, absolute: false, width: { kind: 'px', value: width } } as const;
  return tables.map((table, i) => ({
    ...table,
    placement,
    fragmentation: { ...WHOLE, clones: fragmentation?.clones ?? false, before: i === 0 ? 'auto' : 'page' },
    part: { number: i + 1, heights },
  }));
}

/** The columns of each part, from 0: the keys, and as many others as have room beside them, at least one. */
function columnGroups(widths: readonly number[], keys: number, room: number): readonly (readonly number[])[] {
  const own = widths.slice(0, keys).reduce((sum, each) => sum + each, 0);
  const repeated = widths.slice(0, keys).map((_, index) => index);
  const groups: number[][] = [];
  let left = 0;
  for (let column = keys; column < widths.length; column += 1) {
    const width = widths[column] ?? 0;
    if (groups.length === 0 || width > left) {
      groups.push([...repeated]);
      left = room - own;
    }
    groups.at(-1)?.push(column);
    left -= width;
  }
  return groups;
}

/** A table of some columns; a cell that spans more of them is in each part that has one. */
function withColumns(node: TableNode, columns: readonly number[]): TableNode {
  const within = onceFor((cell: TableCell): TableCell | null => {
    const own = columns.flatMap((column, place) =>
      column >= cell.column && column < cell.column + cell.span ? [place] : [],
    );
    const [column] = own;
    return column === undefined ? null : { ...cell, column, span: own.length };
  });
  return {
    ...node,
    columns: columns.map((column) => node.columns[column] as ColumnWidth),
    ...withCells(node, (cells) => {
      const shown = cells.flatMap((cell, i) => (within(cell) ? [i] : []));
      return { cells: shown.map((i) => within(cells[i] as TableCell) as TableCell), shown };
    }),
  };
}

/** Cells instead of those of a row, and which of its cells they are for, by place; null = all. */
interface OtherCells {
  readonly cells: readonly TableCell[];
  readonly shown: readonly number[] | null;
}

type CellMap = (cells: readonly TableCell[]) => OtherCells;

function withCells(node: TableNode, map: CellMap): Pick<TableNode, 'rows' | 'carryHead' | 'carryFoot'> {
  const once = onceFor(map);
  const carried = (row: CarriedRow | null): CarriedRow | null => {
    if (!row) return null;
    const { cells, shown } = once(row.cells);
    return { ...row, cells, texts: mapped(row.texts, (texts) => chosen(texts, shown)) };
  };
  const { rows, carryHead, carryFoot } = node;
  return { rows: new MappedRows(rows, once), carryHead: carried(carryHead), carryFoot: carried(carryFoot) };
}

const chosen = <Value>(values: readonly Value[], shown: readonly number[] | null): readonly Value[] =>
  shown && values.length > 0 ? shown.map((i) => values[i] as Value) : values;

function mapped<Value>(list: List<Value>, map: (value: Value) => Value): List<Value> {
  return {
    length: list.length,
    at: (index) => {
      const value = list.at(index);
      return value === undefined ? undefined : map(value);
    },
    *[Symbol.iterator]() {
      for (const value of list) yield map(value);
    },
  };
}

/** The rows of another list with other cells. */
class MappedRows implements RowList {
  readonly #rows: RowList;
  readonly #cells: CellMap;

  readonly #look: (look: RowLook) => RowLook;

  constructor(rows: RowList, cells: CellMap) {
    this.#rows = rows;
    this.#cells = cells;
    this.#look = onceFor((look: RowLook) => this.#withCells(look));
  }

  get length(): number {
    return this.#rows.length;
  }

  get looks(): readonly RowLook[] {
    return this.#rows.looks.map(this.#look);
  }

  at(index: number): TableRow | undefined {
    const row = this.#rows.at(index);
    return row && this.#row(row);
  }

  look(index: number): RowLook | undefined {
    const look = this.#rows.look(index);
    return look && this.#look(look);
  }

  group(index: number): number | null {
    return this.#rows.group(index);
  }

  *[Symbol.iterator](): Generator<TableRow> {
    for (const row of this.#rows) yield this.#row(row);
  }

  #row(row: TableRow): TableRow {
    const { shown } = this.#cells(row.cells);
    return { ...this.#withCells(row), texts: chosen(row.texts, shown) };
  }

  #withCells<Row extends RowLook>(row: Row): Row {
    const { cells, shown } = this.#cells(row.cells);
    const { lists } = row;
    if (!lists || !shown) return { ...row, cells };
    const listed = shown.flatMap((cell, i) => (lists.cells.includes(cell) ? [i] : []));
    return { ...row, cells, lists: { ...lists, cells: listed } };
  }
}

/** A function that is asked once for each object. */
function onceFor<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    let found = known.get(key);
    if (!found) {
      found = { value: make(key) };
      known.set(key, found);
    }
    return found.value;
  };
}
