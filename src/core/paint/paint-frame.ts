// Paints a frame: background, inset shadows, border and children, in CSS's order.

import { inset, intersection, isSameRect, type Rect } from '../geometry.ts';
import { paddingBoxOf, widestBorder } from '../layout/border-box.ts';
import { tileRects } from '../layout/image-fit.ts';
import type { Fill, FrameNode } from '../resolve/scene.ts';
import type { FontSet } from '../text/font-set.ts';
import { borderOps } from './border.ts';
import type { PaintOp } from './display-list.ts';
import { brushFor, isOpaqueBrush } from './gradient.ts';
import { clipped, clippedToBox } from './group.ts';
import { memoizePaint } from './memoize-paint.ts';
import { fitRadii, innerRadii, isSharp, roundedRectPath, SHARP } from './outline.ts';
import type { PaintResult } from './paint-result.ts';
import { insetShadows } from './shadow.ts';
import { paddingEdge, sideBorderOps } from './side-borders.ts';

export function paintFrame(node: FrameNode, box: Rect, children: readonly PaintOp[], fonts: FontSet): PaintResult {
  const { border, sideBorders, background, shadows, clip } = node;
  const hasBorder = border !== null || sideBorders !== null;
  if (background === null && !hasBorder && shadows.length === 0 && !clip) return { ops: children, caster: null };
  const radii = fitRadii(box, node.radii);
  const paddingBox = paddingBoxOf(node, box);
  const paddingRadii = innerRadii(radii, widestBorder(node));
  const filled = backgroundOps(node, box, paddingBox);
  return {
    ops: [
      ...filled,
      ...insetShadows(shadows, { kind: 'rect', radii: paddingRadii }, paddingBox),
      ...(border ? borderOps(box, radii, border) : []),
      ...(sideBorders ? sideBorderOps(box, radii, sideBorders) : []),
      ...(!clip
        ? children
        : sideBorders && !isSharp(radii)
          ? clipped(children, { path: paddingEdge(box, radii, sideBorders), rule: 'nonzero' })
          : clippedToBox(children, paddingBox, paddingRadii, fonts)),
    ],
    caster: {
      outline: { kind: 'rect', radii },
      box,
      reach: 0,
      opaque: filled.some((op) => op.kind === 'fill' && isOpaqueBrush(op.brush)),
    },
  };
}

export function backgroundOps(node: FrameNode, box: Rect, paddingBox: Rect): readonly PaintOp[] {
  const { background, border, radii } = node;
  if (background === null || box.width <= 0 || box.height <= 0) return [];
  if (node.tiles) {
    const tiles = (tileRects(node.tiles, null, paddingBox) ?? []).flatMap((tile): readonly PaintOp[] => {
      const shown = intersection(tile, paddingBox);
      if (!shown) return [];
      const brush = brushFor(background, tile);
      return [{ kind: 'fill', path: roundedRectPath(shown, SHARP), rule: 'nonzero', brush }];
    });
    const outer = fitRadii(box, radii);
    return isSharp(outer) ? tiles : clipped(tiles, { path: roundedRectPath(box, outer), rule: 'nonzero' });
  }
  return fillOps(background, { border, radii, box, paddingBox });
}

interface Background extends Pick<FrameNode, 'border' | 'radii'> {
  readonly box: Rect;
  /** `box` without the border. */
  readonly paddingBox: Rect;
}

function isSameBackground(a: Background, b: Background): boolean {
  return a.border === b.border && a.radii === b.radii && isSameRect(a.box, b.box);
}

const fillOps = memoizePaint(isSameBackground, (background: Fill, place: Background): readonly PaintOp[] => {
  const { border, radii, box, paddingBox } = place;
  // Under an opaque border the background ends half-way, or its colour would show along the border's antialiased edge.
  const hidden = border?.style === 'solid' && border.color.a === 1 ? border.width / 2 : 0;
  const path = roundedRectPath(inset(box, hidden), innerRadii(fitRadii(box, radii), hidden));
  return [{ kind: 'fill', path, rule: 'nonzero', brush: brushFor(background, paddingBox) }];
});
