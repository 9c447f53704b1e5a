// Collapses the borders of a table (CSS 2.2, section 17.6.2): of those that meet on a line of its grid, one is drawn.
//
// The lines run through the middle of the borders, of which each cell has half. Lines that go on are drawn as one.

import type { Rect } from '../geometry.ts';
import { PLAIN_FRAME, plainFlex } from '../resolve/plain-node.ts';
import { winningBorder } from '../resolve/resolve-style.ts';
import type { Border, Sides, TableCell, TableNode } from '../resolve/scene.ts';
import type { BorderedRow, FrameBox, RowOfCells } from './box.ts';

/** The border on each column's part of a line. */
type Line = readonly (Border | null)[];

const STYLES: readonly Border['style'][] = ['dotted', 'dashed', 'solid'];

const winner = (...borders: readonly (Border | null | undefined)[]) =>
  winningBorder(borders, ({ style }) => STYLES.indexOf(style));

export class TableBorders {
  readonly #node: TableNode;
  readonly #count: number;
  readonly #owners = new WeakMap<readonly TableCell[], readonly (readonly (TableCell | null)[])[]>();
  /** By the cells above and those below. */
  readonly #between = new WeakMap<object, WeakMap<object, Line>>();

  constructor(node: TableNode) {
    this.#node = node;
    this.#count = node.columns.length;
  }

