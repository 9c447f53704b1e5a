// Finds the rows, cells and columns of a table of a page (CSS 2, 17.2 and 17.5; HTML, 4.9.12), and which of the borders that
// meet is drawn (17.6.2).

import type { CssElement } from '../css/selectors.ts';
import { winningBorder } from '../resolve/resolve-style.ts';
import type { Border, EdgeLine, FrameNode, Length, PackedCells, SceneNode, Sides, TextNode } from '../resolve/scene.ts';
import { asLength } from './lengths.ts';
import { type Background, backgroundOf, borderOf, isFilled } from './paint-style.ts';
import type { Style, StyleKind } from './style.ts';

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
/** From the least to the most solid. */
const RANK = ['inset', 'groove', 'outset', 'ridge', 'dotted', 'dashed', 'solid', 'double'];

/** A border as its element says it. */
interface Candidate extends Border {
  readonly rank: number;
  readonly isHidden: boolean;
}

const NONE: Candidate = { width: 0, color: { r: 0, g: 0, b: 0, a: 0 }, style: 'solid', rank: -1, isHidden: false };

export interface CollapsedBorders {
  /** Of a cell, half of each border around it, which is its room; and the lines that it draws. */
  readonly of: (cell: TableCellModel) => {
    readonly room: Sides<Border | null>;
    readonly lines: Sides<EdgeLine | null>;
  };
  /** What of them is outside all cells. */
  readonly table: Sides<Border | null>;
}

const half = (border: Border | null): Border | null => border && { ...NONE, width: border.width / 2 };
const widest = (borders: readonly (Border | null)[]) =>
  borders.reduce((most, border) => ((border?.width ?? 0) > (most?.width ?? 0) ? border : most), null);

