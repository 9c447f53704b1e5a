// Whether an operation looks the same wherever whole pixels move it to.
//
// The rasteriser works in single precision, in which the places that SVG text can say are told apart all over a canvas.
// What it works out from them, where a curve turns or how far a line's edge is from its middle, is rounded by its place.

import { isIdentity } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';

export function movesExactly(op: PaintOp): boolean {
  switch (op.kind) {
    case 'fill':
      return neverTurns(op.path);
    case 'stroke':
      return op.stroke.join !== 'round' && op.stroke.cap !== 'round' && isUpright(op.path);
    case 'glyphs':
      return op.outline === null;
    case 'image':
    case 'link':
      return true;
    case 'group':
      return isIdentity(op.transform) && (op.clip === null || neverTurns(op.clip.path)) && op.ops.every(movesExactly);
  }
}

/** Whether it looks the same also where an edge cuts it that was moved with it. */
export function cutsExactly(op: PaintOp): boolean {
  return op.kind === 'fill' && isUpright(op.path);
}

/** Whether every curve goes up or down all the way. */
function neverTurns(path: PathData): boolean {
  let y = 0;
  for (const segment of path) {
    if (segment[0] === 'Z') continue;
    if (segment[0] === 'C') {
      const [, , y1, , y2, , y3] = segment;
      if (!(y <= y1 && y1 <= y2 && y2 <= y3) && !(y >= y1 && y1 >= y2 && y2 >= y3)) return false;
      y = y3;
    } else {
      [, , y] = segment;
    }
  }
  return true;
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
