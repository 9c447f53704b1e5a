// Lays out the tables of a page, which satori does not know: it measures their cells, this computes widths and heights,
// and satori draws the page with each part at its place.
//
// The elements stay as they are, so that selectors match; declarations of ours are added to them. Inner tables are
// measured before those around them, and get their widths after them. Then heights are measured, inner ones first.

import type { Rect } from '#core/geometry.ts';
import type { HtmlElement } from '../parse-html.ts';
import { isElement } from '../parse-html.ts';
import { behindCells } from './cell-backgrounds.ts';
import type { CellBorders } from './collapsed-borders.ts';
import { boundsOfAll, columnBounds, distribute, distributeFixed, type WidthBounds } from './column-widths.ts';
import type { PageTables, Table } from './read-tables.ts';
import { rowHeights } from './row-heights.ts';
import type { TableCell } from './table-grid.ts';
import { SIDES, type TableStyles } from './table-styles.ts';

/** Declarations of ours, by element and property. */
export type Overrides = ReadonlyMap<HtmlElement, Declared>;
type Declared = Readonly<Record<string, string>>;
/** Lays the page out with these declarations, and reports the boxes of the elements of its tables. */
export type MeasureTables = (overrides: Overrides, textIn?: TextIn) => Promise<ReadonlyMap<HtmlElement, Rect>>;
/** The text that stands for one inside an element. */
export type TextIn = (text: string, parent: HtmlElement) => string;

type Boxes = ReadonlyMap<HtmlElement, Rect>;

/** What is known of a table so far; lengths in px. */
interface Sizes {
  /** The boxes of its parts with the widths and heights that are declared for them. */
  readonly given: Boxes;
  /** Its columns' bounds. */
  columns: readonly WidthBounds[];
  /** Of its border box. */
  min: number;
  max: number;
  /** Borders and padding together. */
  readonly insets: { readonly across: number; readonly down: number };
  /** From its padding edge to its content. */
  readonly origin: { readonly x: number; readonly y: number };
  /** From its border edge to its padding edge. */
  readonly border: { readonly x: number; readonly y: number };
  width: number;
  widths: readonly number[];
  height: number;
  heights: readonly number[];
  /** How far each cell's content lies below the top that it would have. */
  shifts: ReadonlyMap<TableCell, number>;
  /** Heights of captions. */
  captions: readonly number[];
}

/**
 * @param spread the boxes of the page with `spreadTables`, if they are known
 * @returns the declarations with which satori draws each part at its place
 */
export async function layOutTables(
  { tables, styles }: PageTables,
  measure: MeasureTables,
  spread: Boxes | null = null,
): Promise<Overrides> {
  const levels = Array.from({ length: 1 + Math.max(-1, ...tables.map(({ level }) => level)) }, (_, level) =>
    tables.filter((table) => table.level === level),
  );
  const resting = new Map<HtmlElement, Declared>(tables.flatMap((table) => [...restingParts(table, styles)]));
  const sizes = new Map<Table, Sizes>();
  const all = (of: readonly Table[]) => of.flatMap((table) => [[table, sizes.get(table) as Sizes] as const]);

  for (const [index, level] of [...levels.entries()].reverse()) {
    const deeper = (of: 'min' | 'max') =>
      all(levels.slice(index + 1).flat()).map(
        ([table, own]) => [table.element, { width: px(own[of]), ...UNBOUNDED }] as const,
      );
    const narrow = level.flatMap((table) => [...narrowParts(table)]);
    const wide = level.flatMap((table) => [...wideParts(table, styles)]);
    const mins = await measure(withDeclared(resting, [...deeper('min'), ...narrow]), unspaced(styles));
    const isSpread = levels.length === 1 && spread !== null;
    const maxs = isSpread ? spread : await measure(withDeclared(resting, [...deeper('max'), ...wide]));
    for (const table of level) {
      const own = initialSizes(table, mins, maxs);
      sizes.set(table, own);
      setBounds(table, styles, own, mins);
    }
  }

  const placed = new Map<HtmlElement, Declared>();
  for (const level of levels) {
    const asked = all(level.filter((table) => !isPlain(table, styles))).map(
      ([table, own]) => [table.element, askedWidth(table, styles, own)] as const,
    );
    const boxes = asked.length > 0 ? await measure(withDeclared(withDeclared(resting, placed), asked)) : null;
    for (const [table, own] of all(level)) {
      const box = (isPlain(table, styles) ? own.given : boxes)?.get(table.element) ?? NO_BOX;
      const isAuto = styles.declared(table.element, 'width') === null;
      const most = isPlain(table, styles) && isAuto ? own.max : Infinity;
      own.width = Math.max(own.min, Math.min(most, box.width));
      own.widths = columnsOf(table, own, styles);
      for (const [element, declared] of placedParts(table, styles, own)) placed.set(element, declared);
    }
  }

  for (const level of levels.toReversed()) {
    const rows = all(level).flatMap(([table, own]) => [...rowParts(table, styles, own)]);
    const boxes = await measure(withDeclared(withDeclared(resting, placed), rows));
    for (const [table, own] of all(level)) {
      setHeights(table, styles, own, boxes);
      for (const [element, declared] of placedParts(table, styles, own)) placed.set(element, declared);
    }
  }
  return withDeclared(resting, placed);
}

