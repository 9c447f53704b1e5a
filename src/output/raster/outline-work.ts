// How much work the outlines of a list are: a rasteriser goes along each edge, row by row.
//
// Few bytes can ask for much of it: a zigzag of ten thousand edges over a tall canvas held a thread for over a minute.

import type { PaintOp } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';
import { AppError } from '#errors';

/** What all outlines of a picture may rise and fall together, px: some five seconds of the rasteriser. */
const MAX_CLIMB = 10_000_000;

/**
 * @param ops in device px
 * @param height of the canvas; what lies beyond it is no work
 * @throws AppError `invalid_request` when the outlines would keep a thread from everybody else
 */
export function checkOutlines(ops: readonly PaintOp[], height: number): void {
  if (climbOf(ops, height) <= MAX_CLIMB) return;
  throw new AppError(
    'invalid_request',
    'The shapes have too many edges to be drawn at this size; give them fewer points, or draw them smaller.',
  );
}

function climbOf(ops: readonly PaintOp[], height: number): number {
  let climb = 0;
  for (const op of ops) {
    if (op.kind === 'fill' || op.kind === 'stroke') climb += climbAlong(op.path, height);
    if (op.kind !== 'group') continue;
    if (op.clip) climb += climbAlong(op.clip.path, height);
    climb += climbOf(op.ops, height);
  }
  return climb;
}

/** By way of a curve's control points, which is no less than along the curve. */
function climbAlong(path: PathData, height: number): number {
  let climb = 0;
  let before = 0;
  for (const segment of path) {
    for (let i = 2; i < segment.length; i += 2) {
      const y = Math.min(Math.max(Number(segment[i]), 0), height);
      climb += Math.abs(y - before);
      before = y;
    }
  }
  return climb;
}
