// Adjusts the brushes of operations that go into a transformed group, so that gradients keep their place on the canvas.

import { invert, type Matrix, multiply, transformPoint } from '../geometry.ts';
import type { Brush, PaintOp } from './display-list.ts';

/** @param move the transformation of the group that the operations go into */
export function keepBrushes(ops: readonly PaintOp[], move: Matrix): readonly PaintOp[] {
  const back = invert(move);
  if (!back) return ops;
  return ops.map((op): PaintOp => {
    if (op.kind === 'fill') return { ...op, brush: movedBrush(op.brush, back) };
    if (op.kind !== 'glyphs') return op;
    const outline = op.outline && { ...op.outline, brush: movedBrush(op.outline.brush, back) };
    return { ...op, brush: op.brush && movedBrush(op.brush, back), outline };
  });
}

/** @param matrix a rotation, translation and uniform scale; for a solid brush, any */
function movedBrush(brush: Brush, matrix: Matrix): Brush {
  switch (brush.kind) {
    case 'solid':
      return brush;
    case 'linear':
      return { ...brush, from: transformPoint(matrix, brush.from), to: transformPoint(matrix, brush.to) };
    case 'radial':
      return { ...brush, transform: multiply(matrix, brush.transform) };
    case 'conic': {
      const angle = brush.angle + (Math.atan2(matrix[1], matrix[0]) * 180) / Math.PI;
      return { ...brush, centre: transformPoint(matrix, brush.centre), angle };
    }
  }
}