/**
 * Text with breaks that take no space where lines may break at spaces. Satori counts the space at the end of a word
 * to its least width, and browsers do not.
 */
const unspaced =
  (styles: TableStyles): TextIn =>
  (text, parent) =>
    styles.breaksAtSpaces(parent) ? text.replace(/(?<=\S)[ \t\n\f\r]+(?=\S)/g, '\u200b') : text;

/**
 * Every cell as wide as it wants to be, at the corner of its table: for finding out which fonts the page needs, and, of
 * tables that stand in no others, what their cells want.
 */
export function spreadTables({ tables, styles }: PageTables): Overrides {
  const resting = new Map(tables.flatMap((table) => [...restingParts(table, styles)]));
  return withDeclared(
    resting,
    tables.flatMap((table) => [...wideParts(table, styles)]),
  );
}

function withDeclared(first: Overrides, second: Iterable<readonly [HtmlElement, Declared]>): Overrides {
  const all = new Map(first);
  for (const [element, declared] of second) all.set(element, { ...all.get(element), ...declared });
  return all;
}

const px = (length: number): string => `${Math.round(length * 1e6) / 1e6}px`;

/** Satori would draw a shadow where a variable holds `none`. */
const NO_SHADOW = '0 0 0 transparent';
const UNBOUNDED: Declared = { 'min-width': '0', 'max-width': 'none' };
/** A box of this height is as high as its borders and padding. */
const NO_HEIGHT: Declared = { height: '0', 'min-height': '0', 'box-sizing': 'border-box' };
const BARE: Declared = {
  margin: '0',
  padding: '0',
  'border-width': '0',
  float: 'none',
  'min-height': '0',
  'max-height': 'none',
};

/** Every part as a block that its table's box does not depend on, for measuring. */
function* restingParts(
  { element, grid, borders }: Table,
  styles: TableStyles,
): Iterable<readonly [HtmlElement, Declared]> {
  const position = styles.declared(element, 'position') ?? 'static';
  const table: Record<string, string> = { display: 'block' };
  if (/^(static|inherit|initial)$/i.test(position)) table.position = 'relative';
  if (borders)
    Object.assign(table, {
      padding: '0',
      'border-radius': '0',
      'border-style': 'solid',
      'border-color': 'transparent',
    });
  if (borders) for (const side of SIDES) table[`border-${side}-width`] = px(borders.edges[side]);
  yield [element, table];
  for (const caption of grid.captions) yield [caption, { display: 'block', position: 'absolute', left: '0', top: '0' }];
  for (const column of grid.columnElements) {
    yield [column, { ...BARE, display: 'block', position: 'absolute', left: '0', top: '0', background: 'none' }];
  }
  for (const section of grid.sections)
    yield [section.element, { ...BARE, display: 'block', height: '0', 'background-color': 'transparent' }];
  for (const row of grid.rows) {
    yield [
      row.element,
      { ...BARE, display: 'block', position: 'absolute', left: '0', top: '0', 'background-color': 'transparent' },
    ];
  }
  for (const cell of grid.cells) {
    const own: Record<string, string> = {
      display: 'block',
      position: 'absolute',
      left: '0',
      top: '0',
      margin: '0',
      float: 'none',
    };
    const around = borders?.cells.get(cell);
    if (around) Object.assign(own, borderDeclarations(around));
    if (cell.element.name === 'th' && styles.declared(cell.element, 'text-align') === null) {
      const row = styles.parentOf(cell.element);
      const inherited = row && styles.inherited(row, 'text-align');
      if (inherited === null || /^(start|initial)$/i.test(inherited)) own['text-align'] = 'center';
    }
    yield [cell.element, own];
  }
}