/** CSS 2, 17.6.2: the borders on the lines between rows and between columns, of which each cell has its part. */
export function collapsedBorders(table: Style, { rows, columns }: TableModel): CollapsedBorders {
  const count = columns.length;
  const isRtl = table.word('direction') === 'rtl';
  const at: (TableCellModel | undefined)[][] = rows.map(() => []);
  for (const { cells } of rows)
    for (const cell of cells)
      for (let y = cell.row; y < cell.row + cell.rowSpan; y += 1)
        for (let x = cell.column; x < cell.column + cell.span; x += 1) (at[y] ?? [])[x] = cell;
  const candidates = new Map<StyleKind, Record<Side, Candidate>>();
  const candidate = (style: Style | null | undefined, side: Side): Candidate => {
    if (!style) return NONE;
    let all = candidates.get(style.kind);
    if (!all) {
      const read = (each: Side): Candidate => {
        const line = style.word(`border-${each}-style`);
        const shaded = borderOf(style, each) ?? NONE;
        const isCarved = /^(inset|outset)$/.test(line);
        if (isCarved && shaded.width > 1) table.lost('border-style', `${line} of borders that collapse`);
        const border = isCarved ? { ...shaded, color: style.colorOf(`border-${each}-color`) ?? style.color } : shaded;
        return { ...border, rank: RANK.indexOf(line), isHidden: line === 'hidden' };
      };
      all = { top: read('top'), right: read('right'), bottom: read('bottom'), left: read('left') };
      candidates.set(style.kind, all);
    }
    return all[side];
  };
  const winner = (candidates: readonly Candidate[]): Border | null => {
    if (candidates.some(({ isHidden }) => isHidden)) return null;
    const best = winningBorder(candidates, ({ rank }) => rank);
    return best && best.width > 0 ? best : null;
  };
  // Rows that have the same, and no cell of another row, have a number; what is beside those of the same numbers is one object.
  const numbers = new Map<unknown, number>();
  const numberOf = (of: unknown) => numbers.get(of) ?? numbers.set(of, numbers.size).size - 1;
  const ids = rows.map(({ style, group, cells }, y) => {
    const isApart = at[y]?.every((cell) => !cell || (cell.row === y && cell.rowSpan === 1));
    const parts = cells.map((cell) => `${numberOf(cell.style?.kind)} ${cell.column} ${cell.span}`);
    return isApart ? numberOf(`${numberOf(style?.kind)} ${numberOf(group)} ${parts}`) : -1 - y;
  });
  // In the order in which equal ones win: cells, rows, groups, the table.
  const horizontal = byKey((_: string, y: number) =>
    Array.from({ length: count }, (_each, x): Border | null => {
      const [over, under] = [at[y - 1]?.[x], at[y]?.[x]];
      if (over === under) return over ? null : winner([candidate(table, 'top')]);
      const [above, below] = [rows[y - 1], rows[y]];
      const groups =
        above?.group === below?.group ? [] : [candidate(above?.group, 'bottom'), candidate(below?.group, 'top')];
      const edge = !above ? [candidate(table, 'top')] : !below ? [candidate(table, 'bottom')] : [];
      const cells = [candidate(over?.style, 'bottom'), candidate(under?.style, 'top')];
      return winner([...cells, candidate(above?.style, 'bottom'), candidate(below?.style, 'top'), ...groups, ...edge]);
    }),
  );
  const [start, end] = isRtl ? (['right', 'left'] as const) : (['left', 'right'] as const);
  const vertical = byKey((_: string, y: number) =>
    Array.from({ length: count + 1 }, (_each, x): Border | null => {
      const { style, group } = rows[y] ?? {};
      const [before, after] = [at[y]?.[x - 1], at[y]?.[x]];
      if (x > 0 && x < count && before === after) return null;
      const side = x === 0 ? start : x === count ? end : null;
      const around = side ? [candidate(style, side), candidate(group, side), candidate(table, side)] : [];
      return winner([candidate(before?.style, end), candidate(after?.style, start), ...around]);
    }),
  );
  const horizontals = Array.from({ length: rows.length + 1 }, (_, y) => horizontal(`${ids[y - 1]} ${ids[y]}`, y));
  const verticals = ids.map((id, y) => vertical(`${id}`, y));
  const widthOf = (border: Border | null | undefined) => border?.width ?? 0;
  /** How far a line goes on where others cross it: to their far edge, or to their near one if they are wider. */
  const beyond = (own: number, crossing: number, isFlat: boolean) =>
    own > crossing || (isFlat && own === crossing) ? crossing / 2 : -crossing / 2;
  const flat = (border: Border | null, y: number, x: number, span: number): EdgeLine | null => {
    if (!border) return null;
    const ends = [x, x + span].map((edge) => {
      const crossing = Math.max(widthOf(verticals[y - 1]?.[edge]), widthOf(verticals[y]?.[edge]));
      // Where two go on in one line, the first has the place where they meet.
      const isTaken = edge === x && widthOf(horizontals[y]?.[x - 1]) >= border.width;
      return isTaken ? -crossing / 2 : beyond(border.width, crossing, true);
    });
    const [before = 0, after = 0] = isRtl ? ends.toReversed() : ends;
    return { ...border, before, after };
  };
  const upright = (border: Border | null, x: number, y: number, span: number): EdgeLine | null => {
    if (!border) return null;
    const [before = 0, after = 0] = [y, y + span].map((edge) =>
      beyond(border.width, Math.max(widthOf(horizontals[edge]?.[x - 1]), widthOf(horizontals[edge]?.[x])), false),
    );
    return { ...border, before, after };
  };
  const ofCell: CollapsedBorders['of'] = ({ row, column, span, rowSpan }) => {
    const across = (y: number) => widest(horizontals[y]?.slice(column, column + span) ?? []);
    const down = (x: number) => widest(verticals.slice(row, row + rowSpan).map((line) => line[x] ?? null));
    const [top, bottom] = [across(row), across(row + rowSpan)];
    const [first, last] = [down(column), down(column + span)];
    // What covers itself is drawn again by the cell after it; anything else once, by the one that is painted last.
    const isDrawn = (border: Border | null, isLast: boolean) =>
      isLast || (border?.style === 'solid' && border.color.a === 1);
    const beside = at[row]?.[column + span];
    const lastLine = isDrawn(last, !beside || beside.row < row) ? upright(last, column + span, row, rowSpan) : null;
    const firstLine = upright(first, column, row, rowSpan);
    return {
      room: {
        top: half(top),
        bottom: half(bottom),
        left: half(isRtl ? last : first),
        right: half(isRtl ? first : last),
      },
      lines: {
        top: flat(top, row, column, span),
        bottom: isDrawn(bottom, row + rowSpan === rows.length) ? flat(bottom, row + rowSpan, column, span) : null,
        left: isRtl ? lastLine : firstLine,
        right: isRtl ? firstLine : lastLine,
      },
    };
  };
  const edges = {
    top: half(widest(horizontals[0] ?? [])),
    bottom: half(widest(horizontals.at(-1) ?? [])),
    [start]: half(widest(verticals.map((line) => line[0] ?? null))),
    [end]: half(widest(verticals.map((line) => line[count] ?? null))),
  };
  // Where rows around differ in other things than borders, too: cells that have the same object are alike.
  const once = byKey((_: string, made: ReturnType<typeof ofCell>) => made);
  const known = byKey((_: string, cell: TableCellModel) => {
    const made = ofCell(cell);
    return once(JSON.stringify(made), made);
  });
  const of: CollapsedBorders['of'] = (cell) =>
    known(`${ids[cell.row - 1]} ${ids[cell.row]} ${ids[cell.row + 1]} ${cell.column}`, cell);
  return { of, table: edges as unknown as Sides<Border | null> };
}

