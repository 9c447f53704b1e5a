// Lays out any node at a given size: leaves by their content, frames as flex or grid.
//
// Widths come first, heights follow, as in CSS. A frame may lay out a child more than once, at its own height and at
// the one it is stretched to, so results are cached: the work grows with the nesting instead of doubling per level.

import { unpackedCells } from '../resolve/plain-node.ts';
import type { FrameNode, SceneNode, TextNode } from '../resolve/scene.ts';
import { isVertical } from '../text/line-space.ts';
import type { PlainLines } from '../text/plain-lines.ts';
import { hasBoxes, isBlock, isCells, isColumns, isFlex, isGrid, marginsAlong, rigidSize, transferred } from './axis.ts';
import type { blockWidths, layOutBlock } from './block.ts';
import type { cellsWidths, layOutCells } from './cells.ts';
import type { columnsBox, columnsWidths, layOutColumns } from './columns.ts';
import { type ContentSizes, clampHeight } from './content-size.ts';
import { type FlexFlow, layOutFlex } from './flex.ts';
import { flexWidths } from './flex-lines.ts';
import {
  type Block,
  type BoxSize,
  type FloatRoom,
  type Fragment,
  type IntrinsicWidths,
  LazyWidths,
} from './fragment.ts';
import type { gridWidths, layOutGrid } from './grid.ts';
import type { AtomRoom, inlineParts, layOutLines, withAtoms } from './inline.ts';
import { settle } from './settle.ts';
import type { PackedRowBox, TableBox } from './table-box.ts';
import type { fittedRows } from './wide-table.ts';
import type { YogaTreeCache } from './yoga-tree-cache.ts';

/** What lays out grids, blocks, columns, html's tables, boxes in lines, and tables: most scenes do without. */
export interface RarerLayouts {
  readonly gridWidths: typeof gridWidths;
  readonly layOutGrid: typeof layOutGrid;
  readonly blockWidths: typeof blockWidths;
  readonly layOutBlock: typeof layOutBlock;
  readonly columnsWidths: typeof columnsWidths;
  readonly layOutColumns: typeof layOutColumns;
  readonly columnsBox: typeof columnsBox;
  readonly cellsWidths: typeof cellsWidths;
  readonly layOutCells: typeof layOutCells;
  readonly PackedRowBox: typeof PackedRowBox;
  readonly withAtoms: typeof withAtoms;
  readonly layOutLines: typeof layOutLines;
  readonly inlineParts: typeof inlineParts;
  readonly fittedRows: typeof fittedRows;
  readonly TableBox: typeof TableBox;
}

export class FlowLayout implements FlexFlow {
  readonly trees: YogaTreeCache;
  readonly #contents: ContentSizes;
  readonly #rarer: RarerLayouts | null;
  #known = new Map<SceneNode, Known>();
  readonly boxOf: FlexFlow['boxOf'];

  /** @param rarer null = not loaded */
  constructor(contents: ContentSizes, rarer: RarerLayouts | null, trees: YogaTreeCache, boxOf: FlexFlow['boxOf']) {
    this.#rarer = rarer;
    this.trees = trees;
    this.#contents = contents;
    this.boxOf = boxOf;
  }

