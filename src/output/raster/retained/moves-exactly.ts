// Whether an operation looks the same where whole pixels move it to.
//
// The rasteriser works in single precision, in which the places that SVG text can say are told apart all over a canvas.
// What it works out from them is rounded by its place: a curve that ends level may be cut a hair before its end here, and
// not there. So outlines are traced in both places, and what cannot be traced is not moved.

import { isIdentity, type Point } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';
import { tracePath } from '../coverage.ts';

const NOWHERE: Point = { x: 0, y: 0 };

/** @param by whole px */
export function movesExactly(op: PaintOp, by: Point): boolean {
  switch (op.kind) {
    case 'fill':
      return pathMovesExactly(op.path, by);
    case 'stroke':
      return op.stroke.join !== 'round' && op.stroke.cap !== 'round' && isUpright(op.path);
    case 'glyphs':
      return op.outline === null;
    case 'image':
    case 'link':
      return true;
    case 'group':
      // Drawn apart it lies at the corner of a layer of its own, wherever that is laid.
      return isIdentity(op.transform) && !holdsFilters(op);
  }
}

/** Whether groups lie within it that are filtered or turned: the rasteriser cuts their layers by the canvas it is given. */
export function holdsFilters(op: PaintOp): boolean {
  if (op.kind !== 'group') return false;
  return op.ops.some(
    (inner) =>
      inner.kind === 'group' && (inner.filters.length > 0 || !isIdentity(inner.transform) || holdsFilters(inner)),
  );
}

/** @param by whole px, by which the rasteriser is asked to move it */
export function pathMovesExactly(path: PathData, by: Point): boolean {
  return tracePath(path, NOWHERE) === tracePath(path, by);
}

/** Whether an outline that was written anew, some whole px away, covers the same of its pixels. */
export function isWrittenExactly(path: PathData, moved: PathData): boolean {
  return tracePath(path, NOWHERE) === tracePath(moved, NOWHERE);
}

/** Whether it looks the same also where an edge cuts it that was moved with it. */
export function cutsExactly(op: PaintOp): boolean {
  return op.kind === 'fill' && isUpright(op.path);
}

/** Whether it is made of lines across and down. */
function isUpright(path: PathData): boolean {
  let [x, y] = [0, 0];
  let [startX, startY] = [0, 0];
  for (const segment of path) {
    if (segment[0] === 'C') return false;
    const [toX, toY] = segment[0] === 'Z' ? [startX, startY] : [segment[1], segment[2]];
    if (segment[0] === 'M') [startX, startY] = [toX, toY];
    else if (toX !== x && toY !== y) return false;
    [x, y] = [toX, toY];
  }
  return true;
}
