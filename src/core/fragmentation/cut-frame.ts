// The frame of a piece: CSS `box-decoration-break: slice`, and the window on a box that is cut.

import type { Rect } from '../geometry.ts';
import type { FrameBox, LayoutBox } from '../layout/box.ts';
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
