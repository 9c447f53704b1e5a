// Computes the sizes of a table and its parts from the boxes that satori measured.

import type { Rect } from '#core/geometry.ts';
import type { HtmlElement } from '../parse-html.ts';
import type { CellBorders } from './collapsed-borders.ts';
import { boundsOfAll, columnBounds, distribute, distributeFixed, type WidthBounds } from './column-widths.ts';
import type { Table } from './read-tables.ts';
import type { TableCell } from './table-grid.ts';
import type { SIDES, TableStyles } from './table-styles.ts';

/** Boxes of elements, px. */
export type Boxes = ReadonlyMap<HtmlElement, Rect>;

/** What is known of a table so far; lengths in px. */
export interface Sizes {
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

export function initialSizes({ element, grid }: Table, mins: Boxes, given: Boxes): Sizes {
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

export function setBounds(
  { grid, borders, spacing, isFixed }: Table,
  styles: TableStyles,
  own: Sizes,
  mins: Boxes,
): void {
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

export function columnsOf(
  { grid, spacing, isFixed, borders }: Table,
  own: Sizes,
  styles: TableStyles,
): readonly number[] {
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

export function setHeights(
  { element, grid, borders, spacing }: Table,
  styles: TableStyles,
  own: Sizes,
  boxes: Boxes,
): void {
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

export function widthOfCell({ column, columnSpan }: TableCell, { widths }: Sizes, spacing: number): number {
  return sum(widths.slice(column, column + columnSpan)) + spacing * (columnSpan - 1);
}

/** How much of a cell's box lies outside the middle of collapsed borders: less than nothing where it ends before it. */
export function outside(around: CellBorders | undefined, side: (typeof SIDES)[number]): number {
  const here = around?.[side];
  return here ? (here.border.width / 2) * (here.isOwn ? 1 : -1) : 0;
}

export const outsideAcross = (around: CellBorders | undefined) => outside(around, 'left') + outside(around, 'right');
export const outsideDown = (around: CellBorders | undefined) => outside(around, 'top') + outside(around, 'bottom');

/** Where each of several boxes begins, with a gap before each. */
export function starts(lengths: readonly number[], gap: number): readonly number[] {
  let at = 0;
  return lengths.map((length) => {
    at += gap + length;
    return at - length;
  });
}

export const sum = (lengths: readonly number[]): number => lengths.reduce((total, each) => total + each, 0);

export const NO_BOX: Rect = { x: 0, y: 0, width: 0, height: 0 };

// Computes the heights of a table's rows (CSS 2.2, section 17.5.3; CSS Tables 3, section 3.10).

/** The height that a cell needs: its border box, px. */
interface CellHeight {
  readonly row: number;
  readonly span: number;
  readonly height: number;
}

/**
 * @param least of each row, px: by its own `height` and its cells on one baseline
 * @param isGiven for each row, whether it has a `height`
 * @param whole what all rows together should have, px; null = as much as they need
 * @param spacing between rows, px
 */
function rowHeights(
  least: readonly number[],
  isGiven: readonly boolean[],
  cells: readonly CellHeight[],
  whole: number | null,
  spacing: number,
): readonly number[] {
  const heights = [...least];
  for (const { row, span, height } of cells) if (span === 1) heights[row] = Math.max(heights[row] ?? 0, height);
  const spanning = cells.filter(({ span }) => span > 1).toSorted((a, b) => a.span - b.span);
  for (const { row, span, height } of spanning) {
    const last = row + span - 1;
    const own = heights.slice(row, last + 1);
    const missing = height - spacing * (span - 1) - total(own);
    if (missing <= 0) continue;
    // As in Chromium: rows in which another such cell begins take it; else all in proportion to what they have.
    const begins = [...new Set(spanning.map((each) => each.row).filter((each) => each > row && each <= last))];
    if (begins.length > 0) for (const each of begins) heights[each] = (heights[each] ?? 0) + missing / begins.length;
    else if (total(own) > 0)
      for (const [i, each] of own.entries()) heights[row + i] = each + (missing * each) / total(own);
    else heights[last] = missing;
  }
  const spare = whole === null ? 0 : whole - total(heights) - spacing * Math.max(0, heights.length - 1);
  if (spare <= 0) return heights;
  const open = heights.map((height, row) => (isGiven[row] ? 0 : height));
  const weights = total(open) > 0 ? open : heights;
  const weight = total(weights);
  return heights.map(
    (height, row) => height + (weight > 0 ? (spare * (weights[row] ?? 0)) / weight : spare / heights.length),
  );
}

const total = (heights: readonly number[]): number => heights.reduce((sum, each) => sum + each, 0);
