// Laid-out text: lines with baselines, made of glyph runs in visual order.
//
// A Paragraph knows its own box and nothing of where on the canvas it will be; (0, 0) is the top left of its box. It is
// written as if its lines ran to the right: x goes along them, y across. Vertical text is turned when it is placed.

import type { Rect, Size } from '../geometry.ts';
import type { GlyphRun } from './glyph-run.ts';

/** A run on a line. `span` says where its paint is. */
export interface LineRun {
  readonly run: GlyphRun;
  /** Index into the spans that the paragraph was made from; null = an ellipsis in the layer's own style. */
  readonly span: number | null;
  /** The run's origin: x from the paragraph's left edge, baseline y from its top. px. Upright letters: their middle. */
  readonly x: number;
  readonly baseline: number;
  /** Of the picture that stands on the origin instead of the run's letters, along and across the line, px; or null. */
  readonly box: Size | null;
}

export interface Line {
  readonly runs: readonly LineRun[];
  /**
   * The line box, px within the paragraph: full line height, and the width that the runs take up. White space at its
   * end hangs: it is neither in the width nor in the runs.
   */
  readonly box: Rect;
  /** Baseline y from the paragraph's top, px; of vertical text in mixed or upright orientation, the central baseline. */
  readonly baseline: number;
  /** Distance of the font's ascent above and descent below the baseline (both positive), the tallest on the line. */
  readonly ascent: number;
  readonly descent: number;
  /**
   * The slice of the paragraph's whole text that stands on this line, white space at its end included: UTF-16 offsets
   * into the text of all spans, after `textTransform`.
   */
  readonly start: number;
  readonly end: number;
  /** True when the line was cut and ends in an ellipsis. */
  readonly ellipsized: boolean;
}

export interface Paragraph {
  readonly lines: readonly Line[];
  /** The widest line and the sum of the line heights. */
  readonly size: Size;
  /** Multiplier that `autoFit` settled on, 1 when nothing was shrunk. */
  readonly scale: number;
  /** Text was left out (`maxLines`, a box with `overflow`) or reaches out of its box. */
  readonly overflows: boolean;
  /** Graphemes for which no face had a glyph. */
  readonly missing: readonly string[];
}