  /** @throws Error when they were not loaded */
  get rarer(): RarerLayouts {
    if (!this.#rarer) throw new Error('A layout of the scene was not loaded.');
    return this.#rarer;
  }

  items(frame: FrameNode): readonly SceneNode[] {
    const known = this.#of(frame);
    known.items ??= (frame.packed ? unpackedCells(frame.packed) : frame.children).filter(
      (node) => !node.placement.absolute && this.#contents.has(node),
    );
    return known.items;
  }

  layOut(node: SceneNode, box: BoxSize): Fragment {
    const { fragments } = this.#of(node);
    const { width, height, hugs, isUnbounded = false } = box;
    for (const known of fragments) {
      if (known.width !== width || known.height !== height) continue;
      if (known.hugs === hugs && known.isUnbounded === isUnbounded) return known.fragment;
    }
    const fragment = this.#layOut(node, box);
    fragments.push({ width, height, hugs, isUnbounded, fragment });
    return fragment;
  }

  plainLines(like: TextNode): PlainLines | null {
    return this.#contents.plainLines(like, 0);
  }

  once<Found>(frame: FrameNode, find: () => Found): Found {
    const known = this.#of(frame);
    known.once ??= { found: find() };
    return known.once.found as Found;
  }

  apart<Result>(work: () => Result): Result {
    const known = this.#known;
    this.#known = new Map();
    const result = this.#contents.apart(work);
    this.#known = known;
    return result;
  }

  layOutLines(node: TextNode, width: number, beside: FloatRoom | null): Fragment {
    return this.rarer.layOutLines(this, this.#contents, node, this.#withAtoms(node, width), width, beside);
  }

  /** The text with the sizes of its boxes for lines of this width. */
  #withAtoms(node: TextNode, room: AtomRoom): TextNode {
    if (!hasBoxes(node)) return node;
    const own = this.#of(node);
    own.atoms ??= new Map();
    const known = own.atoms.get(room) ?? this.rarer.withAtoms(this, node, room);
    own.atoms.set(room, known);
    return known;
  }

  settled(node: SceneNode, around: FrameNode | null, block: Block): SceneNode {
    const isAsWide = block.width !== null && this.#contents.isAsWideAsBlock(node);
    if (node.placement.relative === null && !isAsWide) return node;
    const { settled } = this.#of(node);
    for (const known of settled) {
      if (known.around === around && known.width === block.width && known.height === block.height) return known.node;
    }
    const own = settle(this, node, around, block);
    const made = isAsWide ? this.#asWide(own, block.width ?? 0) : own;
    if (made.type === 'text' && node.type === 'text') this.#contents.sharesText(made, node);
    settled.push({ ...block, around, node: made });
    return made;
  }

  /** CSS 2, 10.3.2: what has proportions alone is as wide as a block would be. */
  #asWide(node: SceneNode, room: number): SceneNode {
    const { size } = this.layOut(node, { width: 100, height: null, hugs: false, isUnbounded: true });
    const own = Math.max(0, room - marginsAlong(node.placement, true));
    const value = size.height > 0 ? transferred(node.placement, 100 / size.height, own) : own;
    const { minWidth, maxWidth } = node.placement;
    const least = minWidth ?? Math.min(value, maxWidth ?? value);
    return { ...node, placement: { ...node.placement, width: { kind: 'px', value }, minWidth: least } };
  }

  contentWidths(node: SceneNode, height: number | null): IntrinsicWidths {
    const { widths } = this.#of(node);
    for (const known of widths) if (known.height === height) return known.widths;
    const found = this.#contentWidths(node, height);
    widths.push({ height, widths: found });
    return found;
  }

  keepsRatio(node: SceneNode): boolean {
    return node.type === 'frame' ? node.placement.aspectRatio !== null : this.#contents.keepsRatio(node);
  }

  keepsWhole(node: SceneNode): boolean {
    if (node.type === 'frame') return !node.clip;
    return node.type === 'text' && node.overflow === 'visible' && node.autoFitMin === null;
  }

