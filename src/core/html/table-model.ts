// Finds the rows, cells and columns of a table of a page (CSS 2, 17.2 and 17.5; HTML, 4.9.12), and which of the borders that
// meet is drawn (17.6.2).

import type { CssElement } from '../css/selectors.ts';
import type { Border, Length, Sides } from '../resolve/scene.ts';
import { asLength } from './lengths.ts';
import { type Background, backgroundOf, borderOf, isFilled } from './paint-style.ts';
import type { Style } from './style.ts';

/** What stands in a cell that no element is: boxes that a row needs one for. */
export type Content = readonly (CssElement | string)[];

export interface TableCellModel {
  /** null = it stands around what is no cell. */
  readonly style: Style | null;
  readonly content: Content;
  readonly row: number;
  readonly column: number;
  readonly span: number;
  readonly rowSpan: number;
}

interface TableRowModel {
  /** null = it stands around cells that are in no row. */
  readonly style: Style | null;
  /** Of its group; null = it is in none. */
  readonly group: Style | null;
  readonly kind: 'head' | 'body' | 'foot';
  readonly cells: readonly TableCellModel[];
}

export interface TableModel {
  readonly captions: readonly Style[];
  readonly rows: readonly TableRowModel[];
  readonly columns: readonly (Length | null)[];
  /** Of each column that is described: what its cells have behind them, where their rows have nothing. */
  readonly behind: readonly Background[];
}

/** The most columns and rows that a cell may be over (HTML, 4.9.11). */
const MOST_SPANNED = 1_000;
/** The most columns of a table: cells over many would take quadratic time. */
const MOST_COLUMNS = 1_000;

/** CSS 2, 9.7: what is out of the flow is a block. */
export const displayOf = (style: Style) => {
  const display = style.word('display');
  const isOut = display !== 'none' && /^(absolute|fixed)$/.test(style.word('position'));
  return isOut ? 'block' : display;
};
const isBlank = (node: CssElement | string) => typeof node === 'string' && node.trim() === '';

export function tableModel(children: Content, styleOf: (element: CssElement) => Style): TableModel {
  const captions: Style[] = [];
  const columns: (Length | null)[] = [];
  const behind: Background[] = [];
  const described = (style: Style, group: Style | null) => {
    const count = addColumn(columns, style, group);
    const own = backgroundOf(style);
    const background = isFilled(own) || !group ? own : backgroundOf(group);
    for (let i = 0; i < count; i += 1) behind.push(background);
  };
  const groups: {
    style: Style | null;
    kind: TableRowModel['kind'];
    rows: { style: Style | null; children: Content }[];
  }[] = [];
  const bodies = () => {
    const last = groups.at(-1);
    if (last && last.style === null) return last;
    groups.push({ style: null, kind: 'body', rows: [] });
    return groups.at(-1) as (typeof groups)[number];
  };
  let loose: (CssElement | string)[] = [];
  const endLoose = () => {
    if (loose.some((each) => !isBlank(each))) bodies().rows.push({ style: null, children: loose });
    loose = [];
  };
  for (const child of children) {
    if (typeof child === 'string') {
      if (!isBlank(child)) loose.push(child);
      continue;
    }
    const style = styleOf(child);
    const display = displayOf(style);
    if (display === 'none') continue;
    if (!/^table-(caption|column|column-group|row|row-group|header-group|footer-group)$/.test(display)) {
      loose.push(child);
      continue;
    }
    endLoose();
    if (display === 'table-caption') captions.push(style);
    else if (display === 'table-column') described(style, null);
    else if (display === 'table-column-group') {
      const own = child.children.filter((each): each is CssElement => typeof each !== 'string').map(styleOf);
      if (own.length === 0) described(style, null);
      for (const each of own) described(each, style);
    } else if (display === 'table-row') bodies().rows.push({ style, children: child.children });
    else {
      const kind = display === 'table-header-group' ? 'head' : display === 'table-footer-group' ? 'foot' : 'body';
      groups.push({ style, kind, rows: rowsOf(child.children, styleOf) });
    }
  }
  endLoose();
  const order = ['head', 'body', 'foot'] as const;
  // The first head and the first foot are at the ends; others stay where they are.
  const [head, foot] = [groups.find(({ kind }) => kind === 'head'), groups.find(({ kind }) => kind === 'foot')];
  const inOrder = groups.map(
    (group) => ({ group, kind: group === head ? 'head' : group === foot ? 'foot' : 'body' }) as const,
  );
  inOrder.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const flat = inOrder.flatMap(({ group, kind }) =>
    group.rows.map((row) => ({ ...row, group: group.style, kind, own: group })),
  );
  const rows = placeCells(flat, styleOf);
  // Columns in which no cell begins are none.
  const count = Math.max(columns.length, ...rows.flatMap(({ cells }) => cells.map(({ column }) => column + 1)), 0);
  while (columns.length < count) columns.push(null);
  for (const row of rows)
    for (const cell of row.cells) (cell as { span: number }).span = Math.min(cell.span, count - cell.column);

  return { captions, rows, columns, behind };
}