function borderDeclarations(around: CellBorders): Declared {
  const own: Record<string, string> = { 'border-radius': '0' };
  for (const side of SIDES) {
    const here = around[side];
    const border = here?.isOwn ? here.border : null;
    own[`border-${side}-width`] = px(border?.width ?? 0);
    own[`border-${side}-style`] = border?.style ?? 'none';
    own[`border-${side}-color`] = border?.color ?? 'transparent';
  }
  return own;
}

/** How much of a cell's box lies outside the middle of collapsed borders: less than nothing where it ends before it. */
function outside(around: CellBorders | undefined, side: (typeof SIDES)[number]): number {
  const here = around?.[side];
  return here ? (here.border.width / 2) * (here.isOwn ? 1 : -1) : 0;
}

const outsideAcross = (around: CellBorders | undefined) => outside(around, 'left') + outside(around, 'right');
const outsideDown = (around: CellBorders | undefined) => outside(around, 'top') + outside(around, 'bottom');

/** The least widths of cells, in a table that is as high as its borders and padding. */
function* narrowParts({ element, grid }: Table): Iterable<readonly [HtmlElement, Declared]> {
  yield [element, NO_HEIGHT];
  for (const cell of grid.cells) yield [cell.element, { width: 'min-content' }];
}

/** The widths that are declared for cells, or those that they want. */
function* wideParts(table: Table, styles: TableStyles): Iterable<readonly [HtmlElement, Declared]> {
  const { element, grid } = table;
  if (isPlain(table, styles) && styles.declared(element, 'width') === null) {
    yield [element, { width: roomOf(element, styles) }];
  }
  for (const cell of grid.cells) {
    if (!styles.hasLength(cell.element, 'width')) yield [cell.element, { width: 'max-content' }];
  }
}

/** Whether the width that a table may take does not depend on what is in it. */
function isPlain({ element, grid, level }: Table, styles: TableStyles): boolean {
  const parent = styles.parentOf(element);
  const isItem = parent !== null && /flex|grid/i.test(styles.declared(parent, 'display') ?? '');
  return level === 0 && grid.cells.length > 0 && !isItem && styles.declared(element, 'min-width') === null;
}

function initialSizes({ element, grid }: Table, mins: Boxes, given: Boxes): Sizes {
  const box = given.get(element) ?? NO_BOX;
  const section = given.get(grid.sections[0]?.element ?? element) ?? box;
  const row = given.get(grid.rows[0]?.element ?? element) ?? box;
  return {
    ...{ columns: [], min: 0, max: 0, width: 0, widths: [], height: 0, heights: [], captions: [], shifts: new Map() },
    given,
    insets: { across: box.width - section.width, down: mins.get(element)?.height ?? 0 },
    origin: { x: section.x - row.x, y: section.y - row.y },
    border: { x: row.x - box.x, y: row.y - box.y },
  };
}

const NO_BOX: Rect = { x: 0, y: 0, width: 0, height: 0 };

function setBounds({ grid, borders, spacing, isFixed }: Table, styles: TableStyles, own: Sizes, mins: Boxes): void {
  const cells = grid.cells.map((cell) => {
    const less = outsideAcross(borders?.cells.get(cell));
    const isGiven = styles.hasLength(cell.element, 'width');
    const [min, max] = [mins, own.given].map((boxes) => (boxes.get(cell.element)?.width ?? 0) - less);
    return {
      ...{ column: cell.column, span: cell.columnSpan, isGiven, percent: styles.percent(cell.element, 'width') },
      ...{ min: min ?? 0, max: Math.max(min ?? 0, max ?? 0) },
    };
  });
  const elements = grid.columns.map(({ column, group }): WidthBounds | null => {
    const part = [column, group].find((each) => each && styles.declared(each, 'width') !== null);
    if (!part) return null;
    const isGiven = styles.hasLength(part, 'width');
    const max = isGiven ? (own.given.get(part)?.width ?? 0) : 0;
    return { min: 0, max, isGiven, percent: styles.percent(part, 'width') };
  });
  const [across] = spacing;
  const around = own.insets.across + across * (grid.columns.length + 1);
  own.columns = columnBounds(elements, cells, across);
  const { min, max } = boundsOfAll(own.columns);
  own.min = (isFixed ? 0 : min) + around;
  own.max = max + around;
}

