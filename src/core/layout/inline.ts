// Lays out a text that has boxes in its lines: inline blocks, pictures, the ends of boxes around words, and floats (CSS 2,
// 9.4.2 and 10.8).
//
// A box is laid out first, and stands in its line as a letter of its size; where its line is, it is.

import type { Rect } from '../geometry.ts';
import type { InlineAtom, InlineBox, SceneNode, TextNode, TextSpan } from '../resolve/scene.ts';
import { layOutBeside } from '../text/lay-out-text.ts';
import { roundedExtent } from '../text/line-metrics.ts';
import type { Line, Paragraph } from '../text/paragraph.ts';
import { isBlock, marginsAlong, percentOf, rigidSize, shiftOf } from './axis.ts';
import { type ContentSizes, clampHeight, clampWidth } from './content-size.ts';
import {
  type FloatRoom,
  type Flow,
  type Fragment,
  fitContent,
  leastWidth,
  outerWidths,
  type PlacedFragment,
} from './fragment.ts';

/** What a run of a line is of: those of the first line come after all others. */
const spanOf = ({ spans }: TextNode, index: number | null) =>
  index === null ? undefined : spans[index % spans.length];

/** How wide boxes of a line are: as the line's width has it, or as narrow or as wide as they can be. */
export type AtomRoom = number | 'least' | 'most';

/** The text with the sizes of its boxes. */
export function withAtoms(flow: Flow, node: TextNode, room: AtomRoom): TextNode {
  if (!node.spans.some(({ atom }) => atom?.kind === 'box')) return node;
  const spans = node.spans.map((span): TextSpan => {
    if (span.atom?.kind !== 'box') return span;
    return { ...span, atom: { ...span.atom, size: atomSize(flow, span.atom.node, room) } };
  });
  return { ...node, spans };
}

type AtomSize = NonNullable<Extract<InlineAtom, { kind: 'box' }>['size']>;

function atomSize(flow: Flow, child: SceneNode, room: AtomRoom): AtomSize {
  if (typeof room !== 'number') {
    const widths = outerWidths(flow, flow.settled(child, null, { width: null, height: null }), child);
    return { width: room === 'least' ? widths.min : widths.max, above: 0, below: 0 };
  }
  const { node, fragment } = layOutAtom(flow, child, room);
  const { margin } = node.placement;
  const { size, baseline, lastBaseline = baseline } = fragment;
  // CSS 2, 10.8.1: that of the last line in flow; without one, the bottom margin edge.
  const isLined = node.type === 'frame' && lastBaseline !== null && !(node.clip && isBlock(node));
  const above = isLined ? lastBaseline + margin.top : size.height + margin.top + margin.bottom;
  return {
    width: size.width + margin.left + margin.right,
    above,
    below: isLined ? size.height - lastBaseline + margin.bottom : 0,
  };
}

function layOutAtom(
  flow: Flow,
  child: SceneNode,
  room: number,
): { readonly node: SceneNode; readonly fragment: Fragment } {
  const node = flow.settled(child, null, { width: room, height: null });
  const { placement } = node;
  const height = placement.height.kind === 'px' ? clampHeight(placement, placement.height.value) : null;
  const free = room - marginsAlong(placement, true);
  const { width } = placement;
  const wanted =
    width.kind === 'px'
      ? width.value
      : width.kind === 'percent'
        ? percentOf(width, room)
        : node.type === 'frame' || node.type === 'table'
          ? fitContent(flow.contentWidths(node, height), free)
          : flow.contentWidths(node, height).max;
  const own = Math.max(leastWidth(flow, node), clampWidth(placement, wanted));
  return { node, fragment: flow.layOut(node, { width: own, height, hugs: width.kind === 'hug' }) };
}

/** @param node the text with the sizes of its boxes, for this width */
export function layOutLines(
  flow: Flow,
  contents: ContentSizes,
  source: TextNode,
  node: TextNode,
  width: number,
  room: FloatRoom | null,
): Fragment {
  const children: PlacedFragment[] = [];
  let paragraph: Paragraph;
  if (room || node.firstLine) {
    const floats = new Map<number, SceneNode>();
    let at = 0;
    for (const { text, atom } of node.spans) {
      if (atom?.kind === 'float') floats.set(at, atom.node);
      at += text.length;
    }
    const place = (offset: number, top: number) => {
      const float = floats.get(offset);
      if (float && room) children.push(room.placeFloat(float, top));
    };
    const { firstLine } = node;
    const spans = node.spans.map((span, i) => ({ ...span, style: firstLine?.styles[i] ?? span.style }));
    const first = firstLine && contents.prepared({ ...node, spans, strut: firstLine.strut });
    const beside = room?.beside ?? (() => ({ left: 0, width, below: null }));
    paragraph = layOutBeside(contents.prepared(node), width, [...floats.keys()], { beside, place }, first);
  } else paragraph = contents.paragraph(node, { width, height: null });
  if (node.spans.some(({ within }) => within?.some(isMoved))) paragraph = withMoved(node, paragraph, width);
  const aside = (node: SceneNode, x: number, y: number) => {
    const fragment = { size: { width: 0, height: 0 }, baseline: null, children: [] };
    children.push({ node, settled: node, fragment, x, y, shift: null });
  };
  const found = new Set<number>();
  for (const line of paragraph.lines) {
    for (const { span, x, baseline, box } of line.runs) {
      const { atom } = spanOf(source, span) ?? {};
      if (atom?.kind === 'aside') {
        aside(atom.node, x, line.box.y);
        if (span !== null) found.add(span);
      }
      if (atom?.kind !== 'box' || !box) continue;
      const { node: settled, fragment } = layOutAtom(flow, atom.node, width);
      const { margin } = settled.placement;
      const top =
        atom.align === 'top'
          ? line.box.y
          : atom.align === 'bottom'
            ? line.box.y + line.box.height - box.height
            : baseline - box.height;
      const shift = shiftOf(settled.placement, 'ltr', width, null);
      children.push({ node: atom.node, settled, fragment, x: x + margin.left, y: top + margin.top, shift });
    }
  }
  // At the end of a line, they are with the white space that is not in it.
  let at = 0;
  for (const [index, { text, atom }] of source.spans.entries()) {
    if (atom?.kind === 'aside' && !found.has(index)) {
      const line = paragraph.lines.findLast(({ start }) => start <= at) ?? paragraph.lines[0];
      if (line) aside(atom.node, line.box.x + line.box.width, line.box.y);
    }
    at += text.length;
  }
  const [first] = paragraph.lines;
  return {
    size: { width, height: paragraph.size.height },
    baseline: first?.baseline ?? null,
    lastBaseline: paragraph.lines.at(-1)?.baseline ?? null,
    text: { node, paragraph },
    children,
  };
}