  /** Halves of the widest borders at the left and right of the table, px. */
  get sides(): { readonly left: number; readonly right: number } {
    const half = (of: (line: Line) => Border | null | undefined) =>
      Math.max(
        0,
        ...this.#node.rows.looks.map((row) => Math.max(...this.#verticals(row).map((line) => of(line)?.width ?? 0))),
      ) / 2;
    return { left: half((line) => line[0]), right: half((line) => line[this.#count]) };
  }

  /** What a cell has of the borders around it, px. @param above @param below the rows around its own; null = none */
  insetsOf(
    cell: TableCell,
    row: RowOfCells,
    above: RowOfCells | null,
    below: RowOfCells | null,
  ): Readonly<Sides<number>> {
    const lines = this.#horizontals(row, above, below);
    const columns = Array.from({ length: cell.span }, (_, i) => cell.column + i);
    const half = (borders: readonly (Border | null | undefined)[]) =>
      Math.max(0, ...borders.map((border) => border?.width ?? 0)) / 2;
    const along = (line: number) => half(columns.map((column) => lines[line]?.[column]));
    const verticals = this.#verticals(row).slice(cell.line, cell.line + cell.lineSpan);
    return {
      top: along(cell.line),
      bottom: along(cell.line + cell.lineSpan),
      left: half(verticals.map((line) => line[cell.column])),
      right: half(verticals.map((line) => line[cell.column + cell.span])),
    };
  }

  /** Half of the widest border above or below a row that has no neighbour there, px. */
  outer(row: RowOfCells | undefined, at: 'top' | 'bottom'): number {
    if (!row) return (this.#node.border?.width ?? 0) / 2;
    const line = at === 'top' ? this.#meeting(null, row) : this.#meeting(row, null);
    return Math.max(0, ...line.map((border) => border?.width ?? 0)) / 2;
  }

  /**
   * The borders of rows below each other; the first and the last have the table's beyond them, so that it is closed on
   * each page.
   *
   * @param starts the left of each column and the right of the last, px
   */
  boxes(rows: readonly BorderedRow[], starts: readonly number[]): readonly FrameBox[] {
    const lines: { readonly y: number; readonly line: Line }[] = [];
    const segments: { readonly top: number; readonly bottom: number; readonly line: Line }[] = [];
    for (const [i, { row, tops }] of rows.entries()) {
      const horizontals = this.#horizontals(row, rows[i - 1]?.row ?? null, rows[i + 1]?.row ?? null);
      const isLast = i === rows.length - 1;
      for (const [at, y] of tops.entries()) {
        if (at < tops.length - 1 || isLast) lines.push({ y, line: horizontals[at] ?? [] });
      }
      for (const [at, line] of this.#verticals(row).entries()) {
        segments.push({ top: tops[at] ?? 0, bottom: tops[at + 1] ?? tops.at(-1) ?? 0, line });
      }
    }
    const [first, last] = [lines[0], lines.at(-1)];
    const boxes: { readonly width: number; readonly box: FrameBox }[] = [];
    const add = (border: Border, rect: Rect) => boxes.push({ width: border.width, box: this.#box(border, rect) });
    for (let column = 0; column <= this.#count; column += 1) {
      const x = starts[column] ?? 0;
      const ends = (line: Line | undefined) => Math.max(line?.[column - 1]?.width ?? 0, line?.[column]?.width ?? 0) / 2;
      let open: { border: Border; top: number; bottom: number } | null = null;
      const close = () => {
        if (!open) return;
        const { border, top, bottom } = open;
        const from = top === first?.y ? top - ends(first.line) : top;
        const to = bottom === last?.y ? bottom + ends(last.line) : bottom;
        add(border, { x: x - border.width / 2, y: from, width: border.width, height: to - from });
        open = null;
      };
      for (const { top, bottom, line } of segments) {
        const border = line[column] ?? null;
        if (open && border && isSameBorder((open as { border: Border }).border, border)) {
          (open as { bottom: number }).bottom = bottom;
          continue;
        }
        close();
        if (border) open = { border, top, bottom };
      }
      close();
    }
    const half = (y: number, column: number) =>
      Math.max(
        0,
        ...segments.filter(({ top, bottom }) => top === y || bottom === y).map(({ line }) => line[column]?.width ?? 0),
      ) / 2;
    for (const { y, line } of lines) {
      for (let column = 0; column < this.#count; column += 1) {
        const border = line[column];
        if (!border) continue;
        const start = column;
        while (isSameBorder(line[column + 1], border)) column += 1;
        const from = (starts[start] ?? 0) - half(y, start);
        const to = (starts[column + 1] ?? 0) + half(y, column + 1);
        add(border, { x: from, y: y - border.width / 2, width: to - from, height: border.width });
      }
    }
    // Where they meet, the wider one is on top.
    return boxes.sort((a, b) => a.width - b.width).map(({ box }) => box);
  }

  #box(border: Border, rect: Rect): FrameBox {
    const isFlat = rect.width > rect.height;
    const node = {
      ...PLAIN_FRAME,
      name: this.#node.name,
      layout: ROW,
      ...(border.style === 'solid'
        ? { background: { kind: 'solid', color: border.color } as const }
        : { sideBorders: { ...NO_BORDERS, ...(isFlat ? { top: border } : { left: border }) } }),
    };
    return { kind: 'frame', node, rect, children: [] };
  }

  /** The lines of a row from its top to its bottom. */
  #horizontals(row: RowOfCells, above: RowOfCells | null, below: RowOfCells | null): readonly Line[] {
    const owners = this.#ownersOf(row);
    const inner = owners.slice(1).map((line, i) =>
      line.map((cell, column) => {
        const over = owners[i]?.[column] ?? null;
        return over === cell ? null : winner(over?.borders?.bottom, cell?.borders?.top);
      }),
    );
    return [this.#meeting(above, row), ...inner, this.#meeting(row, below)];
  }

  /** The line between two rows; null = the edge of the table. */
  #meeting(above: RowOfCells | null, below: RowOfCells | null): Line {
    const [a, b] = [above?.cells ?? EDGE, below?.cells ?? EDGE];
    const known = this.#between.get(a)?.get(b);
    if (known) return known;
    const over = above ? this.#ownersOf(above).at(-1) : undefined;
    const under = below ? this.#ownersOf(below)[0] : undefined;
    const rule = this.#ruleBetween(above, below);
    const edge = above && below ? null : this.#node.border;
    const line = Array.from({ length: this.#count }, (_, column) =>
      winner(over?.[column]?.borders?.bottom, under?.[column]?.borders?.top, rule, edge),
    );
    const row = this.#between.get(a) ?? new WeakMap<object, Line>();
    this.#between.set(a, row.set(b, line));
    return line;
  }

  #ruleBetween(above: RowOfCells | null, below: RowOfCells | null): Border | null {
    const { headRule, footRule, rule } = this.#node;
    if (above?.kind === 'head' && below?.kind !== 'head') return headRule;
    if (below?.kind === 'foot' && above?.kind !== 'foot') return footRule;
    return above && above.kind !== 'head' && above.kind !== 'foot' ? rule : null;
  }

  /** Of each line of a row, the borders at the left of each column and at the right of the last. */
  #verticals(row: RowOfCells): readonly Line[] {
    const { border, columnRule } = this.#node;
    return this.#ownersOf(row).map((line) =>
      Array.from({ length: this.#count + 1 }, (_, column) => {
        const [left, right] = [line[column - 1] ?? null, line[column] ?? null];
        if (column > 0 && column < this.#count && left === right) return null;
        const whole = column === 0 || column === this.#count ? border : columnRule;
        return winner(left?.borders?.right, right?.borders?.left, whole);
      }),
    );
  }

  /** The cell on each column of each line. */
  #ownersOf({ cells, lines }: RowOfCells): readonly (readonly (TableCell | null)[])[] {
    let owners = this.#owners.get(cells);
    if (!owners) {
      const grid = Array.from({ length: lines }, () => new Array<TableCell | null>(this.#count).fill(null));
      for (const cell of cells) {
        for (let line = cell.line; line < cell.line + cell.lineSpan; line += 1) {
          grid[line]?.fill(cell, cell.column, cell.column + cell.span);
        }
      }
      owners = grid;
      this.#owners.set(cells, owners);
    }
    return owners;
  }
}

const isSameBorder = (a: Border | null | undefined, b: Border): boolean =>
  a === b ||
  (!!a &&
    a.width === b.width &&
    a.style === b.style &&
    a.color.r === b.color.r &&
    a.color.g === b.color.g &&
    a.color.b === b.color.b &&
    a.color.a === b.color.a);

const EDGE: readonly TableCell[] = [];
const NO_BORDERS: Sides<Border | null> = { top: null, right: null, bottom: null, left: null };
const ROW = plainFlex('row');
