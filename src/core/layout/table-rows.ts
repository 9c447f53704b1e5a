// Lays out a table's rows: the heights of all of them, and the boxes of one when it is asked for.
//
// Only heights are kept, so that a table of 50,000 rows takes some bytes for each; a page makes the boxes of its rows and
// drops them. A cell that is surely on one line is not measured at all.

import type { Edges, Rect, Size } from '../geometry.ts';
import { linkToPlace, type NumberedPlace } from '../page-link.ts';
import { laterCodeKey } from '../resolve/needs.ts';
import { PLAIN_FRAME, plainFlex } from '../resolve/plain-node.ts';
import { digitPlaces, printedValue } from '../resolve/printed-digits.ts';
import type {
  Border,
  CarriedRow,
  CodeNode,
  FrameNode,
  ListedHeading,
  Sides,
  TableCell,
  TableNode,
  TableRow,
  TextNode,
} from '../resolve/scene.ts';
import { spansOf } from '../resolve/table-cells.ts';
import type { Resources } from '../resources.ts';
import { ARTEFACT, type Role, type RowRole } from '../role.ts';
import { isNumber, layOutText, longestWord, type PreparedText, prepareText } from '../text/lay-out-text.ts';
import type { Paragraph } from '../text/paragraph.ts';
import { PlainLines } from '../text/plain-lines.ts';
import type { BorderedRow, FrameBox, LayoutBox, RowOfCells, ShownRow, TextBox } from './box.ts';
import { type CodeContents, captionText, codeBox } from './code-box.ts';
import { TableBorders } from './table-borders.ts';
import { type ColumnContent, columnWidths } from './table-columns.ts';

/** Parts of a px, browsers' layout unit: widths are rounded up to it, so that a line that fitted when measured still fits. */
const UNIT = 64;

/** The rows around one, with which its borders collapse; null = the edge of the table. */
interface Neighbours {
  readonly above: RowOfCells | null;
  readonly below: RowOfCells | null;
}

/** A table laid out at one width. */
export class TableRows {
  readonly node: TableNode;
  readonly width: number;
  readonly columns: readonly number[];
  readonly #resources: Resources;
  /** The tops of all rows and the bottom of the last, px from the top of the table's border box; null = not measured yet. */
  #tops: Float64Array | null = null;
  /** The lefts of all columns and the right of the last, px from the left of the table's border box. */
  readonly #starts: readonly number[];
  readonly #lines = new Map<TableCell, PlainLines>();
  /** null = borders do not collapse. */
  readonly #borders: TableBorders | null;
  /** The border of the table, or what of it lies outside its cells, px. */
  readonly #edges: Edges;
  readonly #carried = new Map<CarriedRow, number>();
  readonly #shapes = new WeakMap<readonly TableCell[], RowRole>();
  /** Of each flexible column, the text that its least width is for. */
  readonly #longest = new Map<number, CellText>();
  /** Of columns that are aligned at their decimal signs, how far their texts go on after these, px. */
  readonly #decimals = new Map<number, number>();
  /** The text that goes farthest beyond its cell, by how many px, and how many do. */
  #beyond: { readonly cell: CellText; readonly by: number } | null = null;
  #countBeyond = 0;
  /** The width that its columns have together, px; null = as much as they want. */
  readonly room: number | null;
  /** Where the headings are that rows list; null = their pages are not known: all is on one. */
  places: ReadonlyMap<ListedHeading, NumberedPlace> | null = null;

  /** How much it was shrunk; 1 = it is as large as it is written. */
  readonly scale: number;

  /** @param width of the border box, px; null = as wide as its columns want to be */
  constructor(node: TableNode, width: number | null, resources: Resources, scale = 1) {
    this.node = node;
    this.scale = scale;
    this.#resources = resources;
    this.#borders = node.collapses ? new TableBorders(node) : null;
    const own = node.border?.width ?? 0;
    this.#edges = this.#borders
      ? {
          ...this.#borders.sides,
          top: this.#borders.outer(node.rows.look(0), 'top'),
          bottom: this.#borders.outer(node.rows.look(node.rows.length - 1), 'bottom'),
        }
      : { top: own, right: own, bottom: own, left: own };
    const { left, right } = this.#edges;
    this.room = width === null ? null : Math.max(0, width - left - right);
    this.columns = columnWidths(
      node.columns,
      this.room,
      (column) => this.#contentOf(column, false),
      (column) => this.#contentOf(column, true).min,
    );
    let x = left;
    this.#starts = [x, ...this.columns.map((each) => (x += each))];
    this.width = width ?? x + right;
  }

