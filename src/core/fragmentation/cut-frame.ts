// What is shown of a box on a page or in a column: the frame of a piece (CSS `box-decoration-break: slice`), the window on a
// box that is cut, and the part of a table's row.

import type { Rect } from '../geometry.ts';
import type { BorderedRow, FrameBox, LayoutBox, ShownRow } from '../layout/box.ts';
import { PLAIN_FRAME } from '../resolve/plain-node.ts';
import type { FrameNode } from '../resolve/scene.ts';

/** A frame without border and corners where it is cut. */
export function cutFrame(node: FrameNode, cut: { readonly top: boolean; readonly bottom: boolean }): FrameNode {
  if (!cut.top && !cut.bottom) return node;
  const { border, radii } = node;
  const sides = node.sideBorders ?? (border && { top: border, right: border, bottom: border, left: border });
  return {
    ...node,
    border: null,
    sideBorders: sides && {
      ...sides,
      ...(cut.top && { top: null }),
      ...(cut.bottom && { bottom: null }),
    },
    radii: {
      topLeft: cut.top ? 0 : radii.topLeft,
      topRight: cut.top ? 0 : radii.topRight,
      bottomRight: cut.bottom ? 0 : radii.bottomRight,
      bottomLeft: cut.bottom ? 0 : radii.bottomLeft,
    },
  };
}

/** Shows of a box only what is in `rect`. */
export function window(box: LayoutBox, rect: Rect): FrameBox {
  return { kind: 'frame', node: { ...PLAIN_FRAME, name: box.node.name, clip: true }, rect, children: [box] };
}

/** Rounding error allowed in sums of heights, px. */
const ROUNDING = 0.01;

/**
 * Of a table row of several lines that is divided between pages, a row of the lines that one page shows, so that its borders
 * collapse like those of a whole row.
 *
 * @param rect what the page shows of the row
 * @param children of its cells, with the `cell` that each is the area of
 */
export function shownPart(row: ShownRow, rect: Rect, children: readonly LayoutBox[]): BorderedRow {
  const { y, height } = rect;
  const tops = new Map<number, number>();
  let last = 0;
  for (const child of children) {
    if (child.kind !== 'frame' || !child.cell) continue;
    last = Math.max(last, child.cell.line);
    if (!child.isContinued) tops.set(child.cell.line, child.rect.y);
  }
  const begun = Math.min(...tops.keys());
  // Above the first line that begins here, the end of the one before it is shown.
  const first = Number.isFinite(begun) ? Math.max(0, (tops.get(begun) ?? y) > y + ROUNDING ? begun - 1 : begun) : last;
  const cells = row.cells.flatMap((cell) => {
    const line = Math.max(cell.line, first);
    const lineSpan = Math.min(cell.line + cell.lineSpan, last + 1) - line;
    return lineSpan > 0 ? [{ ...cell, line: line - first, lineSpan }] : [];
  });
  const lines = last + 1 - first;
  const inner = Array.from({ length: lines - 1 }, (_, i) => tops.get(first + 1 + i) ?? y);
  return { row: { ...row, cells, lines }, tops: [y, ...inner, y + height] };
}
