// Any node at any size: leaves by their content, frames by the layout that they name.
//
// Widths come first, heights follow, as in CSS. A frame may ask for a child more than once, at its own height and at
// the one it is stretched to, so every answer is remembered: the work grows with the nesting, it does not double.

import type { FrameNode, SceneNode, TextNode } from '../resolve/scene.ts';
import { isVertical } from '../text/line-space.ts';
import { isFlex, rigidSize } from './axis.ts';
import { type ContentSizes, clampHeight } from './content-size.ts';
import { layOutFlex } from './flex.ts';
import { flexWidths } from './flex-widths.ts';
import type { BoxSize, Flow, Fragment, IntrinsicWidths } from './fragment.ts';
import { gridWidths, isGrid, layOutGrid } from './grid.ts';

export class FlowLayout implements Flow {
  readonly #contents: ContentSizes;
  readonly #fragments = new Map<SceneNode, Map<string, Fragment>>();
  readonly #widths = new Map<SceneNode, Map<number | null, IntrinsicWidths>>();

  constructor(contents: ContentSizes) {
    this.#contents = contents;
  }

  items(frame: FrameNode): readonly SceneNode[] {
    return frame.children.filter((node) => !node.placement.absolute && this.#contents.has(node));
  }

  layOut(node: SceneNode, box: BoxSize): Fragment {
    const known = ofNode(this.#fragments, node);
    const key = `${box.width} ${box.height} ${box.hugs}`;
    const fragment = known.get(key) ?? this.#layOut(node, box);
    known.set(key, fragment);
    return fragment;
  }

  contentWidths(node: SceneNode, height: number | null): IntrinsicWidths {
    const known = ofNode(this.#widths, node);
    const widths = known.get(height) ?? this.#contentWidths(node, height);
    known.set(height, widths);
    return widths;
  }

  keepsRatio(node: SceneNode): boolean {
    return node.type === 'frame' ? node.placement.aspectRatio !== null : this.#contents.keepsRatio(node);
  }

  keepsWhole(node: SceneNode): boolean {
    if (node.type === 'frame') return !node.clip;
    return node.type === 'text' && node.overflow === 'visible' && node.autoFitMin === null;
  }

  #layOut(node: SceneNode, box: BoxSize): Fragment {
    if (node.type !== 'frame') {
      const size = this.#contents.measure(node, { ...box, maxWidth: Number.POSITIVE_INFINITY });
      return { size, baseline: node.type === 'text' ? this.#firstBaseline(node, box.width) : null, children: [] };
    }
    const ratio = node.placement.aspectRatio;
    const byRatio = ratio === null ? null : clampHeight(node.placement, box.width / ratio);
    const height = box.height ?? byRatio;
    if (isFlex(node)) return layOutFlex(this, node, { ...box, height });
    if (isGrid(node)) return layOutGrid(this, node, { ...box, height });
    const own = height ?? clampHeight(node.placement, rigidSize(node, false));
    return { size: { width: box.width, height: own }, baseline: null, children: [] };
  }

  #firstBaseline(node: TextNode, width: number): number | null {
    return isVertical(node)
      ? null
      : (this.#contents.paragraph(node, { width, height: null }).lines[0]?.baseline ?? null);
  }

  #contentWidths(node: SceneNode, height: number | null): IntrinsicWidths {
    if (node.type !== 'frame') {
      const { width } = this.#contents.measure(node, { width: null, height, maxWidth: Number.POSITIVE_INFINITY });
      // The width of vertical text is that of its columns, which the height decides.
      const wraps = node.type === 'text' && !isVertical(node) && !this.keepsRatio(node);
      const narrowest = wraps ? this.#contents.longestWord(node) : width;
      return { min: Math.min(narrowest, width), max: width };
    }
    const ratio = node.placement.aspectRatio;
    if (ratio !== null && height !== null) return { min: height * ratio, max: height * ratio };
    if (isFlex(node)) return flexWidths(this, node);
    if (isGrid(node)) return gridWidths(this, node);
    const rigid = rigidSize(node, true);
    return { min: rigid, max: rigid };
  }
}

/** CSS fit-content: what there is room for, but no more than the content fills and no less than it can do with. */
export function fitContent({ min, max }: IntrinsicWidths, room: number): number {
  return Math.min(max, Math.max(min, room));
}

function ofNode<K, V>(map: Map<SceneNode, Map<K, V>>, node: SceneNode): Map<K, V> {
  let known = map.get(node);
  if (!known) {
    known = new Map();
    map.set(node, known);
  }
  return known;
}