  get count(): number {
    return this.node.rows.length;
  }

  get height(): number {
    return this.top(this.count) + this.#edges.bottom;
  }

  /** The top of a row, or the bottom of the last. */
  top(row: number): number {
    this.#tops ??= this.#measured(this.#edges.top);
    return this.#tops[row] ?? 0;
  }

  /** What its columns need, with words whole, of the room that they have; more than 1 = they are too wide. */
  get crowding(): number {
    const whole = columnWidths(this.node.columns, this.room, (column) => this.#contentOf(column, false));
    const needed = whole.reduce((sum, each) => sum + each, 0);
    return this.room === null || needed <= this.room + VISIBLE ? 1 : needed / Math.max(1, this.room);
  }

  /** The width that each column would have with room enough, between its longest word and `most`, px. */
  naturalColumns(most: number): readonly number[] {
    return this.node.columns.map((column, index) => {
      if (column.kind === 'px') return column.value;
      if (column.kind === 'percent') return ((this.room ?? 0) * column.value) / 100;
      const { min, max } = this.#contentOf(index, false);
      return Math.max(min, Math.min(max, most));
    });
  }

  /** The box of a row. @param origin of the table's border box, px @param isContinued whether it is the header of a group, shown again */
  row(index: number, origin: { readonly x: number; readonly y: number }, isContinued = false): FrameBox {
    const given = this.node.rows.at(index);
    if (!given) throw new RangeError(`There is no row ${index}.`);
    const row = (isContinued ? continued(given) : null) ?? given;
    const height = this.top(index + 1) - this.top(index);
    return this.#box(
      this.#withPage(row),
      this.#linked(row, this.#look(row, index)),
      this.#neighbours(index),
      { ...origin, y: origin.y + this.top(index) },
      height,
      index,
    );
  }

