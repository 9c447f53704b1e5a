// A display list in; out comes one whose upright letters start on quarters of a device pixel, on the baseline they had.
//
// So a letter on a baseline has four looks at a size, and its masks can be kept. Whatever way a list is drawn, its
// letters stand there; PDF never sees it. An eighth of a pixel is the most that a letter moves.

import { IDENTITY, type Matrix, multiply } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';

type GlyphsOp = Extract<PaintOp, { kind: 'glyphs' }>;

/** Places of a letter within the width of a pixel. */
export const PHASES = 4;

/** Whether letters may be drawn from masks: neither turned nor stretched. Device px per px then, else null. */
function uprightScale([a, b, c, d]: Matrix): number | null {
  return b === 0 && c === 0 && a > 0 && Math.abs(a - d) < 1e-9 ? a : null;
}

/**
 * An operation in device px with its letters snapped.
 *
 * @param toDevice from the coordinates of the operation to device px
 */
export function snapGlyphs(op: PaintOp, toDevice: Matrix = IDENTITY): PaintOp {
  if (op.kind === 'group') {
    const within = multiply(toDevice, op.transform);
    return { ...op, ops: op.ops.map((inner) => snapGlyphs(inner, within)) };
  }
  return op.kind === 'glyphs' && (op.brush || op.outline) ? snapRun(op, toDevice) : op;
}

function snapRun(op: GlyphsOp, toDevice: Matrix): GlyphsOp {
  const scale = uprightScale(toDevice);
  if (scale === null) return op;
  const { run, origin } = op;
  const shift = toDevice[4];
  const snap = (x: number) => (Math.round(PHASES * (scale * x + shift)) / PHASES - shift) / scale;
  const glyphs = run.glyphs.map((glyph) => ({
    ...glyph,
    x: snap(origin.x + glyph.x) - origin.x,
  }));
  return { ...op, run: { ...run, glyphs } };
}
