// Lays out any node at a given size: leaves by their content, frames as flex or grid.
//
// Widths come first, heights follow, as in CSS. A frame may lay out a child more than once, at its own height and at
// the one it is stretched to, so results are cached: the work grows with the nesting instead of doubling per level.

import type { FrameNode, SceneNode, TextNode } from '../resolve/scene.ts';
import { isVertical } from '../text/line-space.ts';
import { isFlex, rigidSize, transferred } from './axis.ts';
import { blockWidths, isBlock, layOutBlock } from './block.ts';
import { cellsWidths, layOutCells } from './cells.ts';
import { columnsWidths, isColumns, layOutColumns } from './columns.ts';
import { type ContentSizes, clampHeight } from './content-size.ts';
import { type FlexFlow, layOutFlex } from './flex.ts';
import { flexWidths } from './flex-widths.ts';
import {
  type Block,
  type BoxSize,
  type FloatRoom,
  type Fragment,
  type IntrinsicWidths,
  LazyWidths,
} from './fragment.ts';
import { gridWidths, isGrid, layOutGrid } from './grid.ts';
import { type AtomRoom, hasBoxes, layOutLines, withAtoms } from './inline.ts';
import { isCells } from './outer-widths.ts';
import { settle } from './settle.ts';
import type { YogaTreeCache } from './yoga-tree-cache.ts';

export class FlowLayout implements FlexFlow {
  readonly trees: YogaTreeCache;
  readonly #contents: ContentSizes;
  readonly #known = new Map<SceneNode, Known>();
  readonly boxOf: FlexFlow['boxOf'];

  constructor(contents: ContentSizes, trees: YogaTreeCache, boxOf: FlexFlow['boxOf']) {
    this.trees = trees;
    this.#contents = contents;
    this.boxOf = boxOf;
  }

  items(frame: FrameNode): readonly SceneNode[] {
    const known = this.#of(frame);
    known.items ??= frame.children.filter((node) => !node.placement.absolute && this.#contents.has(node));
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

  layOutLines(node: TextNode, width: number, beside: FloatRoom | null): Fragment {
    return layOutLines(this, this.#contents, node, this.#withAtoms(node, width), width, beside);
  }

  /** The text with the sizes of its boxes for lines of this width. */
  #withAtoms(node: TextNode, room: AtomRoom): TextNode {
    if (!hasBoxes(node)) return node;
    const own = this.#of(node);
    own.atoms ??= new Map();
    const known = own.atoms.get(room) ?? withAtoms(this, node, room);
    own.atoms.set(room, known);
    return known;
  }

  settled(node: SceneNode, around: FrameNode | null, block: Block): SceneNode {
    if (node.placement.relative === null) return node;
    const { settled } = this.#of(node);
    for (const known of settled) {
      if (known.around === around && known.width === block.width && known.height === block.height) return known.node;
    }
    const made = settle(this, node, around, block);
    if (made.type === 'text' && node.type === 'text') this.#contents.sharesText(made, node);
    settled.push({ ...block, around, node: made });
    return made;
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
      known = { items: null, fragments: [], widths: [], settled: [], atoms: null };
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
    if (isGrid(node)) return layOutGrid(this, node, { ...box, height });
    if (isColumns(node)) return layOutColumns(this, node, box.width, box.height);
    if (isBlock(node)) {
      // What is in it may be higher than its ratio (CSS Sizing 4, 5.1.1).
      const isLeast = box.height === null && byRatio !== null && !node.clip;
      const own = isLeast ? layOutBlock(this, node, box) : null;
      return own && own.size.height > (byRatio ?? 0) ? own : layOutBlock(this, node, { ...box, height });
    }
    if (isCells(node)) return layOutCells(this, node, { ...box, height });
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
    if (isGrid(node)) return gridWidths(this, node);
    if (isColumns(node)) return columnsWidths(this, node);
    if (isBlock(node)) return blockWidths(this, node);
    if (isCells(node)) return cellsWidths(this, node);
    const rigid = rigidSize(node, true);
    return { min: rigid, max: rigid };
  }
}

/** The cached results of a node: so few that a linear search is fastest. */
interface Known {
  items: readonly SceneNode[] | null;
  readonly fragments: (Required<BoxSize> & { readonly fragment: Fragment })[];
  readonly widths: { readonly height: number | null; readonly widths: IntrinsicWidths }[];
  /** Of a text: with the sizes of its boxes. */
  atoms: Map<AtomRoom, TextNode> | null;
  readonly settled: (Block & { readonly around: FrameNode | null; readonly node: SceneNode })[];
}