  /** A row with the page of the heading that it lists. */
  #withPage(row: TableRow): TableRow {
    const { lists, texts } = row;
    if (!lists) return row;
    const page = String(this.places?.get(lists.heading)?.number ?? 1);
    return { ...row, texts: texts.map((text, i) => (lists.cells.includes(i) ? page : text)) };
  }

  #linked({ lists }: TableRow, look: FrameNode): FrameNode {
    const place = lists && this.places?.get(lists.heading);
    return place ? { ...look, link: linkToPlace(place) } : look;
  }

  /** The height that any row has that is carried, px: on each page the same. */
  carriedHeight(carried: CarriedRow): number {
    let height = this.#carried.get(carried);
    if (height === undefined) {
      height = 0;
      for (const texts of carried.texts) {
        const heights = this.#lineHeights(shownRow(carried, texts), NO_NEIGHBOURS);
        height = Math.max(
          height,
          heights.reduce((sum, each) => sum + each, 0),
        );
      }
      this.#carried.set(carried, height);
    }
    return height;
  }

  /** What is carried to a page that begins with row `next`. @param origin of it, px; x that of the table */
  carriedRow(carried: CarriedRow, next: number, origin: { readonly x: number; readonly y: number }): FrameBox {
    const look = { ...PLAIN_FRAME, name: this.node.name, layout: ROW, fragmentation: WHOLE_ROW };
    const row = shownRow(carried, carried.texts.at(next) ?? []);
    return this.#box(row, look, NO_NEIGHBOURS, origin, this.carriedHeight(carried), null);
  }

  /**
   * Rows that lie below each other on a page, with what is as high as they are there: below the texts the backgrounds of
   * cells and the lines between columns, and above them the collapsed borders.
   *
   * @param x of the table, px
   */
  finished(rows: readonly LayoutBox[], x: number): readonly LayoutBox[] {
    const bordered: BorderedRow[] = [];
    const filled = rows.map((box): LayoutBox => {
      if (box.kind !== 'frame' || !box.tableRow) return box;
      const shown = box.part ?? { row: box.tableRow, tops: this.#topsOf(box.tableRow, box) };
      bordered.push(shown);
      return { ...box, children: [...this.#fills(shown, x), ...box.children] };
    });
    if (!this.#borders || bordered.length === 0) return filled;
    const starts = this.#starts.map((start) => x + start);
    const borders = this.#borders.boxes(bordered, starts);
    return [...filled, ...borders.map((box) => ({ ...box, rect: this.#placed(box.rect, x) }))];
  }

  /** The tops of the lines of a row and the bottom of the last, px. */
  #topsOf(row: ShownRow, { node, rect: { y, height } }: Pick<FrameBox, 'node' | 'rect'>): readonly number[] {
    const [above, below] = [node.sideBorders?.top?.width ?? 0, node.sideBorders?.bottom?.width ?? 0];
    const inner = height - above - below;
    if (row.lines === 1) return [y + above, y + above + inner];
    const around = row.index === null ? NO_NEIGHBOURS : this.#neighbours(row.index);
    return stacked(y + above, fitted(this.#lineHeights(row, around), inner));
  }

  /** The backgrounds of cells, and the lines after those that are not the last of their row. */
  #fills({ row, tops }: BorderedRow, x: number): readonly FrameBox[] {
    return row.cells.flatMap((cell): readonly FrameBox[] => {
      const rule = this.#borders ? null : this.#ruleOf(cell);
      if (cell.background === null && rule === null) return [];
      const node: FrameNode = {
        ...PLAIN_FRAME,
        name: this.node.name,
        layout: ROW,
        background: cell.background,
        sideBorders: rule && { ...NO_BORDERS, [this.node.isRtl ? 'left' : 'right']: rule },
      };
      return [{ kind: 'frame', node, rect: this.#areaOf(cell, tops, x), children: [] }];
    });
  }

  #areaOf(cell: TableCell, tops: readonly number[], x: number): Rect {
    const y = tops[cell.line] ?? 0;
    const height = (tops[cell.line + cell.lineSpan] ?? tops.at(-1) ?? y) - y;
    return this.#placed({ x: x + (this.#starts[cell.column] ?? 0), y, width: this.#widthOf(cell), height }, x);
  }

  /** From its place where columns go from left to right. @param x of the table, px */
  #placed(rect: Rect, x: number): Rect {
    return this.node.isRtl ? { ...rect, x: 2 * x + this.width - rect.x - rect.width } : rect;
  }

  /** What of collapsed borders lies above a header and below a footer, also where these are repeated, px. */
  get outside(): { readonly top: number; readonly bottom: number } {
    return this.#borders ? this.#edges : NO_EDGES;
  }

  /** What could not be kept to its place, as a sentence without its end; null = all is where it belongs. */
  get lost(): string | null {
    const { carryHead, carryFoot } = this.node;
    this.top(0);
    for (const carried of [carryHead, carryFoot]) if (carried) this.carriedHeight(carried);
    const px = (value: number) => `${Math.max(1, Math.round(value))} px`;
    const over = this.#innerWidth - (this.room ?? Infinity);
    if (over > VISIBLE) {
      const [widest] = [...this.#longest.values()].sort((a, b) => b.width - a.width);
      const cause = widest
        ? `: ${this.#nameOf(widest)} needs ${px(widest.width)}`
        : ': its columns have widths of their own';
      return `it is ${px(over)} wider than its place${cause}`;
    }
    if (!this.#beyond) return null;
    const { cell, by } = this.#beyond;
    const others = this.#countBeyond - 1;
    const more = others > 0 ? `, and ${others} more of its texts ${others > 1 ? 'are' : 'is'}, too` : '';
    return `${this.#nameOf(cell)} is ${px(by)} wider than its cell${more}`;
  }

  /** `"ABC" in column 2, row 5`: rows are counted as entries are. */
  #nameOf({ text, cell, row: { kind, index } }: CellText): string {
    const { rows } = this.node;
    let number = 0;
    for (let i = 0; i <= (index ?? -1); i += 1) if (rows.look(i)?.kind === 'body') number += 1;
    const shown = text.length > NAMED ? `${text.slice(0, NAMED)}…` : text;
    return `${JSON.stringify(shown)} in column ${cell.column + 1}, ${kind === 'body' ? `row ${number}` : ROW_NAMES[kind]}`;
  }

  #neighbours(index: number): Neighbours {
    if (!this.#borders) return NO_NEIGHBOURS;
    return { above: this.node.rows.look(index - 1) ?? null, below: this.node.rows.look(index + 1) ?? null };
  }

  #box(
    row: ShownRow,
    look: FrameNode,
    around: Neighbours,
    { x, y }: { readonly x: number; readonly y: number },
    height: number,
    index: number | null,
  ): FrameBox {
    const rect = this.#placed({ x: x + (this.#starts[0] ?? 0), y, width: this.#innerWidth, height }, x);
    const tops = this.#topsOf(row, { node: look, rect });
    const children = row.cells.flatMap((cell, i): LayoutBox[] => {
      const role = index === null ? ARTEFACT : this.#roleOf(cell, row, index, i);
      const area = this.#areaOf(cell, tops, x);
      const text = row.texts[i] ?? '';
      return this.#cellBoxes(cell, row, text, area, this.#paddingOf(cell, row, around, text), role);
    });
    return { kind: 'frame', node: look, tableRow: row, columns: this.columns, rect, children };
  }

  get #innerWidth(): number {
    return this.columns.reduce((sum, each) => sum + each, 0);
  }

  #widthOf({ column, span }: TableCell): number {
    let width = 0;
    for (let i = column; i < column + span; i += 1) width += this.columns[i] ?? 0;
    return width;
  }

  /** The padding of a cell with what it has of collapsed borders, and beside what lies after its decimal sign. */
  #paddingOf(cell: TableCell, row: ShownRow, around: Neighbours, text: string): Edges {
    const padding = this.#borderedPadding(cell, row, around);
    const after = cell.decimal === null || cell.span > 1 ? null : this.#afterSign(cell, text);
    if (after === null) return padding;
    const beside = this.#decimalsOf(cell.column) - after;
    // A number stands at the right, whatever the direction is.
    return this.node.isRtl
      ? { ...padding, left: padding.left + beside }
      : { ...padding, right: padding.right + beside };
  }

  /** How far a text goes on after its decimal sign, or its last digit, px; null if it has no digits. */
  #afterSign(cell: TableCell, text: string): number | null {
    const end = lastDigit(text);
    if (end === -1) return null;
    const sign = text.lastIndexOf(cell.decimal ?? '.', end);
    const at = sign === -1 ? end + 1 : sign;
    return at === text.length ? 0 : this.#textWidth(cell, text) - this.#textWidth(cell, text.slice(0, at));
  }

  /** px, on one line. */
  #textWidth(cell: TableCell, text: string): number {
    return this.#contentWidths(cell, text, 0).max;
  }

  #decimalsOf(column: number): number {
    let most = this.#decimals.get(column);
    if (most !== undefined) return most;
    most = 0;
    const seen = new Set<string>();
    for (const { cells, texts } of this.node.rows) {
      for (const [i, cell] of cells.entries()) {
        const text = texts[i] ?? '';
        if (cell.column !== column || cell.span > 1 || cell.decimal === null || seen.has(text)) continue;
        if (seen.size < MOST_MEASURED) seen.add(text);
        most = Math.max(most, this.#afterSign(cell, text) ?? 0);
      }
    }
    this.#decimals.set(column, most);
    return most;
  }

  #borderedPadding(cell: TableCell, row: ShownRow, { above, below }: Neighbours): Edges {
    const { top, right, bottom, left } = cell.padding;
    if (!this.#borders) return { top, right: right + (this.#ruleOf(cell)?.width ?? 0), bottom, left };
    const own = this.#borders.insetsOf(cell, row, above, below);
    return { top: top + own.top, right: right + own.right, bottom: bottom + own.bottom, left: left + own.left };
  }

  #roleOf({ total }: TableCell, { kind, cells, lines }: ShownRow, row: number, index: number): Role {
    let of = this.#shapes.get(cells);
    if (!of) {
      const places = cells.map(({ column, span, line, lineSpan }) => ({ column, span, line, lineSpan }));
      of = { cells: places, lines, columns: this.node.columns.length };
      this.#shapes.set(cells, of);
    }
    const isHead = kind === 'head' || kind === 'group-head';
    const { name, part } = this.node;
    // Each part of its columns is a table of its own, with its keys.
    const table = part && part.number > 1 ? `${name}\u001f${part.number}` : name;
    return { kind: isHead ? 'header-cell' : 'cell', table, row, index, of, total };
  }

  #cellBoxes(cell: TableCell, { lines }: ShownRow, text: string, area: Rect, padding: Edges, role: Role): LayoutBox[] {
    const { isRtl } = this.node;
    const rect = within(area, isRtl ? { ...padding, left: padding.right, right: padding.left } : padding);
    if (cell.content?.kind === 'image' || cell.content?.kind === 'code') return this.#contentBox(cell, text, rect);
    const node = withText(cell, text);
    const paragraph = this.#paragraph(cell, text, rect.width);
    const before = (rect.height - paragraph.size.height) * BEFORE[node.verticalAlign];
    const content = { ...rect, y: rect.y + before, height: paragraph.size.height };
    const words: TextBox = { kind: 'text', node, rect, paragraph, content, role };
    const texts = cell.leader === null ? [words] : [words, ...this.#leader(cell, cell.leader, words)];
    // A page may end between two lines: those above end there with their padding, and those below begin with theirs.
    if (lines === 1) return texts;
    const { placement } = cell.text;
    const frame: FrameNode = { ...PLAIN_FRAME, placement, name: node.name, layout: ROW, padding };
    return [{ kind: 'frame', node: frame, cell, rect: area, children: texts }];
  }

  /** The picture or code of a cell. */
  #contentBox({ text: { align, verticalAlign }, content }: TableCell, value: string, rect: Rect): LayoutBox[] {
    const { width, height } = this.#sizeOf(content, value, rect.width);
    if (width <= 0 || height <= 0 || value === '') return [];
    const x = rect.x + (rect.width - width) * ACROSS[align === 'start' && this.node.isRtl ? 'right' : align];
    const y = rect.y + (rect.height - height) * BEFORE[verticalAlign];
    const place = { x, y, width, height };
    if (content?.kind === 'image') return [{ kind: 'leaf', node: { ...content.node, image: value }, rect: place }];
    if (content?.kind !== 'code') return [];
    const { node, need } = content;
    const printed = node.caption && need.format !== 'qr' ? printedValue(need.format, value) : null;
    const code: CodeNode = {
      ...node,
      code: laterCodeKey({ ...need, value }),
      caption: node.caption && printed !== null ? { ...node.caption, text: printed } : null,
      digits: printed !== null && need.format !== 'qr' ? digitPlaces(need.format, printed) : null,
    };
    return [codeBox(code, place, this.#codes)];
  }

  readonly #codes: CodeContents = {
    modules: ({ code }) => {
      const modules = this.#resources.codes.get(code);
      if (!modules) throw new Error(`The code ${code} was not loaded.`);
      return modules;
    },
    caption: (node) => node.caption && captionText(node, node.caption),
    paragraph: (node, { width }) => this.#general(node, width),
  };

  /** The size of a picture or code in a cell with so much room, px. */
  #sizeOf(content: TableCell['content'], value: string, room: number): Size {
    if (content?.kind === 'code') return value === '' ? NO_SIZE : content.size;
    if (content?.kind !== 'image') return NO_SIZE;
    const image = this.#resources.images.get(value);
    if (!image || !(image.width > 0 && image.height > 0)) return NO_SIZE;
    const ratio = image.width / image.height;
    const { width, height } = content;
    const wide = Math.min(room, width ?? (height === null ? room : height * ratio));
    return { width: wide, height: height ?? wide / ratio };
  }

  /** Repeats a leader from the end of a cell's last line to the end of the cell, a space apart. */
  #leader(cell: TableCell, leader: string, { paragraph, content }: TextBox): readonly TextBox[] {
    const last = paragraph.lines.at(-1);
    if (!last) return [];
    const one = this.#general(withPlainText(cell.text, leader), content.width).size.width;
    const { isRtl } = this.node;
    const beside = isRtl ? last.box.x : content.width - last.box.x - last.box.width;
    const room = beside - cell.text.strut.fontSize / 4;
    const count = one > 0 ? Math.floor(room / one) : 0;
    if (count < 1) return [];
    const node = withPlainText(cell.text, leader.repeat(count));
    const repeated = this.#general(node, null);
    const { width, height } = repeated.size;
    const x = isRtl ? content.x : content.x + content.width - width;
    const rect = { x, y: content.y + last.box.y, width, height };
    return [{ kind: 'text', node, rect, paragraph: repeated, content: rect, role: ARTEFACT }];
  }

  /** The line after a cell that is not the last of its row. */
  #ruleOf({ column, span }: TableCell): Border | null {
    return column + span < this.node.columns.length ? this.node.columnRule : null;
  }

  #paragraph(cell: TableCell, text: string, width: number): Paragraph {
    return this.#linesOf(cell)?.layOut(text, width) ?? this.#general(withText(cell, text), width);
  }

  #general(node: TextNode, width: number | null): Paragraph {
    return layOutText(this.#prepared(node), width, null);
  }

  #prepared(node: TextNode): PreparedText {
    const { fonts, images, hyphenators } = this.#resources;
    return prepareText(node, fonts, images, hyphenators);
  }

  /** null = its texts are not plain. */
  #linesOf(cell: TableCell): PlainLines | null {
    if (cell.content !== null) return null;
    let lines = this.#lines.get(cell);
    if (!lines) {
      lines = new PlainLines(cell.text, this.#resources.fonts);
      this.#lines.set(cell, lines);
    }
    return lines;
  }

  #look(row: TableRow, index: number): FrameNode {
    const { rows, zebra, rule, headRule, footRule, splitsRows, name } = this.node;
    const { kind } = row;
    const [above, below] = [rows.look(index - 1)?.kind, rows.look(index + 1)?.kind];
    const bottom =
      kind === 'foot' || (kind !== 'head' && below === 'foot')
        ? null
        : kind !== 'head'
          ? rule
          : below === 'head'
            ? null
            : headRule;
    const top = kind === 'foot' && above !== 'foot' ? footRule : null;
    return {
      ...PLAIN_FRAME,
      name,
      layout: ROW,
      fragmentation: splitsRows && kind === 'body' ? null : WHOLE_ROW,
      background: row.isStriped ? zebra : null,
      sideBorders: this.#borders || (top === null && bottom === null) ? null : { ...NO_BORDERS, top, bottom },
    };
  }

  #measured(from: number): Float64Array {
    const { rows, part } = this.node;
    const tops = new Float64Array(rows.length + 1);
    tops[0] = from;
    for (const row of rows) {
      const { index } = row;
      let height = 0;
      for (const each of this.#lineHeights(row, this.#neighbours(index))) height += each;
      const again = this.#shownAgain(row);
      if (again) height = Math.max(height, ...stacked(0, this.#lineHeights(again, this.#neighbours(index))));
      const look = this.#look(row, index).sideBorders;
      height += (look?.top?.width ?? 0) + (look?.bottom?.width ?? 0);
      tops[index + 1] = (tops[index] ?? 0) + Math.max(height, part?.heights[index] ?? 0);
    }
    return tops;
  }

  /** The header of a group as it is where the group goes on; null = it is not shown there, or the same. */
  #shownAgain(row: TableRow): TableRow | null {
    return row.kind === 'group-head' && this.node.repeatsGroupHead ? continued(row) : null;
  }

  /**
   * The heights of a row's lines (CSS 2.2, section 17.5.3): of the cells in each, and then, of cells that span lines,
   * those with the fewest first, what they need more: of the lines in which other such cells begin, as in Chromium, or
   * in proportion to the heights so far.
   */
  #lineHeights(row: ShownRow, around: Neighbours): readonly number[] {
    const heights = new Array<number>(row.lines).fill(0);
    const spanning: { readonly cell: TableCell; readonly height: number }[] = [];
    for (const [i, cell] of row.cells.entries()) {
      const height = this.#cellHeight(
        { text: row.texts[i] ?? '', cell, row },
        this.#paddingOf(cell, row, around, row.texts[i] ?? ''),
      );
      if (cell.lineSpan === 1) heights[cell.line] = Math.max(heights[cell.line] ?? 0, height);
      else spanning.push({ cell, height });
    }
    for (const { cell, height } of spanning.sort((a, b) => a.cell.lineSpan - b.cell.lineSpan)) {
      const last = cell.line + cell.lineSpan - 1;
      const sum = heights.slice(cell.line, last + 1).reduce((total, each) => total + each, 0);
      if (height <= sum) continue;
      const starting = spanning.map((each) => each.cell.line).filter((line) => line > cell.line && line <= last);
      if (starting.length > 0) {
        for (const line of new Set(starting))
          heights[line] = (heights[line] ?? 0) + (height - sum) / new Set(starting).size;
        continue;
      }
      for (let line = cell.line; line <= last; line += 1) {
        const own = heights[line] ?? 0;
        if (sum > 0) heights[line] = (own * height) / sum;
        else if (line === last) heights[line] = height;
      }
    }
    return heights;
  }

  #cellHeight({ text, cell, row }: Omit<CellText, 'width'>, { top, right, bottom, left }: Edges): number {
    const width = this.#widthOf(cell);
    const room = width - left - right;
    const { content } = cell;
    if (content?.kind === 'image' || content?.kind === 'code') {
      const size = this.#sizeOf(content, text, room);
      this.#noteBeyond({ text, cell, row, width }, size.width - room);
      return top + size.height + bottom;
    }
    const plain = this.#linesOf(cell)?.heightOf(text, room) ?? null;
    if (plain !== null) return top + plain + bottom;
    const { size } = this.#paragraph(cell, text, room);
    this.#noteBeyond({ text, cell, row, width }, size.width - room);
    return top + size.height + bottom;
  }

  #noteBeyond(cell: CellText, by: number): void {
    if (by <= VISIBLE) return;
    this.#countBeyond += 1;
    if (by > (this.#beyond?.by ?? 0)) this.#beyond = { cell, by };
  }

  /** @param known px; a lesser longest word need not be told */
  #contentWidths(cell: TableCell, text: string, known: number): ColumnContent {
    const { content } = cell;
    if (content?.kind === 'image' || content?.kind === 'code') {
      const { width } = this.#sizeOf(content, text, content.kind === 'image' ? PICTURE : 0);
      const isFree = content.kind === 'image' && content.width === null && content.height === null;
      return { min: isFree ? 0 : width, max: width };
    }
    const plain = this.#linesOf(cell)?.contentWidths(text, known);
    if (plain) return plain;
    const prepared = this.#prepared(withText(cell, text));
    return { min: longestWord(prepared), max: layOutText(prepared, null, null).size.width };
  }

  /** The same of a cell whose words may be broken, but not its numbers. */
  #brokenWidths(cell: TableCell, text: string): ColumnContent {
    const { min, max } = this.#contentWidths(cell, text, 0);
    if (cell.content !== null) return { min, max };
    const numbers = text.split(/\s/).filter(isNumber);
    const widths = numbers.map((number) => this.#contentWidths(cell, number, 0).max);
    return { min: Math.max(Math.min(min, LEAST * cell.text.strut.fontSize), ...widths), max };
  }

  /** @param isBroken whether words are broken where need be */
  #contentOf(column: number, isBroken: boolean): ColumnContent {
    const { rows, carryHead, carryFoot } = this.node;
    let [min, max] = [0, 0];
    const measured = new Map<TableCell, Set<string>>();
    const measure = (row: ShownRow) => {
      for (const [i, cell] of row.cells.entries()) {
        if (cell.column !== column || cell.span !== 1) continue;
        const known = measured.get(cell) ?? new Set();
        measured.set(cell, known);
        const text = row.texts[i] ?? '';
        if (known.has(text)) continue;
        if (known.size < MOST_MEASURED) known.add(text);
        const { left, right } = this.#paddingOf(cell, row, this.#neighbours(row.index ?? rows.length), text);
        const { overflowWrap } = cell.text;
        const breaks = overflowWrap === 'anywhere' || (isBroken && overflowWrap !== 'normal');
        const own = breaks ? this.#brokenWidths(cell, text) : this.#contentWidths(cell, text, min - left - right);
        max = Math.max(max, Math.ceil(own.max * UNIT) / UNIT + left + right);
        const least = Math.ceil(own.min * UNIT) / UNIT + left + right;
        if (least > min) this.#longest.set(column, { text, cell, row, width: least });
        min = Math.max(min, least);
      }
    };
    for (const row of rows) {
      measure(row);
      const again = this.#shownAgain(row);
      if (again) measure(again);
    }
    for (const carried of [carryHead, carryFoot]) {
      if (carried) for (const texts of carried.texts) measure(shownRow(carried, texts));
    }
    return { min, max };
  }
}

