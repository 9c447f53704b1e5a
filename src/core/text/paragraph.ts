// Laid-out text: lines with baselines, made of glyph runs in visual order.
//
// A Paragraph does not depend on its position on the canvas; (0, 0) is the top left of its box. All lines are described
// as if they ran to the right: x is along them, y across. Vertical text is rotated when it is placed.

import type { Rect, Size } from '../geometry.ts';
import type { GlyphRun } from './glyph-run.ts';

/** A run on a line. Its paint is that of `span`. */
export interface LineRun {
  readonly run: GlyphRun;
  /** Index into the spans that the paragraph was made from; null = an ellipsis in the layer's own style. */
  readonly span: number | null;
  /** The run's origin: x from the paragraph's left edge, baseline y from its top. px. Upright letters: their middle. */
  readonly x: number;
  readonly baseline: number;
  /** The size along and across the line of the picture drawn at the origin instead of letters, px; null = letters. */
  readonly box: Size | null;
  /** Whether it is the marker of an item, which is no part of the text; `span` gives its paint alone. */
  readonly isMarker?: true;
}

export interface Line {
  readonly runs: readonly LineRun[];
  /**
   * The line box, px within the paragraph: full line height by the width of the runs. Trailing white space hangs: it is
   * neither in the width nor in the runs.
   */
  readonly box: Rect;
  /**
   * Baseline y from the paragraph's top, px; of vertical text in mixed or upright orientation, the central baseline.
   */
  readonly baseline: number;
  /** The largest font ascent above and descent below the baseline on the line, px; both positive. */
  readonly ascent: number;
  readonly descent: number;
  /**
   * The slice of the paragraph's whole text that is on this line, trailing white space included: UTF-16 offsets into
   * the text of all spans, after `textTransform`.
   */
  readonly start: number;
  readonly end: number;
  /** True when the line was cut and ends in an ellipsis. */
  readonly ellipsized: boolean;
  /** The number of the list's item that it is a line of, from 1; absent = of none. */
  readonly item?: number;
}

/** What lines stand beside (CSS 2, 9.5): floats of the block that a text is in. px from the top left of the text. */
export interface LineRoom {
  /** Between the floats beside a line. @returns where the room changes below it; null = it is as wide as it gets */
  beside(top: number, height: number): { readonly left: number; readonly width: number; readonly below: number | null };
  /** Places the float at an offset of the text, beside a line that begins at `top` or below it. */
  place(offset: number, top: number): void;
}

export interface Paragraph {
  readonly lines: readonly Line[];
  /** The widest line and the sum of the line heights. */
  readonly size: Size;
  /** The scale that `autoFit` chose; 1 when nothing was shrunk. */
  readonly scale: number;
  /** Whether text was left out (`maxLines`, a box with `overflow`) or overflows its box. */
  readonly overflows: boolean;
  /** Graphemes for which no face had a glyph. */
  readonly missing: readonly string[];
}