/** @returns how many were added */
function addColumn(columns: (Length | null)[], style: Style, group: Style | null): number {
  const mixed = style.mixed('width') ?? group?.mixed('width') ?? null;
  const count = Math.min(
    MOST_SPANNED,
    Math.max(1, Number.parseInt(style.element.attributes.get('span') ?? '1', 10) || 1),
  );
  const before = columns.length;
  for (let i = 0; i < count && columns.length < MOST_COLUMNS; i += 1) columns.push(mixed && asLength(mixed));
  return columns.length - before;
}

function rowsOf(
  children: Content,
  styleOf: (element: CssElement) => Style,
): { style: Style | null; children: Content }[] {
  const rows: { style: Style | null; children: (CssElement | string)[] | Content }[] = [];
  let loose: (CssElement | string)[] | null = null;
  for (const child of children) {
    if (isBlank(child)) continue;
    const style = typeof child === 'string' ? null : styleOf(child);
    if (style && displayOf(style) === 'none') continue;
    if (style && displayOf(style) === 'table-row') {
      rows.push({ style, children: style.element.children });
      loose = null;
    } else if (loose) loose.push(child);
    else {
      loose = [child];
      rows.push({ style: null, children: loose });
    }
  }
  return rows;
}

/** HTML, 4.9.12: the slots that cells take, with those that reach down from rows above. */
function placeCells(
  rows: readonly {
    style: Style | null;
    group: Style | null;
    kind: TableRowModel['kind'];
    own: unknown;
    children: Content;
  }[],
  styleOf: (element: CssElement) => Style,
): readonly TableRowModel[] {
  /** Of each column, the rows from the current one on that are taken. */
  let taken: number[] = [];
  return rows.map(({ style, group, kind, own, children }, row): TableRowModel => {
    if (rows[row - 1]?.own !== own) taken = [];
    const left = rows.findLastIndex((each) => each.own === own) - row + 1;
    const cells: TableCellModel[] = [];
    let column = 0;
    const place = (cell: Style | null, content: Content) => {
      while ((taken[column] ?? 0) > 0) column += 1;
      const number = (name: string) => Number.parseInt(cell?.element.attributes.get(name) ?? '1', 10);
      const span = Math.min(MOST_COLUMNS - column, Math.max(1, number('colspan') || 1));
      const wanted = number('rowspan');
      const rowSpan = wanted === 0 ? left : Math.min(left, MOST_SPANNED, Math.max(1, wanted || 1));
      if (span < 1) return;
      for (let i = column; i < column + span; i += 1) taken[i] = Math.max(taken[i] ?? 0, rowSpan);
      cells.push({ style: cell, content, row, column, span, rowSpan });
      column += span;
    };
    let loose: (CssElement | string)[] = [];
    const endLoose = () => {
      if (loose.some((each) => !isBlank(each))) place(null, loose);
      loose = [];
    };
    for (const child of children) {
      const cell = typeof child === 'string' ? null : styleOf(child);
      if (cell && displayOf(cell) === 'none') continue;
      if (cell && displayOf(cell) === 'table-cell') {
        endLoose();
        place(cell, cell.element.children);
      } else loose.push(child);
    }
    endLoose();
    taken = taken.map((count) => Math.max(0, count - 1));
    return { style, group, kind, cells };
  });
}

const SIDES = ['top', 'right', 'bottom', 'left'] as const;
type Side = (typeof SIDES)[number];
const RANK = ['inset', 'groove', 'outset', 'ridge', 'dotted', 'dashed', 'solid', 'double'];

interface Candidate {
  readonly border: Border | null;
  readonly isHidden: boolean;
  readonly rank: number;
}

const candidate = (style: Style | null, side: Side): Candidate => ({
  border: style && borderOf(style, side),
  isHidden: style?.word(`border-${side}-style`) === 'hidden',
  rank: RANK.indexOf(style?.word(`border-${side}-style`) ?? ''),
});

/** Of borders that meet, in the order in which equal ones win. */
function winner(candidates: readonly Candidate[]): Border | null {
  if (candidates.some(({ isHidden }) => isHidden)) return null;
  let best: Candidate | null = null;
  for (const each of candidates) {
    const isMore = (each.border?.width ?? 0) - (best?.border?.width ?? 0);
    if (isMore > 0 || (isMore === 0 && each.rank > (best?.rank ?? -1))) best = each;
  }
  return best?.border ?? null;
}

