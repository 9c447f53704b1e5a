// Lays out a scene: absolute placement here, frames in flow.ts, text in lay-out-text.ts. The caller passes the code for grids,
// blocks and tables, so that an editor can open without it; `layout.ts` passes all.
//
// The canvas is the outermost containing block; a frame's padding box is that of its absolutely placed children, as in
// CSS. A parent's size never depends on them, so each is placed once its parent's box is known.

import type { Diagnostic } from '../diagnostics.ts';
import { moveBox } from '../fragmentation/move-box.ts';
import { type Point, type Rect, type Size, union } from '../geometry.ts';
import { PLAIN_FRAME } from '../resolve/plain-node.ts';
import type { FrameNode, Length, Scene, SceneNode, TextNode } from '../resolve/scene.ts';
import type { Resources } from '../resources.ts';
import { isVertical, lineSize } from '../text/line-space.ts';
import { absoluteConstraint, absoluteOrigin, fillsBetween, type StaticPosition, unlaidFrameSize } from './absolute.ts';
import { contentOrigin, hasBoxes, isFlex, lengthOf, rigidSize } from './axis.ts';
import { paddingBoxOf } from './border-box.ts';
import type { FrameBox, Layout, LayoutBox, TextBox } from './box.ts';
import { codeBox } from './code-box.ts';
import { ContentSizes, clampWidth } from './content-size.ts';
import { FlowLayout, type RarerLayouts } from './flow.ts';
import { type Fragment, fitContent, leastWidth, type PlacedFragment } from './fragment.ts';
import { tileRects } from './image-fit.ts';
import type { InlinePart } from './inline.ts';
import type { TableBox } from './table-box.ts';
import { type Kept, YogaTreeCache } from './yoga-tree-cache.ts';

/** Whether a scene needs no `RarerLayouts`: it has no tables, and its frames are flexible or have no layout. */
export function isPlain({ nodes }: Pick<Scene, 'nodes'>): boolean {
  return nodes.every((node) => {
    if (node.type === 'text') return !hasBoxes(node);
    if (node.type !== 'frame') return node.type !== 'table';
    return (node.layout === null || isFlex(node)) && isPlain({ nodes: node.children });
  });
}

/**
 * Lays out a whole scene; images that `resources` lacks are left out and take no space.
 *
 * @param rarer null only if the scene `isPlain`
 */
export function layOutWith(
  rarer: RarerLayouts | null,
  scene: Scene,
  resources: Resources,
  { memory, trees = new YogaTreeCache(0) }: Kept = {},
): Layout {
  const canvas = { x: 0, y: 0, width: scene.width, height: scene.height };
  const pass = new LayoutPass(
    new ContentSizes(resources, rarer?.fittedRows ?? null, scene.height),
    rarer,
    trees,
    scene.page ? null : canvas,
  );
  if (!memory) return { boxes: pass.placeAll(scene.nodes, canvas), diagnostics: pass.diagnostics };
  const each = scene.nodes.map((node) => {
    let known = memory.get(node);
    if (!known) {
      const told = pass.diagnostics.length;
      const boxes = pass.placeAll([node], canvas);
      known = { boxes, diagnostics: pass.diagnostics.slice(told) };
      memory.set(node, known);
    }
    return known;
  });
  return { boxes: each.flatMap(({ boxes }) => boxes), diagnostics: each.flatMap(({ diagnostics }) => diagnostics) };
}

class LayoutPass {
  readonly diagnostics: Diagnostic[] = [];
  readonly #told = new Set<string>();
  /** How many rows of columns around are measured. */
  #measuring = 0;
  readonly #measured = new Map<NonNullable<Fragment['columns']>, FrameBox>();
  readonly #contents: ContentSizes;
  readonly #flow: FlowLayout;
  /** The padding boxes of the frames around that are `isContaining`, the innermost last. */
  readonly #containing: { readonly of: 'positioned' | 'fixed'; readonly box: Rect }[] = [];

  /** What scrolls the boxes in it, the innermost last. */
  readonly #windows: Rect[];

