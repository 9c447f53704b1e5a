// Places the boxes in the margins of a sheet, beside what flows (CSS Paged Media 3, 5).

import type { Rect } from '../geometry.ts';
import { PLAIN_FRAME, PLAIN_NODE, plainFlex } from '../resolve/plain-node.ts';
import type { Dimension, FrameNode, SceneNode } from '../resolve/scene.ts';
import type { SheetKind } from './page-rules.ts';

/** A length that is none at least. */
export const unsignedPx = (value: number) => ({ kind: 'px', value: Math.max(0, value) }) as const;

/** px with its margins; null = its content, and what is beside it, decide. */
function lengthOf({ placement }: FrameNode, side: 'width' | 'height', whole: number): number | null {
  const { margin } = placement;
  const around = side === 'width' ? margin.left + margin.right : margin.top + margin.bottom;
  const own: Dimension = placement[side];
  if (own.kind === 'px') return own.value + around;
  return own.kind === 'percent' ? (own.value / 100) * whole + (own.plus ?? 0) + around : null;
}

/** @param at its corner within the margin, and its size, margins included */
function placed(box: FrameNode, { x, y, width, height }: Rect): FrameNode {
  const { margin } = box.placement;
  const placement = {
    ...PLAIN_NODE.placement,
    ...{ x: x + margin.left, y: y + margin.top },
    ...{
      width: unsignedPx(width - margin.left - margin.right),
      height: unsignedPx(height - margin.top - margin.bottom),
    },
  };
  return { ...box, placement };
}

/** Where a box stands across a margin: beside what flows, where it does not fill it. */
function across(box: FrameNode, side: 'width' | 'height', start: number, whole: number, isBefore: boolean) {
  const length = lengthOf(box, side, whole) ?? whole;
  return { start: isBefore ? start + whole - length : start, length };
}

/** The boxes of the margin above, or below: the one in the middle is in the middle, whatever is beside it (5.3.2). */
function alongEdge(
  [first, middle, last]: readonly (FrameNode | undefined)[],
  area: Rect,
  isAbove: boolean,
): readonly SceneNode[] {
  const [before, between, after] = [first, middle, last].map((box) => (box ? lengthOf(box, 'width', area.width) : 0));
  const at = (box: FrameNode | undefined, x: number, width: number): readonly FrameNode[] => {
    if (!box) return [];
    const { start, length } = across(box, 'height', area.y, area.height, isAbove);
    return [placed(box, { x: area.x + x, y: start, width, height: length })];
  };
  const unknown = [before, between, after].filter((length) => length === null).length;
  const isRow = middle ? between === null && [before, after].some((length) => length === null) : unknown > 1;
  if (isRow) {
    const spare = middle ? { ...PLAIN_FRAME, name: 'margin' } : undefined;
    const alignSelf = isAbove ? ('end' as const) : ('start' as const);
    const cells = [first ?? spare, middle, last ?? spare].flatMap((box) => {
      if (!box) return [];
      const height = at(box, 0, 0)[0]?.placement.height ?? unsignedPx(0);
      const grows = middle && box !== middle ? { flexGrow: 1, flexBasis: unsignedPx(0) } : { flexGrow: middle ? 0 : 1 };
      const { margin, width } = box.placement;
      const own = { absolute: false, margin, width, height, alignSelf, flexShrink: 1, ...grows };
      return [{ ...box, placement: { ...PLAIN_NODE.placement, ...own } }];
    });
    const row = { ...PLAIN_FRAME, name: 'margins', layout: plainFlex('row'), children: cells };
    return [placed(row, area)];
  }
  const beside = (own: number | null | undefined, other: number | null | undefined) =>
    own ?? (middle ? (area.width - (between ?? 0)) / 2 : area.width - (other ?? 0));
  const width = between ?? area.width - 2 * Math.max(before ?? 0, after ?? 0);
  const [left, right] = [beside(before, after), beside(after, before)];
  const ends = [...at(first, 0, left), ...at(last, area.width - right, right)];
  return [...ends, ...at(middle, (area.width - width) / 2, width)];
}

/** @param made the boxes that are there, by their names */
export function inMargins({ size, margins }: SheetKind, made: ReadonlyMap<string, FrameNode>): readonly SceneNode[] {
  const { top, right, bottom, left } = margins;
  const inner = { width: size.width - left - right, height: size.height - top - bottom };
  const row = (edge: 'top' | 'bottom', y: number, height: number) => {
    const boxes = ['left', 'center', 'right'].map((each) => made.get(`${edge}-${each}`));
    return height > 0 ? alongEdge(boxes, { x: left, y, width: inner.width, height }, edge === 'top') : [];
  };
  const column = (edge: 'left' | 'right', x: number, width: number) => {
    /** @param share what is above it of the room that it leaves */
    const one = (name: string, y: number, height: number, share: number): readonly FrameNode[] => {
      const box = made.get(name);
      if (!box || width <= 0 || height <= 0) return [];
      const { start, length } = across(box, 'width', x, width, edge === 'left');
      const own = lengthOf(box, 'height', height) ?? height;
      return [placed(box, { x: start, y: y + (height - own) * share, width: length, height: own })];
    };
    return [
      ...one(`top-${edge}-corner`, 0, top, 1),
      ...['top', 'middle', 'bottom'].flatMap((name, i) => one(`${edge}-${name}`, top, inner.height, i / 2)),
      ...one(`bottom-${edge}-corner`, size.height - bottom, bottom, 0),
    ];
  };
  return [
    ...[...row('top', 0, top), ...row('bottom', size.height - bottom, bottom)],
    ...[...column('left', 0, left), ...column('right', size.width - right, right)],
  ];
}