/** As wide as the table would be in its place, for satori to say how much that is. */
function askedWidth({ element }: Table, styles: TableStyles, own: Sizes): Declared {
  const least = styles.declared(element, 'min-width');
  const min = least === null ? px(own.min) : `max(${px(own.min)}, ${least})`;
  if (styles.declared(element, 'width') !== null) return { 'min-width': min };
  const room = roomOf(element, styles);
  const most = styles.declared(element, 'max-width');
  const max = most === null || /^none$/i.test(most) ? room : `min(${room}, ${most})`;
  const width = isStretched(element, styles) ? room : px(own.max);
  return { width, 'min-width': min, 'max-width': max };
}

/** The width of what a table stands in, less its margins. */
function roomOf(element: HtmlElement, styles: TableStyles): string {
  const margins = ['margin-left', 'margin-right']
    .map((name) => styles.declared(element, name))
    .filter((each) => each !== null && Number.parseFloat(each) !== 0);
  return margins.length === 0 ? '100%' : `calc(100% - ${margins.map((each) => `(${each})`).join(' - ')})`;
}

/** Whether the table is an item that is as wide as its flex container or grid area. */
function isStretched(element: HtmlElement, styles: TableStyles): boolean {
  const parent = styles.parentOf(element);
  const display = (parent && styles.declared(parent, 'display')) ?? '';
  if (!parent || !/flex|grid/i.test(display)) return false;
  const flow = `${styles.declared(parent, 'flex-direction') ?? ''} ${styles.declared(parent, 'flex-flow') ?? ''}`;
  if (/flex/i.test(display) && !/column/i.test(flow)) return false;
  if (['margin-left', 'margin-right'].some((name) => styles.isAuto(element, name))) return false;
  const align = /grid/i.test(display)
    ? (styles.declared(element, 'justify-self') ?? styles.declared(parent, 'justify-items'))
    : (styles.declared(element, 'align-self') ?? styles.declared(parent, 'align-items'));
  return align === null || /^(stretch|normal)$/i.test(align);
}

function columnsOf({ grid, spacing, isFixed, borders }: Table, own: Sizes, styles: TableStyles): readonly number[] {
  const target = own.width - own.insets.across - spacing[0] * (grid.columns.length + 1);
  if (!isFixed) return distribute(own.columns, target);
  const widthOf = (element: HtmlElement, less: number, span: number) => {
    const percent = styles.percent(element, 'width');
    if (percent !== null) return { percent: percent / span };
    if (!styles.hasLength(element, 'width')) return null;
    return { px: Math.max(0, (own.given.get(element)?.width ?? 0) - less - spacing[0] * (span - 1)) / span };
  };
  const first = grid.cells.filter(({ row }) => row === 0);
  return distributeFixed(
    grid.columns.map(({ column, group }, index) => {
      const part = [column, group].find((each) => each && styles.declared(each, 'width') !== null);
      if (part) return widthOf(part, 0, 1);
      const cell = first.find((each) => index >= each.column && index < each.column + each.columnSpan);
      return cell ? widthOf(cell.element, outsideAcross(borders?.cells.get(cell)), cell.columnSpan) : null;
    }),
    target,
  );
}

/** Rows as flex containers, so that satori says how high cells are, and where their first baselines meet. */
function* rowParts(
  { grid, borders, spacing }: Table,
  styles: TableStyles,
  own: Sizes,
): Iterable<readonly [HtmlElement, Declared]> {
  for (const caption of grid.captions) yield [caption, { height: 'auto' }];
  for (const { element } of grid.rows) {
    yield [
      element,
      {
        display: 'flex',
        'flex-flow': 'row nowrap',
        'align-items': 'flex-start',
        width: 'max-content',
        height: 'auto',
        gap: '0',
      },
    ];
  }
  for (const cell of grid.cells) {
    const width = px(widthOfCell(cell, own, spacing[0]) + outsideAcross(borders?.cells.get(cell)));
    const isOnBaseline = styles.verticalAlign(cell.element) === 'baseline';
    const align = isOnBaseline ? 'baseline' : 'flex-start';
    yield [
      cell.element,
      {
        position: 'relative',
        flex: 'none',
        'box-sizing': 'border-box',
        ...UNBOUNDED,
        width,
        height: 'auto',
        'min-height': '0',
        'padding-top': paddingTop(cell, styles, 0),
        'align-self': align,
      },
    ];
  }
}