const isMoved = ({ frame }: InlineBox): boolean => frame.placement.inset !== null;

/** CSS 2, 9.4.3: what is in boxes that are moved from where they are in their lines. */
function withMoved(node: TextNode, paragraph: Paragraph, width: number): Paragraph {
  const moved = (run: Line['runs'][number]) => {
    const shifts = (spanOf(node, run.span)?.within ?? []).map(({ frame }) =>
      shiftOf(frame.placement, node.direction === 'rtl' ? 'rtl' : 'ltr', width, null),
    );
    const [x, y] = [
      shifts.reduce((sum, by) => sum + (by?.x ?? 0), 0),
      shifts.reduce((sum, by) => sum + (by?.y ?? 0), 0),
    ];
    return x === 0 && y === 0 ? run : { ...run, x: run.x + x, baseline: run.baseline + y };
  };
  return { ...paragraph, lines: paragraph.lines.map((line) => ({ ...line, runs: line.runs.map(moved) })) };
}

/** A part of a box around words: what of it is in one line. */
export interface InlinePart {
  readonly box: InlineBox;
  /** px from the top left of the text. */
  readonly rect: Rect;
  readonly line: number;
  /** Whether it has the box's start, and its end. */
  readonly hasStart: boolean;
  readonly hasEnd: boolean;
}

/** The parts of all boxes around words, outer ones first. */
export function inlineParts(node: TextNode, { lines }: Paragraph, contents: ContentSizes): readonly InlinePart[] {
  const parts: (InlinePart & { readonly depth: number })[] = [];
  if (node.spans.every(({ within }) => !within)) return parts;
  for (const [index, line] of lines.entries()) {
    const open = new Map<
      InlineBox,
      { left: number; right: number; depth: number; start: boolean; end: boolean; baseline: number }
    >();
    for (const { run, span, x, baseline, box: size } of line.runs) {
      const { within = [], atom = null } = spanOf(node, span) ?? {};
      for (const [depth, box] of within.entries()) {
        const isEdge = atom?.kind === 'edge' && atom.box === box;
        const isTurned = node.direction === 'rtl';
        const { left, right } = isEdge ? shown(box, atom, x, run.width, isTurned) : { left: x, right: x + run.width };
        const among = { left, right, depth, start: false, end: false, baseline: line.baseline - box.raise };
        const own = open.get(box) ?? among;
        own.left = Math.min(own.left, left);
        own.right = Math.max(own.right, right);
        if (isEdge) own[atom.side] = true;
        if (!size && box === within.at(-1)) own.baseline = baseline;
        open.set(box, own);
      }
    }
    for (const [box, { left, right, depth, start, end, baseline }] of open)
      parts.push({
        box,
        rect: partRect(box, baseline, left, right, contents),
        line: index,
        hasStart: start,
        hasEnd: end,
        depth,
      });
  }
  return parts.sort((a, b) => a.line - b.line || a.depth - b.depth);
}

/** The part of an end that is in the box: without its margin. */
function shown(
  { frame }: InlineBox,
  { side }: Extract<InlineAtom, { kind: 'edge' }>,
  x: number,
  length: number,
  isTurned: boolean,
) {
  const { margin } = frame.placement;
  return (side === 'start') !== isTurned
    ? { left: x + margin.left, right: x + length }
    : { left: x, right: x + length - margin.right };
}

function partRect(
  { frame, style }: InlineBox,
  baseline: number,
  left: number,
  right: number,
  contents: ContentSizes,
): Rect {
  const { ascent, descent } = roundedExtent(contents.metrics(style), style.fontSize);
  const { padding } = frame;
  const borders = rigidSize(frame, false) - Math.max(0, padding.top) - Math.max(0, padding.bottom);
  const above = frame.sideBorders ? (frame.sideBorders.top?.width ?? 0) : borders / 2;
  const y = baseline - ascent - padding.top - above;
  return { x: left, y, width: right - left, height: ascent + descent + padding.top + padding.bottom + borders };
}
