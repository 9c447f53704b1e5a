// Wraps letters that are too scattered to be read as words in a marked-content span with their text (14.9.4,
// ActualText).
//
// Each letter keeps its own code and place and can be selected individually; search and copy get the whole line.

import type { GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import { num, utf16Hex } from './syntax.ts';
import type { Target } from './target.ts';

/** Draws a group, in a span if it has text of its own. */
export function markWords({ content, fonts }: Target, { text, ops }: GroupOp, draw: () => void): void {
  const first = text === null ? null : firstRun(ops);
  if (text === null || first === null) {
    draw();
    return;
  }
  // Readers lay out the ActualText with the text state at the end of the span, so the span ends with a horizontal text
  // matrix and the font size of the letters.
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
