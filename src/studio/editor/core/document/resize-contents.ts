// Moves and stretches what lies in a frame or on the canvas when that gets another size, by the constraints of each layer.

import type { Rect, Size } from '#core/geometry.ts';
import { Constraints, constrained } from '#core/template/constraints.ts';
import { childrenOf, findLayer, type RawDocument, type RawLayer } from './document.ts';
import { type Patch, setLayers } from './edits.ts';

/** Where layers were before, px from the corner of what they lie in; null = not drawn. */
export type PlaceOf = (name: string) => Rect | null;

const tidy = (value: number): number => Math.round(value * 100) / 100 + 0;

/**
 * @param frame null = the canvas
 * @param from the size before, without a frame's border, px
 * @param placeOf in the document as it was at that size
 */
export function resizeContents(
  document: RawDocument,
  frame: string | null,
  from: Size,
  to: Size,
  placeOf: PlaceOf,
): RawDocument {
  const patches = new Map<string, Patch>();
  const visit = (around: string | null, before: Size, after: Size) => {
    const isLaidOut = around !== null && Boolean(findLayer(document, around)?.layout);
    for (const layer of childrenOf(document, around)) {
      const rect = placeOf(layer.name);
      if (!rect || (isLaidOut && layer.position !== 'absolute')) continue;
      const read = layer.constraints === undefined ? null : Constraints.safeParse(layer.constraints);
      const patch = read?.success ? patchOf(layer, rect, constrained(rect, read.data, before, after)) : {};
      patches.set(layer.name, patch);
      if (!layer.children) continue;
      const border = borderOf(layer);
      const side = (name: 'width' | 'height') => sideAfter(layer, name, patch, rect, before, after) - 2 * border;
      const inside = { width: rect.width - 2 * border, height: rect.height - 2 * border };
      const next = { width: side('width'), height: side('height') };
      if (next.width !== inside.width || next.height !== inside.height) visit(layer.name, inside, next);
    }
  };
  visit(frame, from, to);
  return setLayers(patches)(document);
}

type Side = 'width' | 'height';

/** Whether a size follows that of what is around by itself: `50%`, `fill`, and an unsized frame without a layout. */
const follows = (layer: RawLayer, side: Side): boolean =>
  /%$|^fill$/.test(String(layer[side])) || (layer.type === 'frame' && !layer.layout && isHug(layer[side]));

function sideAfter(layer: RawLayer, side: Side, patch: Patch, rect: Rect, before: Size, after: Size): number {
  const set = patch[side];
  if (typeof set === 'number') return set;
  if (!follows(layer, side)) return rect[side];
  const isShare = String(layer[side]).endsWith('%');
  return isShare ? (rect[side] * after[side]) / Math.max(1, before[side]) : rect[side] + after[side] - before[side];
}

function patchOf(layer: RawLayer, before: Rect, after: Rect): Patch {
  const place = (axis: 'x' | 'y') => ({ [axis]: tidy(Number(layer[axis] ?? 0) + after[axis] - before[axis]) });
  const isWider = after.width !== before.width && !follows(layer, 'width');
  // A text as high as its words is as high as they are in the new width.
  const isOfWords = layer.type === 'text' && isHug(layer.height);
  const isHigher = after.height !== before.height && !follows(layer, 'height') && !isOfWords;
  return {
    ...(after.x !== before.x && place('x')),
    ...(after.y !== before.y && place('y')),
    ...(isWider && { width: tidy(after.width) }),
    ...(isHigher && { height: tidy(after.height) }),
  };
}

const isHug = (size: unknown): boolean => size === undefined || size === 'hug';

export function borderOf(layer: RawLayer | null): number {
  return Number((layer?.border as { readonly width?: unknown } | null | undefined)?.width ?? 0);
}