/** A text of the table, and the width of the cell that it needs or has, px. */
interface CellText {
  readonly text: string;
  readonly cell: TableCell;
  readonly row: ShownRow;
  readonly width: number;
}

/** How far a text goes beyond its cell, or a table beyond its place, before that is told, px. */
const VISIBLE = 0.5;
/** Characters of a text that are told. */
const NAMED = 24;
/** The least width of words that are broken, in font sizes. */
const LEAST = 2;

const ROW_NAMES: Readonly<Record<Exclude<ShownRow['kind'], 'body'>, string>> = {
  head: 'the header',
  foot: 'the footer',
  'group-head': "a group's header",
  'group-foot': "a group's footer",
  carried: 'what is carried',
};

/** Texts of a cell of which it is remembered that they were measured: many columns have few. */
const MOST_MEASURED = 2_000;

/** The share of the spare space that lies before the first line. */
const BEFORE = { top: 0, middle: 0.5, bottom: 1 } as const;

/** The share of the spare space that lies before a picture or code. */
const ACROSS = { start: 0, left: 0, justify: 0, center: 0.5, end: 1, right: 1 } as const;
/** The width of a picture that says nothing of its own, where its column hugs, px. */
const PICTURE = 64;
const NO_SIZE: Size = { width: 0, height: 0 };