  /** @param canvas null = it is of sheets, where nothing scrolls */
  constructor(contents: ContentSizes, rarer: RarerLayouts | null, trees: YogaTreeCache, canvas: Rect | null) {
    this.#windows = canvas ? [canvas] : [];
    this.#contents = contents;
    this.#flow = new FlowLayout(this.#contents, rarer, trees, (node, rect, fragment) => {
      this.#measuring += 1;
      const box = this.#box(node, rect, fragment, node);
      this.#measuring -= 1;
      return box;
    });
  }

  /** Absolutely placed nodes in their containing block. */
  placeAll(nodes: readonly SceneNode[], within: Rect): readonly LayoutBox[] {
    return nodes.filter((node) => this.#contents.has(node)).map((node) => this.#place(node, within, null));
  }

  #place(child: SceneNode, within: Rect, at: StaticPosition | null): LayoutBox {
    const node = this.#flow.settled(child, null, within);
    const rectOf = (size: Size) => rectAt(absoluteOrigin(node, within, size, at), size);
    if (node.type === 'frame' && node.layout === null) {
      return this.#box(child, rectOf(unlaidFrameSize(node.placement, within, at)), null, node);
    }
    const isFilling = fillsBetween(node, (leaf) => this.#contents.keepsRatio(leaf));
    const { relative } = child.placement;
    const given = absoluteConstraint({ ...node.placement, relative }, within, at, isFilling);
    if (node.type !== 'frame') return this.#box(child, rectOf(this.#contents.measure(node, given)), null, node);

    const hugging = () => fitContent(this.#flow.contentWidths(node, given.height), given.maxWidth);
    const width = Math.max(leastWidth(this.#flow, node), given.width ?? clampWidth(node.placement, hugging()));
    const height = given.height === null ? null : Math.max(rigidSize(node, false), given.height);
    const fragment = this.#flow.layOut(node, { width, height, hugs: given.width === null });
    return this.#box(child, rectOf(fragment.size), fragment, node);
  }

  /**
   * @param fragment the layout of a frame that has one
   * @param settled the node with its relative sizes in px
   */
  #box(node: SceneNode, at: Rect, fragment: Fragment | null, settled: SceneNode): LayoutBox {
    const { translate } = node.placement;
    const rect = translate
      ? { ...at, x: at.x + (lengthOf(translate.x, at.width) ?? 0), y: at.y + (lengthOf(translate.y, at.height) ?? 0) }
      : at;
    const { minWidth, maxWidth, minHeight, maxHeight } = settled.placement;
    if ((minWidth ?? 0) > (maxWidth ?? Number.POSITIVE_INFINITY)) this.#reportLimits(node.name, 'Width');
    if ((minHeight ?? 0) > (maxHeight ?? Number.POSITIVE_INFINITY)) this.#reportLimits(node.name, 'Height');
    if ('tiles' in node && node.tiles) {
      const natural = node.type === 'image' ? this.#contents.pictureSize(node.image) : null;
      if (tileRects(node.tiles, natural, rect) === null) {
        const message = `Layer ${JSON.stringify(node.name)}: its background has too many tiles, and is left out.`;
        this.#tell({ code: 'content-outside', layer: node.name, message });
      }
    }
    switch (node.type) {
      case 'text':
        return fragment?.text ? this.#linesBox(node, rect, fragment, fragment.text) : this.#textBox(node, rect);
      case 'code':
        return codeBox(node, rect, this.#contents, (missing) => this.#reportMissing(node.name, missing));
      case 'table':
        return this.#tableBox(new this.#flow.rarer.TableBox(this.#contents.table(node, rect.width), rect));
      case 'frame': {
        const { isContaining } = node.placement;
        if (fragment?.columns) return this.#columnsBox(node, rect, fragment.columns);
        if (fragment?.cells) return this.#rowBox(node, rect, fragment, fragment.cells);
        if (isContaining) {
          const { containingHeight: height } = node.placement;
          const box = paddingBoxOf(node, rect);
          this.#containing.push({ of: isContaining, box: height === undefined ? box : { ...box, height } });
        }
        if (node.clip) this.#windows.push(paddingBoxOf(node, rect));
        const children = this.#children(node, rect, fragment, settled);
        if (node.clip) this.#windows.pop();
        if (isContaining) this.#containing.pop();
        return { kind: 'frame', node, rect, children };
      }
      default:
        return { kind: 'leaf', node, rect };
    }
  }

  /** A row of columns. While others around it are measured, it is made once and moved. */
  #columnsBox(node: FrameNode, rect: Rect, columns: NonNullable<Fragment['columns']>): FrameBox {
    const { used, whole } = columns;
    const known = this.#measuring > 0 && this.#measured.get(columns);
    if (known) return moveBox(known, rect.x - known.rect.x, rect.y - known.rect.y);
    const [content] = node.children;
    const first = content && this.#box(content, { x: rect.x, y: rect.y, ...whole.size }, whole, content);
    if (first?.kind !== 'frame') throw new Error('Columns divide one frame.');
    const box = this.#flow.rarer.columnsBox(node, rect, used, first);
    if (this.#measuring > 0) this.#measured.set(columns, box);
    return box;
  }

  /** A packed row. What its texts lack is told now, because its boxes are made when a page has it. */
  #rowBox(node: FrameNode, rect: Rect, fragment: Fragment, cells: () => readonly PlacedFragment[]): FrameBox {
    for (const [layer, missing] of this.#contents.missing) this.#reportMissing(layer, missing);
    this.#contents.missing.clear();
    return new this.#flow.rarer.PackedRowBox(node, rect, () =>
      this.#flow.apart(() => this.#children(node, rect, { ...fragment, children: cells() }, node)),
    );
  }

  #children(frame: FrameNode, rect: Rect, fragment: Fragment | null, settled: SceneNode): readonly LayoutBox[] {
    const paddingBox = paddingBoxOf(frame, rect);
    const boxes: LayoutBox[] = [];
    let marker = -1;
    // The fragment has the in-flow children in the same order.
    let next = 0;
    for (const child of frame.packed ? this.#flow.items(frame) : frame.children) {
      if (frame.layout === null || child.placement.absolute) {
        if (!this.#contents.has(child)) continue;
        const area = fragment?.areas?.get(child);
        const isIn = !child.placement.isFar || frame.placement.isContaining;
        const within =
          area && isIn
            ? { ...area, x: rect.x + area.x, y: rect.y + area.y }
            : (this.#containingOf(child) ?? paddingBox);
        const at = child.placement.inset && {
          frame,
          // In a grid, Chromium has static positions in the area that is the containing block.
          content:
            frame.layout?.type === 'grid'
              ? within
              : belowFlow(contentBox(settled, rect), rect, fragment?.statics?.get(child)),
        };
        if (child.placement.isMarker) marker = boxes.length;
        boxes.push(this.#place(child, within, at));
        continue;
      }
      const own = fragment?.children[next];
      if (own?.node !== child) continue;
      next++;
      const { width, height } = own.fragment.size;
      const { x, y } = own.shift ? { x: own.x + own.shift.x, y: own.y + own.shift.y } : own;
      const at = { x: rect.x + x, y: rect.y + y, width, height };
      const shown = child.placement.sticky ? this.#stuck(own.settled, at, contentBox(settled, rect)) : at;
      boxes.push(this.#box(child, shown, own.fragment, own.settled));
    }
    const box = boxes[marker];
    if (box && fragment && fragment.baseline !== null)
      boxes[marker] = besideLine(box, boxes.slice(marker + 1), rect.y + fragment.baseline);
    return boxes;
  }

  /** The block of what is not placed in the frame that it is in; null = it is placed there. */
  #containingOf({ placement: { isFar } }: SceneNode): Rect | null {
    return (isFar && this.#containing.findLast(({ of }) => isFar === 'positioned' || of === 'fixed')?.box) || null;
  }

  /** CSS Position 3, 3.4: where a box is in what scrolls it, which is not scrolled. @param block the content of what it is in */
  #stuck({ placement: { sticky, margin } }: SceneNode, at: Rect, block: Rect): Rect {
    const window = this.#windows.at(-1);
    if (!window || !sticky) return at;
    const along = (
      axis: 'x' | 'y',
      side: 'width' | 'height',
      [start, end]: readonly (Length | null)[],
      around: number[],
    ) => {
      const [before, after] = [lengthOf(start ?? null, window[side]), lengthOf(end ?? null, window[side])];
      const least = before === null ? at[axis] : Math.max(at[axis], window[axis] + before);
      const most = after === null ? least : Math.min(least, window[axis] + window[side] - after - at[side]);
      const [first = 0, last = 0] = [
        block[axis] + (around[0] ?? 0),
        block[axis] + block[side] - at[side] - (around[1] ?? 0),
      ];
      return most > at[axis] ? Math.max(at[axis], Math.min(most, last)) : Math.min(at[axis], Math.max(most, first));
    };
    const x = along('x', 'width', [sticky.left, sticky.right], [margin.left, margin.right]);
    return { ...at, x, y: along('y', 'height', [sticky.top, sticky.bottom], [margin.top, margin.bottom]) };
  }

  #textBox(node: TextNode, rect: Rect): TextBox {
    // The height of a box that hugs comes from its text, so it must not limit that text.
    const limits = isVertical(node)
      ? { width: null, height: rect.height }
      : { width: node.arc ? null : rect.width, height: null };
    const free = this.#contents.paragraph(node, limits);
    const room = lineSize(node, rect).height;
    const fits = node.arc !== null || free.size.height <= room + ROUNDING;
    const paragraph = fits ? free : this.#contents.paragraph(node, rect);
    this.#reportMissing(node.name, paragraph.missing);
    const before = (room - paragraph.size.height) * BEFORE[node.verticalAlign];
    return { kind: 'text', node, rect, paragraph, content: contentRect(node, rect, paragraph.size.height, before) };
  }

  /** A text with boxes in its lines. */
  #linesBox(
    source: TextNode,
    rect: Rect,
    fragment: Fragment,
    { node, paragraph }: NonNullable<Fragment['text']>,
  ): TextBox {
    this.#reportMissing(source.name, paragraph.missing);
    const content = { ...rect, height: paragraph.size.height };
    if (fragment.children.length === 0 && node.spans.every(({ within }) => !within))
      return { kind: 'text', node, rect, paragraph, content };
    const lineAt = (y: number) =>
      Math.max(
        0,
        paragraph.lines.findLastIndex(({ box }) => box.y <= y + ROUNDING),
      );
    const parts = this.#flow.rarer.inlineParts(node, paragraph, this.#contents);
    const behind = parts.map(({ box, rect: own, line, hasStart, hasEnd }) => {
      const at = { ...own, x: rect.x + own.x, y: rect.y + own.y };
      const open = { left: !hasStart, right: !hasEnd };
      return { line, box: { kind: 'frame', node: openFrame(box.frame, open), rect: at, children: [] } as const };
    });
    const among = fragment.children.map((own) => {
      const { width, height } = own.fragment.size;
      const at = { x: rect.x + own.x + (own.shift?.x ?? 0), y: rect.y + own.y + (own.shift?.y ?? 0), width, height };
      const line = lineAt(own.y);
      if (!own.node.placement.absolute) return { line, box: this.#box(own.node, at, own.fragment, own.settled) };
      const around = inlineBlock(own.node, node, parts, rect);
      const { placement } = own.node;
      const child = around ? { ...own.node, placement: { ...placement, isFar: undefined } } : own.node;
      const block = around ?? this.#containingOf(child) ?? rect;
      return { line, box: this.#place(child, block, { frame: IN_LINE, content: { ...at, width: 0 } }) };
    });
    const inline = behind.length > 0 || among.length > 0 ? { behind, among } : undefined;
    return { kind: 'text', node, rect, paragraph, content, ...(inline && { inline }) };
  }

  #tableBox(box: TableBox): TableBox {
    const { lost, scale } = box.rows;
    const layer = box.node.name;
    if (scale < 1) {
      const message = `Layer ${JSON.stringify(layer)}: it is too wide for its place, and is shown at ${Math.round(scale * 100)} % of its size.`;
      this.diagnostics.push({ code: 'table-shrunk', layer, message });
    }
    const message = `Layer ${JSON.stringify(layer)}: ${lost}.`;
    if (lost !== null) this.#tell({ code: 'content-outside', layer, message });
    return box;
  }

  /** Once: what columns divide is made more than once. */
  #tell(found: Diagnostic): void {
    if (this.#told.has(found.message)) return;
    this.#told.add(found.message);
    this.diagnostics.push(found);
  }

  #reportLimits(layer: string, side: 'Width' | 'Height'): void {
    const message = `Layer ${JSON.stringify(layer)}: min${side} is more than max${side}; as in CSS, the minimum holds.`;
    this.#tell({ code: 'minimum-above-maximum', layer, message });
  }

  #reportMissing(layer: string, missing: readonly string[]): void {
    if (missing.length === 0) return;
    const shown = missing.slice(0, 10).map(describe);
    const rest = missing.length > shown.length ? ` and ${missing.length - shown.length} more` : '';
    this.#tell({
      code: 'missing-glyph',
      layer,
      message: `Layer ${JSON.stringify(layer)}: no font has a glyph for ${shown.join(', ')}${rest}.`,
    });
  }
}