export interface CollapsedBorders {
  /** Each cell's part of the borders around it. */
  readonly cells: ReadonlyMap<TableCellModel, Sides<Border | null>>;
  /** What of them is outside all cells. */
  readonly table: Sides<Border | null>;
}

/** Half of a border: of an odd number of px, the upper or left half is the larger one. */
const half = (border: Border | null, isFirst: boolean): Border | null => {
  if (!border) return null;
  const width = isFirst ? Math.ceil(border.width / 2) : Math.floor(border.width / 2);
  return width > 0 ? { ...border, width } : null;
};

export function collapsedBorders(table: Style, { rows, columns }: TableModel): CollapsedBorders {
  const at = new Map<string, TableCellModel>();
  for (const { cells } of rows)
    for (const cell of cells)
      for (let y = cell.row; y < cell.row + cell.rowSpan; y += 1)
        for (let x = cell.column; x < cell.column + cell.span; x += 1) at.set(`${y} ${x}`, cell);
  const opposite = { top: 'bottom', right: 'left', bottom: 'top', left: 'right' } as const;
  const around = (cell: TableCellModel, side: Side): Border | null => {
    const row = side === 'bottom' ? cell.row + cell.rowSpan - 1 : cell.row;
    const beside =
      side === 'top'
        ? at.get(`${cell.row - 1} ${cell.column}`)
        : side === 'bottom'
          ? at.get(`${cell.row + cell.rowSpan} ${cell.column}`)
          : side === 'left'
            ? at.get(`${cell.row} ${cell.column - 1}`)
            : at.get(`${cell.row} ${cell.column + cell.span}`);
    const isFirst = side === 'right' || side === 'bottom';
    const own = [candidate(cell.style, side)];
    if (beside) own[isFirst ? 'push' : 'unshift'](candidate(beside.style, opposite[side]));
    const [here, next] = [rows[row], rows[side === 'top' ? cell.row - 1 : cell.row + cell.rowSpan]];
    if (side === 'top' || side === 'bottom') {
      own.push(candidate(here?.style ?? null, side), candidate(next?.style ?? null, opposite[side]));
      if (here?.group !== next?.group)
        own.push(candidate(here?.group ?? null, side), candidate(next?.group ?? null, opposite[side]));
    } else if (!beside) own.push(candidate(here?.style ?? null, side), candidate(here?.group ?? null, side));
    if (!beside) own.push(candidate(table, side));
    return winner(own);
  };
  const cells = new Map<TableCellModel, Sides<Border | null>>();
  const outer: Record<Side, Border | null> = { top: null, right: null, bottom: null, left: null };
  for (const { cells: own } of rows) {
    for (const cell of own) {
      // Each cell draws its half by itself.
      const borders = {
        top: around(cell, 'top'),
        right: around(cell, 'right'),
        bottom: around(cell, 'bottom'),
        left: around(cell, 'left'),
      };
      for (const side of SIDES) {
        const { style: line = 'solid', width = 0 } = borders[side] ?? {};
        if (width > 1 && line !== 'solid') table.lost('border-style', `${line} of borders that collapse`);
      }
      cells.set(cell, {
        top: half(borders.top, true),
        left: half(borders.left, true),
        right: half(borders.right, false),
        bottom: half(borders.bottom, false),
      });
      const isAt = {
        top: cell.row === 0,
        left: cell.column === 0,
        bottom: cell.row + cell.rowSpan === rows.length,
        right: cell.column + cell.span === columns.length,
      };
      for (const side of SIDES) {
        const border = isAt[side] ? half(borders[side], side === 'right' || side === 'bottom') : null;
        if ((border?.width ?? 0) > (outer[side]?.width ?? 0)) outer[side] = border;
      }
    }
  }
  return { cells, table: outer };
}

/** The children of an element, with rows and cells that follow each other in one element. */
export function withTables(children: Content, displayOf: (element: CssElement) => string): Content {
  const isPart = (child: CssElement | string) =>
    typeof child !== 'string' &&
    /^table-(?!caption)/.test(displayOf(child)) &&
    child.name !== 'col' &&
    child.name !== 'colgroup';
  if (!children.some(isPart)) return children;
  const found: (CssElement | string)[] = [];
  let table: (CssElement | string)[] | null = null;
  for (const [i, child] of children.entries()) {
    const isBetween = typeof child === 'string' && child.trim() === '' && children.slice(i + 1).some(isPart);
    if (isPart(child) || (table && isBetween)) {
      if (!table) {
        table = [];
        found.push({ name: '::table', attributes: new Map(), children: table });
      }
      table.push(child);
    } else {
      table = null;
      found.push(child);
    }
  }
  return found;
}