/** The place of the last digit of a text; -1 = it has none. */
function lastDigit(text: string): number {
  for (let at = text.length - 1; at >= 0; at -= 1) if (/\p{Nd}/u.test(text.charAt(at))) return at;
  return -1;
}

const NO_EDGES = { top: 0, bottom: 0 };
const NO_BORDERS: Sides<Border | null> = { top: null, right: null, bottom: null, left: null };

const WHOLE_ROW = {
  pages: 'all',
  page: null,
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

const withText = (cell: TableCell, text: string): TextNode => ({ ...cell.text, spans: spansOf(cell, text) });

function withPlainText(node: TextNode, text: string): TextNode {
  const [span] = node.spans;
  return span ? { ...node, spans: [{ ...span, text }] } : node;
}

/** The header of a group where that goes on; null = it is the same. */
function continued(row: TableRow): TableRow | null {
  if (row.cells.every((cell) => cell.continued === null)) return null;
  const texts = row.texts.map((text, i) => (text === '' ? text : text + (row.cells[i]?.continued ?? '')));
  return { ...row, texts };
}

const NO_NEIGHBOURS: Neighbours = { above: null, below: null };

const shownRow = ({ cells, lines }: CarriedRow, texts: readonly string[]): ShownRow => ({
  ...{ kind: 'carried', index: null, cells, lines, texts },
});

/** The tops of boxes below each other, and the bottom of the last, px. */
function stacked(top: number, heights: readonly number[]): readonly number[] {
  let y = top;
  return [y, ...heights.map((height) => (y += height))];
}

/** Heights that fill `height`: what is over, or missing, is the last one's. */
function fitted(heights: readonly number[], height: number): readonly number[] {
  const sum = heights.reduce((total, each) => total + each, 0);
  return heights.map((each, i) => (i === heights.length - 1 ? Math.max(0, each + height - sum) : each));
}

function within({ x, y, width, height }: Rect, padding: Edges): Rect {
  return {
    x: x + padding.left,
    y: y + padding.top,
    width: Math.max(0, width - padding.left - padding.right),
    height: Math.max(0, height - padding.top - padding.bottom),
  };
}