/** The padding box of the positioned box around words that a node is placed in; null = it is in none. */
function inlineBlock(child: SceneNode, { spans }: TextNode, parts: readonly InlinePart[], { x, y }: Rect): Rect | null {
  const within = spans.find(({ atom }) => atom?.kind === 'aside' && atom.node === child)?.within ?? [];
  const around = within.findLast(({ frame }) => frame.placement.isContaining);
  const rects = parts.flatMap(({ box, rect }) => (box === around ? [rect] : []));
  const all = rects.reduce<Rect | null>(union, null);
  return all && around ? paddingBoxOf(around.frame, { ...all, x: all.x + x, y: all.y + y }) : null;
}

const firstText = (boxes: readonly LayoutBox[]): TextBox | null => {
  for (const box of boxes) {
    const found =
      box.kind === 'text'
        ? box
        : box.kind === 'frame'
          ? firstText(box.children.filter((child) => !isAside(child)))
          : null;
    if (found) return found;
  }
  return null;
};
const isAside = ({ node: { placement } }: LayoutBox) => placement.absolute || placement.float !== undefined;

/** The marker of a list on the baseline of its first line, and with this beside floats. @param baseline px on the canvas */
function besideLine(marker: LayoutBox, after: readonly LayoutBox[], baseline: number): LayoutBox {
  const letters = firstText([marker]);
  const own = letters
    ? letters.content.y + (letters.paragraph.lines[0]?.baseline ?? 0)
    : marker.rect.y + marker.rect.height;
  const text = firstText(after);
  const isAtStart =
    text?.node.align === 'start' && !text.node.alignLast && text.node.direction === 'ltr' && text.node.textIndent === 0;
  return moveBox(marker, isAtStart ? (text.paragraph.lines[0]?.box.x ?? 0) : 0, baseline - own);
}