function widthOfCell({ column, columnSpan }: TableCell, { widths }: Sizes, spacing: number): number {
  return sum(widths.slice(column, column + columnSpan)) + spacing * (columnSpan - 1);
}

function setHeights({ element, grid, borders, spacing }: Table, styles: TableStyles, own: Sizes, boxes: Boxes): void {
  const baselines = new Map<number, number>();
  const drops = new Map<TableCell, number>();
  const needs = grid.cells.map((cell) => {
    const around = borders?.cells.get(cell);
    const box = boxes.get(cell.element) ?? NO_BOX;
    const asked = styles.hasLength(cell.element, 'height') ? (own.given.get(cell.element)?.height ?? 0) : 0;
    const row = boxes.get(grid.rows[cell.row]?.element ?? cell.element) ?? box;
    const drop = styles.verticalAlign(cell.element) === 'baseline' ? box.y - row.y : 0;
    drops.set(cell, drop);
    const content = box.height - outsideDown(around) + drop;
    if (drop > 0) baselines.set(cell.row, Math.max(baselines.get(cell.row) ?? 0, content));
    return { cell, row: cell.row, span: cell.rowSpan, content, height: Math.max(content, asked - outsideDown(around)) };
  });
  const isGiven = grid.rows.map(({ element: row }, index) =>
    [row, ...grid.cells.filter((cell) => cell.row === index && cell.rowSpan === 1).map((cell) => cell.element)].some(
      (part) => styles.hasLength(part, 'height'),
    ),
  );
  const least = grid.rows.map(({ element: row }) =>
    styles.hasLength(row, 'height') ? (own.given.get(row)?.height ?? 0) : 0,
  );
  const table = own.given.get(element)?.height ?? 0;
  const around = spacing[1] * (grid.rows.length > 0 ? 2 : 0);
  own.heights = rowHeights(least, isGiven, needs, table - own.insets.down - around, spacing[1]);
  const rows = sum(own.heights) + spacing[1] * (grid.rows.length + (grid.rows.length > 0 ? 1 : 0));
  own.height = Math.max(table, rows + own.insets.down);
  own.captions = grid.captions.map((caption) => boxes.get(caption)?.height ?? 0);
  own.shifts = new Map(
    needs.map(({ cell, content }) => {
      const height = sum(own.heights.slice(cell.row, cell.row + cell.rowSpan)) + spacing[1] * (cell.rowSpan - 1);
      const align = styles.verticalAlign(cell.element);
      const spare = Math.max(0, height - content);
      return [
        cell,
        align === 'middle' ? spare / 2 : align === 'bottom' ? spare : align === 'baseline' ? (drops.get(cell) ?? 0) : 0,
      ];
    }),
  );
}

