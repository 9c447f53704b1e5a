// Collapses the borders of a table (CSS 2.2, section 17.6.2): of those that meet on a line of its grid, one is drawn.
//
// Each side of a cell gets one border, the widest that wins along it. The cell on the right of a line draws it, or the
// one below it: it is painted later, so that its border lies on the backgrounds of both.

import type { HtmlElement } from '../parse-html.ts';
import type { TableCell, TableGrid } from './table-grid.ts';
import { type Border, SIDES, type Side, type TableStyles } from './table-styles.ts';

/** The borders around a cell; null = none. `isOwn`: the cell draws it, and lies on its outer half too. */
export type CellBorders = Readonly<Record<Side, { readonly border: Border; readonly isOwn: boolean } | null>>;

const ORDER = ['inset', 'groove', 'outset', 'ridge', 'dotted', 'dashed', 'solid', 'double'];

/** The border that wins (section 17.6.2.1): none where one is hidden; the wider; the more solid; the first. */
function winner(borders: readonly (Border | null)[]): Border | null {
  let best: Border | null = null;
  for (const border of borders) {
    if (!border) continue;
    if (border.style === 'hidden') return null;
    const more = best ? border.width - best.width || ORDER.indexOf(border.style) - ORDER.indexOf(best.style) : 1;
    if (more > 0) best = border;
  }
  return best && best.width > 0 ? best : null;
}

export class CollapsedBorders {
  readonly #table: HtmlElement;
  readonly #grid: TableGrid;
  readonly #styles: TableStyles;
  readonly #slots: readonly (readonly (TableCell | null)[])[];
  readonly #read = new Map<HtmlElement, Readonly<Record<Side, Border | null>>>();
  readonly cells: ReadonlyMap<TableCell, CellBorders>;

  constructor(table: HtmlElement, grid: TableGrid, styles: TableStyles) {
    this.#table = table;
    this.#grid = grid;
    this.#styles = styles;
    const slots = grid.rows.map(() => new Array<TableCell | null>(grid.columns.length).fill(null));
    for (const cell of grid.cells) {
      for (let row = cell.row; row < cell.row + cell.rowSpan; row += 1) {
        slots[row]?.fill(cell, cell.column, cell.column + cell.columnSpan);
      }
    }
    this.#slots = slots;
    this.cells = new Map(grid.cells.map((cell) => [cell, this.#around(cell)]));
  }

  /** Halves of the widest borders at the edges of the table, px: what its own box has around its cells. */
  get edges(): Readonly<Record<Side, number>> {
    const { rows, columns } = this.#grid;
    const at: Readonly<Record<Side, (cell: TableCell) => boolean>> = {
      top: (cell) => cell.row === 0,
      bottom: (cell) => cell.row + cell.rowSpan === rows.length,
      left: (cell) => cell.column === 0,
      right: (cell) => cell.column + cell.columnSpan === columns.length,
    };
    const widest = (side: Side) =>
      Math.max(0, ...[...this.cells].map(([cell, own]) => (at[side](cell) ? (own[side]?.border.width ?? 0) : 0))) / 2;
    return { top: widest('top'), right: widest('right'), bottom: widest('bottom'), left: widest('left') };
  }

  #around(cell: TableCell): CellBorders {
    const [right, below] = [cell.column + cell.columnSpan, cell.row + cell.rowSpan];
    const rows = range(cell.row, below);
    const columns = range(cell.column, right);
    const left = rows.map((row) => this.#vertical(row, cell.column));
    const atRight = rows.map((row) => this.#vertical(row, right));
    const top = columns.map((column) => this.#horizontal(cell.row, column));
    const bottom = columns.map((column) => this.#horizontal(below, column));
    const side = (borders: readonly (Border | null)[], isOwn: boolean) => {
      const border = winner(borders);
      return border && { border, isOwn };
    };
    return {
      top: side(top, true),
      left: side(left, true),
      right: side(
        atRight,
        rows.some((row) => !this.#slots[row]?.[right]),
      ),
      bottom: side(
        bottom,
        columns.some((column) => !this.#slots[below]?.[column]),
      ),
    };
  }

  /** The border at the left of a slot. */
  #vertical(row: number, column: number): Border | null {
    const [before, after] = [this.#slots[row]?.[column - 1] ?? null, this.#slots[row]?.[column] ?? null];
    if (before && before === after) return null;
    const { rows, columns } = this.#grid;
    const isEdge = column === 0 || column === columns.length;
    const side = column === 0 ? 'left' : 'right';
    const line = rows[row];
    const edge = isEdge && line ? [line.element, line.section.element].map((part) => this.#of(part, side)) : [];
    const [last, next] = [columns[column - 1], columns[column]];
    return winner([
      before && this.#of(before.element, 'right'),
      after && this.#of(after.element, 'left'),
      ...edge,
      ...[last?.column].map((part) => this.#of(part, 'right')),
      ...[next?.column].map((part) => this.#of(part, 'left')),
      ...(last?.group === next?.group ? [] : [this.#of(last?.group, 'right'), this.#of(next?.group, 'left')]),
      isEdge ? this.#of(this.#table, side) : null,
    ]);
  }

  /** The border above a slot. */
  #horizontal(row: number, column: number): Border | null {
    const [above, below] = [this.#slots[row - 1]?.[column] ?? null, this.#slots[row]?.[column] ?? null];
    if (above && above === below) return null;
    const { rows, columns } = this.#grid;
    const isEdge = row === 0 || row === rows.length;
    const side = row === 0 ? 'top' : 'bottom';
    const [over, under] = [rows[row - 1], rows[row]];
    const sections =
      over?.section === under?.section
        ? []
        : [this.#of(over?.section.element, 'bottom'), this.#of(under?.section.element, 'top')];
    const edge = isEdge ? [columns[column]?.column, columns[column]?.group, this.#table] : [];
    return winner([
      above && this.#of(above.element, 'bottom'),
      below && this.#of(below.element, 'top'),
      this.#of(over?.element, 'bottom'),
      this.#of(under?.element, 'top'),
      ...sections,
      ...edge.map((part) => this.#of(part, side)),
    ]);
  }

  #of(element: HtmlElement | null | undefined, side: Side): Border | null {
    if (!element) return null;
    let borders = this.#read.get(element);
    if (!borders) {
      const read = SIDES.map((each) => [each, this.#styles.border(element, each)] as const);
      borders = Object.fromEntries(read) as Record<Side, Border | null>;
      this.#read.set(element, borders);
    }
    return borders[side];
  }
}

const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, i) => from + i);