/** Stands for the line that something would be in. */
const IN_LINE: FrameNode = { ...PLAIN_FRAME, name: 'line' };

/** What is left of a block's content from where a child would be in its flow. */
function belowFlow(content: Rect, { y }: Rect, top: number | undefined): Rect {
  if (top === undefined) return content;
  return { ...content, y: y + top, height: Math.max(0, content.y + content.height - y - top) };
}

/** A frame without the borders and corners of the sides at which it goes on in another line. */
function openFrame(frame: FrameNode, { left, right }: { readonly left: boolean; readonly right: boolean }): FrameNode {
  if (!left && !right) return frame;
  const { border, sideBorders, radii } = frame;
  const all = sideBorders ?? { top: border, right: border, bottom: border, left: border };
  return {
    ...frame,
    border: null,
    sideBorders: { ...all, ...(left && { left: null }), ...(right && { right: null }) },
    radii: {
      topLeft: left ? 0 : radii.topLeft,
      topRight: right ? 0 : radii.topRight,
      bottomRight: right ? 0 : radii.bottomRight,
      bottomLeft: left ? 0 : radii.bottomLeft,
    },
  };
}

function contentBox(frame: SceneNode, { x, y, width, height }: Rect): Rect {
  if (frame.type !== 'frame') return { x, y, width, height };
  const origin = contentOrigin(frame);
  return {
    x: x + origin.x,
    y: y + origin.y,
    width: width - rigidSize(frame, true),
    height: height - rigidSize(frame, false),
  };
}

function rectAt({ x, y }: Point, { width, height }: Size): Rect {
  return { x, y, width, height };
}

/** Rounding error allowed between sums and measured sizes, px. */
const ROUNDING = 0.01;

/** The box without the spare space across the lines. @param before the spare space on the first line's side, px */
function contentRect({ writingMode }: TextNode, rect: Rect, across: number, before: number): Rect {
  switch (writingMode) {
    case 'horizontal-tb':
      return { ...rect, y: rect.y + before, height: across };
    case 'vertical-rl':
      return { ...rect, x: rect.x + rect.width - before - across, width: across };
    case 'vertical-lr':
      return { ...rect, x: rect.x + before, width: across };
  }
}

/** The share of the spare space that lies before the first line. */
const BEFORE = { top: 0, middle: 0.5, bottom: 1 } as const;

/** `"☃" (U+2603)`, for a grapheme that the reader's own fonts may not show either. */
function describe(grapheme: string): string {
  const codes = Array.from(
    grapheme,
    (char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `${JSON.stringify(grapheme)} (${codes.join(' ')})`;
}