/** Each part at its place. */
function* placedParts(table: Table, styles: TableStyles, own: Sizes): Iterable<readonly [HtmlElement, Declared]> {
  const { element, grid, borders, spacing, isCaptionBelow } = table;
  const [across, down] = spacing;
  const lefts = starts(own.widths, across);
  const tops = starts(own.heights, down);
  const inner = sum(own.widths) + across * Math.max(0, own.widths.length - 1);
  const captions = sum(own.captions);
  const gridTop = isCaptionBelow ? 0 : captions;
  yield [
    element,
    {
      ...{ ...UNBOUNDED, 'min-height': '0', 'max-height': 'none', 'box-sizing': 'border-box', flex: 'none' },
      ...{ width: px(own.width), height: px(own.height + captions) },
      ...(grid.captions.length > 0 ? gridBox(table, styles, gridTop, own.height) : {}),
    },
  ];
  let captionTop = isCaptionBelow ? own.height : 0;
  for (const [i, caption] of grid.captions.entries()) {
    yield [caption, { left: '0', top: px(captionTop), width: px(own.width), 'box-sizing': 'border-box' }];
    captionTop += own.captions[i] ?? 0;
  }
  // The box of a table with a caption has no borders: those are drawn around its grid.
  const origin =
    grid.captions.length === 0
      ? own.origin
      : { x: own.origin.x + own.border.x, y: own.origin.y + own.border.y + gridTop };
  const left = origin.x + across;
  const rowBox = (first: number, count: number) => {
    const top = tops[first] ?? 0;
    const height = sum(own.heights.slice(first, first + count)) + down * Math.max(0, count - 1);
    return { top, height };
  };
  for (const { element: section, first, count } of grid.sections) {
    const { top, height } = rowBox(first, count);
    yield [
      section,
      { position: 'absolute', left: px(left), top: px(origin.y + top), width: px(inner), height: px(height) },
    ];
  }
  for (const [index, { element: row, section }] of grid.rows.entries()) {
    const { top, height } = rowBox(index, 1);
    const from = rowBox(section.first, 1).top;
    yield [
      row,
      { left: '0', top: px(top - from), width: px(inner), height: px(height), 'min-width': '0', 'max-width': 'none' },
    ];
  }
  const whole = rowBox(0, grid.rows.length);
  for (const [index, { column, group }] of grid.columns.entries()) {
    if (group && group !== grid.columns[index - 1]?.group) {
      const count = grid.columns.filter((each) => each.group === group).length;
      const width = sum(own.widths.slice(index, index + count)) + across * (count - 1);
      yield [
        group,
        {
          left: px(origin.x + (lefts[index] ?? 0)),
          top: px(origin.y + whole.top),
          width: px(width),
          height: px(whole.height),
        },
      ];
    }
    if (column && column !== grid.columns[index - 1]?.column) {
      const from = lefts[grid.columns.findIndex((each) => each.group === group)] ?? 0;
      const count = grid.columns.filter((each) => each.column === column).length;
      const width = sum(own.widths.slice(index, index + count)) + across * (count - 1);
      yield [column, { left: px((lefts[index] ?? 0) - from), top: '0', width: px(width), height: px(whole.height) }];
    }
  }
  for (const cell of grid.cells) {
    const around = borders?.cells.get(cell);
    const { height } = rowBox(cell.row, cell.rowSpan);
    const declared: Record<string, string> = {
      ...{ position: 'absolute', 'box-sizing': 'border-box', ...UNBOUNDED, 'min-height': '0', 'max-height': 'none' },
      left: px((lefts[cell.column] ?? 0) - across - outside(around, 'left')),
      top: px(-outside(around, 'top')),
      width: px(widthOfCell(cell, own, across) + outsideAcross(around)),
      height: px(height + outsideDown(around)),
      'padding-top': paddingTop(cell, styles, own.shifts.get(cell) ?? 0),
    };
    const isEmpty = !cell.element.children.some((child) => isElement(child) || child.trim() !== '');
    if (isEmpty && !borders && /^hide$/i.test(styles.inherited(cell.element, 'empty-cells') ?? '')) {
      Object.assign(declared, { background: 'none', 'border-color': 'transparent', 'box-shadow': NO_SHADOW });
    } else Object.assign(declared, behindCells(grid, cell, styles));
    yield [cell.element, declared];
  }
}

/** A table with a caption has two boxes: its element is the outer one, and `::before` the one that is decorated. */
function gridBox({ element, borders }: Table, styles: TableStyles, top: number, height: number): Declared {
  const { color, image } = styles.background(element);
  const sides = SIDES.map((side) => {
    const border = borders ? null : styles.borderText(element, side);
    return [`--platen-border-${side}`, border ?? '0px none transparent'] as const;
  });
  return {
    ...{ background: 'none', 'border-width': '0', padding: '0', 'box-shadow': NO_SHADOW },
    ...{ '--platen-top': px(top), '--platen-height': px(height), ...Object.fromEntries(sides) },
    '--platen-background':
      image === null ? (color ?? 'none') : color === null ? image : `${image}, linear-gradient(${color},${color})`,
    '--platen-radius': (borders ? null : styles.declared(element, 'border-radius')) ?? '0px',
    '--platen-shadow': shadowOf(element, styles),
  };
}

function shadowOf(element: HtmlElement, styles: TableStyles): string {
  const shadow = styles.declared(element, 'box-shadow');
  return shadow === null || /^none$/i.test(shadow) ? NO_SHADOW : shadow;
}

function paddingTop({ element }: TableCell, styles: TableStyles, shift: number): string {
  const own = styles.declared(element, 'padding-top') ?? '0px';
  return shift === 0 ? own : `calc((${own === '0' ? '0px' : own}) + ${px(shift)})`;
}

/** Where each of several boxes begins, with a gap before each. */
function starts(lengths: readonly number[], gap: number): readonly number[] {
  let at = 0;
  return lengths.map((length) => {
    at += gap + length;
    return at - length;
  });
}

const sum = (lengths: readonly number[]): number => lengths.reduce((total, each) => total + each, 0);
