// Letters that stand too scattered to be read in, a marked-content span out that says their words (14.9.4, ActualText).
//
// Each letter keeps its own code and place, to be selected one by one; who searches or copies is given the whole line.

import type { GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import { num, utf16Hex } from './syntax.ts';
import type { Target } from './target.ts';

/** Draws a group, as a span where it has words of its own. */
export function markWords({ content, fonts }: Target, { text, ops }: GroupOp, draw: () => void): void {
  const first = text === null ? null : firstRun(ops);
  if (text === null || first === null) {
    draw();
    return;
  }
  // Readers lay the words out by the text state at the end of the span: level, and in the letters' own size.
  content.set('font', `${content.use(fonts.face(first.face).resource)} ${num(first.fontSize)} Tf`);
  content.write(`/Span <</ActualText <feff${utf16Hex(text)}>>> BDC`);
  draw();
  content.write('BT 1 0 0 -1 0 0 Tm ET\nEMC');
}

function firstRun(ops: readonly PaintOp[]): GlyphRun | null {
  for (const op of ops) {
    const run = op.kind === 'glyphs' ? op.run : op.kind === 'group' ? firstRun(op.ops) : null;
    if (run) return run;
  }
  return null;
}
