// The result of layout: the scene's nodes with their final boxes.
//
// Boxes are in canvas px before any node's own rotation; a parent's rotation turns its children with it.

import type { Diagnostic } from '../diagnostics.ts';
import type { Rect } from '../geometry.ts';
import type {
  Border,
  ChartNode,
  CodeModules,
  CodeNode,
  FrameNode,
  ImageNode,
  SceneNode,
  ShapeNode,
  TableCell,
  TableRow,
  TextNode,
  TextSpan,
} from '../resolve/scene.ts';
import type { Role } from '../role.ts';
import type { Paragraph } from '../text/paragraph.ts';

export interface Layout {
  /** Top-level boxes, back to front. */
  readonly boxes: readonly LayoutBox[];
  /** Missing glyphs, once per layer. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Cached layouts of top-level nodes, valid for the same resources and a canvas of the same size. */
export type LayoutMemory = WeakMap<SceneNode, Layout>;

interface Placed {
  /** Border box, absolute, before the node's own transform. */
  readonly rect: Rect;
  /** Of a cell of a table, and of what pages repeat; absent = what its node says. */
  readonly role?: Role | undefined;
}

export interface TextBox extends Placed {
  readonly kind: 'text';
  readonly node: TextNode;
  readonly paragraph: Paragraph;
  /**
   * The paragraph's rectangle, canvas px: `rect` without the space that alignment leaves before and after the lines.
   */
  readonly content: Rect;
  /** What stands in its lines but letters; absent = nothing. */
  readonly inline?: InlineContent | undefined;
}

/** The boxes in the lines of a text, with the numbers of their lines. */
export interface InlineContent {
  /** Around words, and painted before them. */
  readonly behind: readonly { readonly line: number; readonly box: LayoutBox }[];
  /** In the place of letters. */
  readonly among: readonly { readonly line: number; readonly box: LayoutBox }[];
}

interface LeafBox extends Placed {
  readonly kind: 'leaf';
  readonly node: ImageNode | ShapeNode | ChartNode;
}

export interface CodeBox extends Placed {
  readonly kind: 'code';
  readonly node: CodeNode;
  /** The rectangle of the modules, quiet zone included; square ones are centred in the space above the caption. */
  readonly area: Rect;
  readonly modules: CodeModules;
  /** What is printed: all of it, or its groups of digits. */
  readonly captions: readonly { readonly span: TextSpan; readonly paragraph: Paragraph; readonly content: Rect }[];
  /** Bars that go `below` px on down: from the first column of the modules to before the last. */
  readonly guards: { readonly columns: readonly (readonly [number, number])[]; readonly below: number } | null;
}

/** What a box shows of a row of a table. */
export interface ShownRow extends Pick<TableRow, 'cells' | 'lines' | 'texts'> {
  readonly kind: TableRow['kind'] | 'carried';
  /** Its number in the table; null = it is carried. */
  readonly index: number | null;
}

/** What the borders of a row depend on. */
export type RowOfCells = Pick<ShownRow, 'cells' | 'lines' | 'kind'>;

/** A row with the tops of its lines and the bottom of the last, px. */
export interface BorderedRow {
  readonly row: RowOfCells;
  readonly tops: readonly number[];
}

export interface FrameBox extends Placed {
  readonly kind: 'frame';
  readonly node: FrameNode;
  /** Absent = it is no row of a table. */
  readonly tableRow?: ShownRow | undefined;
  /** Of a row of several lines that pages divide: those that one of them shows. */
  readonly part?: BorderedRow | undefined;
  /** The cell whose area it is, in a row of several lines. */
  readonly cell?: TableCell | undefined;
  /** Whether a part of it is on an earlier page. */
  readonly isContinued?: boolean | undefined;
  /** Of such a row, which has a child for each of its cells: the widths of the table's columns, px. */
  readonly columns?: readonly number[] | undefined;
  /** Of a row of columns: what it divides. */
  readonly flow?: ColumnFlow | undefined;
  /** In painting order. */
  readonly children: readonly LayoutBox[];
}

/** What a row of columns divides, so that pages can divide it anew. */
export interface ColumnFlow {
  /** All of it, in one column that is as high as it needs. */
  readonly whole: FrameBox;
  readonly columns: UsedColumns;
  /** How deep rows of columns are in each other here, this one included. */
  readonly depth: number;
}

/** The columns that there is room for, px. */
export interface UsedColumns {
  readonly count: number;
  readonly width: number;
  readonly gap: number;
  readonly rule: Border | null;
  readonly isBalanced: boolean;
  /** Whether the first is on the right. */
  readonly isRtl: boolean;
}

export type LayoutBox = TextBox | LeafBox | CodeBox | FrameBox;