/** What is made, once for each key. */
function byKey<T, Of>(make: (key: string, of: Of) => T): (key: string, of: Of) => T {
  const known = new Map<string, T>();
  return (key, of) => {
    const found = known.get(key) ?? make(key, of);
    known.set(key, found);
    return found;
  };
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

/** Rows of a table from which on they are packed. */
export const LONG_TABLE = 100;
/** Forms of the cells of one style that are compared with the next. */
const MOST_COMPARED = 8;
const END = '\0';
/** Of a cell without words, instead of how they are. */
export const NO_WORDS = [null, null, null, null, null];

export type CellForm = PackedCells['forms'][number];

/** A cell of a row that is packed, as one of such a row. */
export interface PackedCell extends PackedCells {
  readonly form: CellForm;
}

/** Packs the rows of a long table whose cells have words of one style. */
export class RowPacker {
  /** By style, the latest ones first. */
  readonly #forms = new Map<StyleKind, { readonly look: readonly unknown[]; readonly form: CellForm }[]>();
  #last: readonly CellForm[] | null = null;

  /** @param look what cells of one style may differ in: what is around and behind them, and how their words are */
  formOf(style: Style, look: readonly unknown[]): CellForm | null {
    return this.#forms.get(style.kind)?.find((known) => known.look.every((each, i) => each === look[i]))?.form ?? null;
  }

  /** A cell as it is built; null if it has more than words. */
  packed(cell: SceneNode, style: Style | null, around: readonly unknown[]): PackedCell | null {
    const content = style && wordsOf(cell);
    if (!content || cell.type !== 'frame') return null;
    const { text } = content;
    const [span] = text?.spans ?? [];
    const look = [...around, ...(span ? [text?.strut, span.style, span.link, span.raise, span.struts] : NO_WORDS)];
    let form = this.formOf(style, look);
    if (!form) {
      const plain = text && { ...text, name: '', spans: span ? [{ ...span, text: '' }] : [] };
      form = { frame: { ...cell, name: '', children: [] }, text: plain };
      const known = this.#forms.get(style.kind) ?? [];
      this.#forms.set(style.kind, [{ look, form }, ...known.slice(0, MOST_COMPARED - 1)]);
    }
    return packedCell(form, [cell.name, text?.name ?? '', span?.text ?? '']);
  }

  /** A row of packed cells, without its children. */
  row(row: FrameNode, name: string, cells: readonly PackedCell[]): FrameNode {
    const last = this.#last;
    const isSame = last?.length === cells.length && cells.every(({ form }, i) => form === last[i]);
    const forms = isSame ? last : cells.map(({ form }) => form);
    this.#last = forms;
    return { ...row, name, packed: { forms, words: cells.map((cell) => cell.words).join('') } };
  }
}

/** @param names of the cell and its text, and its words @returns null if these cannot be packed */
export const packedCell = (form: CellForm, names: readonly string[]): PackedCell | null =>
  names.some((each) => each.includes(END)) ? null : { form, forms: [form], words: names.join(END) + END };

/** The one text of a cell, null where it is empty; null = there is more in it. */
function wordsOf(cell: SceneNode): { readonly text: TextNode | null } | null {
  if (cell.type !== 'frame' || cell.layout?.type !== 'block' || cell.children.length > 1) return null;
  const { before, after, strings } = cell.fragmentation ?? { before: 'auto', after: 'auto' };
  if (before !== 'auto' || after !== 'auto' || strings) return null;
  const [text = null] = cell.children;
  if (text === null) return { text };
  if (text.type !== 'text' || text.spans.length !== 1 || text.firstLine || text.fragmentation?.heading) return null;
  const { atom, within, counter, footnote, image, linksTo } = text.spans[0] ?? {};
  return atom || within || counter || footnote || image || linksTo ? null : { text };
}
