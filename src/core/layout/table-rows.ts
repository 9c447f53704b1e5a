// Lays out a table's rows: the heights of all of them, and the boxes of one when it is asked for.
//
// Only heights are kept, so that a table of 50,000 rows takes some bytes for each; a page makes the boxes of its rows and
// drops them. A cell that is surely on one line is not measured at all.

import type { Edges, Rect } from '../geometry.ts';
import { PLAIN_FRAME, plainFlex } from '../resolve/plain-node.ts';
import type { Border, FrameNode, Sides, TableCell, TableNode, TextNode } from '../resolve/scene.ts';
import type { Resources } from '../resources.ts';
import { layOutText, longestWord, type PreparedText, prepareText } from '../text/lay-out-text.ts';
import type { Paragraph } from '../text/paragraph.ts';
import { PlainLines } from '../text/plain-lines.ts';
import type { FrameBox, LayoutBox, TextBox } from './box.ts';
import { columnWidths } from './table-columns.ts';

/** Parts of a px, browsers' layout unit: widths are rounded up to it, so that a line that fitted when measured still fits. */
const UNIT = 64;

type RowKind = 'head' | 'body' | 'foot';

/** A table laid out at one width. */
export class TableRows {
  readonly node: TableNode;
  readonly width: number;
  readonly columns: readonly number[];
  readonly #resources: Resources;
  /** The tops of all rows and the bottom of the last, px from the top of the table's border box. */
  readonly #tops: Float64Array;
  readonly #starts: readonly number[];
  readonly #lines = new Map<TableCell, PlainLines>();