  #of(node: SceneNode): Known {
    let known = this.#known.get(node);
    if (!known) {
      known = { items: null, once: null, fragments: [], widths: [], settled: [], atoms: null };
      this.#known.set(node, known);
    }
    return known;
  }

  #layOut(node: SceneNode, box: BoxSize): Fragment {
    if (node.type === 'text' && hasBoxes(node)) return this.layOutLines(node, box.width, null);
    if (node.type !== 'frame') {
      const size = this.#contents.measure(node, { ...box, maxWidth: Number.POSITIVE_INFINITY });
      return { size, baseline: node.type === 'text' ? this.#firstBaseline(node, box.width) : null, children: [] };
    }
    const ratio = node.placement.aspectRatio;
    const clamp = (size: number) => (box.isUnbounded ? size : clampHeight(node.placement, size));
    const byRatio = ratio === null ? null : clamp(box.width / ratio);
    const height = box.height ?? byRatio;
    if (isFlex(node)) return layOutFlex(this, node, { ...box, height });
    if (isGrid(node)) return this.rarer.layOutGrid(this, node, { ...box, height });
    if (isColumns(node)) return this.rarer.layOutColumns(this, node, box.width, box.height);
    if (isBlock(node)) {
      // What is in it may be higher than its ratio (CSS Sizing 4, 5.1.1).
      const isLeast = box.height === null && byRatio !== null && !node.clip;
      const own = isLeast ? this.rarer.layOutBlock(this, node, box) : null;
      return own && own.size.height > (byRatio ?? 0) ? own : this.rarer.layOutBlock(this, node, { ...box, height });
    }
    if (isCells(node)) return this.rarer.layOutCells(this, node, { ...box, height });
    const own = height ?? clamp(rigidSize(node, false));
    return { size: { width: box.width, height: own }, baseline: null, children: [] };
  }

  #firstBaseline(node: TextNode, width: number): number | null {
    return isVertical(node)
      ? null
      : (this.#contents.paragraph(node, { width, height: null }).lines[0]?.baseline ?? null);
  }

  #contentWidths(node: SceneNode, height: number | null): IntrinsicWidths {
    if (node.type === 'table') return this.#contents.tableWidths(node);
    if (node.type === 'text' && hasBoxes(node)) {
      const free = { width: null, height: null };
      const of = (room: AtomRoom) => this.#withAtoms(node, room);
      const max = Math.ceil(this.#contents.paragraph(of('most'), free).size.width * 64) / 64;
      return new LazyWidths(max, () => Math.min(this.#contents.longestWord(of('least')), max));
    }
    if (node.type !== 'frame') {
      const { width } = this.#contents.measure(node, { width: null, height, maxWidth: Number.POSITIVE_INFINITY });
      // The width of vertical text is that of its columns, which the height decides.
      const wraps = node.type === 'text' && !isVertical(node) && !this.keepsRatio(node);
      return wraps
        ? new LazyWidths(width, () => Math.min(this.#contents.longestWord(node), width))
        : { min: width, max: width };
    }
    const ratio = node.placement.aspectRatio;
    if (ratio !== null && height !== null) return { min: height * ratio, max: height * ratio };
    const widths = this.#frameWidths(node, height);
    if (ratio === null) return widths;
    const clamp = (width: number) => transferred(node.placement, ratio, width);
    return new LazyWidths(clamp(widths.max), () => clamp(widths.min));
  }

  #frameWidths(node: FrameNode, height: number | null): IntrinsicWidths {
    if (isFlex(node)) return flexWidths(this, node, height);
    if (isGrid(node)) return this.rarer.gridWidths(this, node);
    if (isColumns(node)) return this.rarer.columnsWidths(this, node);
    if (isBlock(node)) return this.rarer.blockWidths(this, node);
    if (isCells(node)) return this.rarer.cellsWidths(this, node);
    const rigid = rigidSize(node, true);
    return { min: rigid, max: rigid };
  }
}

/** The cached results of a node: so few that a linear search is fastest. */
interface Known {
  items: readonly SceneNode[] | null;
  once: { readonly found: unknown } | null;
  readonly fragments: (Required<BoxSize> & { readonly fragment: Fragment })[];
  readonly widths: { readonly height: number | null; readonly widths: IntrinsicWidths }[];
  /** Of a text: with the sizes of its boxes. */
  atoms: Map<AtomRoom, TextNode> | null;
  readonly settled: (Block & { readonly around: FrameNode | null; readonly node: SceneNode })[];
}