  /** @param width of the border box, px; null = as wide as its columns want to be */
  constructor(node: TableNode, width: number | null, resources: Resources) {
    this.node = node;
    this.#resources = resources;
    const edge = 2 * (node.border?.width ?? 0);
    this.columns = columnWidths(node.columns, width === null ? null : Math.max(0, width - edge), (column) =>
      this.#contentOf(column),
    );
    let x = edge / 2;
    this.#starts = this.columns.map((each) => {
      const start = x;
      x += each;
      return start;
    });
    this.width = width ?? x + edge / 2;
    this.#tops = this.#measured(edge / 2);
  }

  get count(): number {
    return this.#tops.length - 1;
  }

  get height(): number {
    return this.top(this.count) + (this.node.border?.width ?? 0);
  }

  /** The top of a row, or the bottom of the last. */
  top(row: number): number {
    return this.#tops[row] ?? 0;
  }

  kindOf(row: number): RowKind {
    const { head, body } = this.node;
    if (row < head.length) return 'head';
    return row < head.length + body.length ? 'body' : 'foot';
  }

  /** The boxes of a row. @param origin of the table's border box, px */
  row(row: number, origin: { readonly x: number; readonly y: number }): FrameBox {
    const cells = this.#cells(row);
    const y = origin.y + this.top(row);
    const rect = { x: origin.x + (this.#starts[0] ?? 0), y, width: this.#innerWidth, height: this.#height(row) };
    const look = this.#look(row);
    const inner = rect.height - (look.sideBorders?.top?.width ?? 0) - (look.sideBorders?.bottom?.width ?? 0);
    const top = y + (look.sideBorders?.top?.width ?? 0);
    const children = cells.flatMap(({ cell, text }): LayoutBox[] => {
      const area = {
        x: origin.x + (this.#starts[cell.column] ?? 0),
        y: top,
        width: this.#widthOf(cell),
        height: inner,
      };
      return this.#cellBoxes(cell, text, area);
    });
    return { kind: 'frame', node: look, rect, children, tableRow: { index: row, columns: this.columns } };
  }

  get #innerWidth(): number {
    return this.columns.reduce((sum, each) => sum + each, 0);
  }

  #height(row: number): number {
    return this.top(row + 1) - this.top(row);
  }

  #widthOf({ column, span }: TableCell): number {
    let width = 0;
    for (let i = column; i < column + span; i += 1) width += this.columns[i] ?? 0;
    return width;
  }

  #cells(row: number): readonly { readonly cell: TableCell; readonly text: string | null }[] {
    const { head, body, foot, row: cells } = this.node;
    const texts = body[row - head.length];
    if (this.kindOf(row) === 'body') return cells.map((cell, i) => ({ cell, text: texts?.[i] ?? '' }));
    const given = head[row] ?? foot[row - head.length - body.length] ?? [];
    return given.map((cell) => ({ cell, text: null }));
  }

  #cellBoxes(cell: TableCell, text: string | null, area: Rect): LayoutBox[] {
    const node = text === null ? cell.text : withText(cell.text, text);
    const rect = within(area, cell.padding, this.#ruleOf(cell));
    const paragraph = this.#paragraph(cell, text, rect.width);
    const before = (rect.height - paragraph.size.height) * BEFORE[node.verticalAlign];
    const content = { ...rect, y: rect.y + before, height: paragraph.size.height };
    const words: TextBox = { kind: 'text', node, rect, paragraph, content };
    const rule = this.#ruleOf(cell) === null ? null : this.node.columnRule;
    if (cell.background === null && rule === null) return [words];
    const frame: FrameNode = {
      ...PLAIN_FRAME,
      placement: cell.text.placement,
      name: node.name,
      layout: ROW,
      background: cell.background,
      sideBorders: rule && { ...NO_BORDERS, right: rule },
    };
    return [{ kind: 'frame', node: frame, rect: area, children: [words] }];
  }

  /** The line after a cell that is not the last of its row. */
  #ruleOf({ column, span }: TableCell): Border | null {
    return column + span < this.columns.length ? this.node.columnRule : null;
  }

  #paragraph(cell: TableCell, text: string | null, width: number): Paragraph {
    if (text === null) return this.#general(cell.text, width);
    return this.#linesOf(cell).layOut(text, width) ?? this.#general(withText(cell.text, text), width);
  }

  #general(node: TextNode, width: number): Paragraph {
    return layOutText(this.#prepared(node), width, null);
  }

  #prepared(node: TextNode): PreparedText {
    const { fonts, images, hyphenators } = this.#resources;
    return prepareText(node, fonts, images, hyphenators);
  }

  #linesOf(cell: TableCell): PlainLines {
    let lines = this.#lines.get(cell);
    if (!lines) {
      lines = new PlainLines(cell.text, this.#resources.fonts);
      this.#lines.set(cell, lines);
    }
    return lines;
  }

  #look(row: number): FrameNode {
    const { head, body, foot, zebra, rule, headRule, footRule, splitsRows, name } = this.node;
    const kind = this.kindOf(row);
    const index = row - head.length;
    const isLastOfBody = kind === 'body' && index === body.length - 1;
    const bottom =
      kind === 'head' ? (row === head.length - 1 ? headRule : null) : isLastOfBody && foot.length > 0 ? null : rule;
    const top = kind === 'foot' && index === body.length ? footRule : null;
    return {
      ...PLAIN_FRAME,
      name,
      layout: ROW,
      fragmentation: splitsRows ? null : WHOLE_ROW,
      background: kind === 'body' && index % 2 === 1 ? zebra : null,
      sideBorders:
        top === null && (bottom === null || kind === 'foot')
          ? null
          : { ...NO_BORDERS, top, bottom: kind === 'foot' ? null : bottom },
    };
  }

  #measured(from: number): Float64Array {
    const { head, body, foot } = this.node;
    const count = head.length + body.length + foot.length;
    const tops = new Float64Array(count + 1);
    tops[0] = from;
    for (let row = 0; row < count; row += 1) {
      let height = 0;
      for (const { cell, text } of this.#cells(row)) height = Math.max(height, this.#cellHeight(cell, text));
      const look = this.#look(row).sideBorders;
      tops[row + 1] = (tops[row] ?? 0) + height + (look?.top?.width ?? 0) + (look?.bottom?.width ?? 0);
    }
    return tops;
  }

  #cellHeight(cell: TableCell, text: string | null): number {
    const { top, right, bottom, left } = cell.padding;
    const room = this.#widthOf(cell) - left - right - (this.#ruleOf(cell)?.width ?? 0);
    const height = text === null ? null : this.#linesOf(cell).heightOf(text, room);
    return top + (height ?? this.#paragraph(cell, text, room).size.height) + bottom;
  }

  #contentOf(column: number): { readonly min: number; readonly max: number } {
    const { head, foot, row, body } = this.node;
    let [min, max] = [0, 0];
    const measure = (cell: TableCell, text: string | null) => {
      const prepared = this.#prepared(text === null ? cell.text : withText(cell.text, text));
      const around =
        cell.padding.left + cell.padding.right + (this.#isLast(cell) ? 0 : (this.node.columnRule?.width ?? 0));
      max = Math.max(max, Math.ceil(layOutText(prepared, null, null).size.width * UNIT) / UNIT + around);
      min = Math.max(min, Math.ceil(longestWord(prepared) * UNIT) / UNIT + around);
    };
    for (const cells of [...head, ...foot]) {
      for (const cell of cells) if (cell.column === column && cell.span === 1) measure(cell, null);
    }
    for (const [index, cell] of row.entries()) {
      if (cell.column !== column || cell.span !== 1) continue;
      const texts = new Set(body.map((each) => each[index] ?? ''));
      for (const text of texts) measure(cell, text);
    }
    return { min, max };
  }

  #isLast({ column, span }: TableCell): boolean {
    return column + span >= this.node.columns.length;
  }
}

/** The share of the spare space that lies before the first line. */
const BEFORE = { top: 0, middle: 0.5, bottom: 1 } as const;

const NO_BORDERS: Sides<Border | null> = { top: null, right: null, bottom: null, left: null };

const WHOLE_ROW = {
  pages: 'all',
  isFlow: false,
  before: 'auto',
  after: 'auto',
  avoidsInside: true,
  repeatAt: null,
  orphans: 1,
  widows: 1,
  clones: false,
  heading: null,
} as const;

const ROW = plainFlex('row');

function withText(node: TextNode, text: string): TextNode {
  const [span] = node.spans;
  return span ? { ...node, spans: [{ ...span, text }] } : node;
}

function within({ x, y, width, height }: Rect, padding: Edges, rule: Border | null): Rect {
  return {
    x: x + padding.left,
    y: y + padding.top,
    width: Math.max(0, width - padding.left - padding.right - (rule?.width ?? 0)),
    height: Math.max(0, height - padding.top - padding.bottom),
  };
}
