// The height of a line and where its baseline lies: CSS inline formatting, with Chromium's rounding.
//
// Each span's half-leading goes above and below its ascent and descent, and the line is as tall as what sticks out
// most. A line is made from what stands on it; an empty one from the style in force there.

import type { FontMetrics } from './font-face.ts';
import type { PreparedSpan } from './prepare-text.ts';

export interface LineMetrics {
  readonly height: number;
  /** From the line's top, px. */
  readonly baseline: number;
  /** The tallest ascent and descent, without leading. */
  readonly ascent: number;
  readonly descent: number;
}

/** @param spans those with text on the line; at least one */
export function lineMetrics(spans: readonly PreparedSpan[], scale: number): LineMetrics {
  let above = -Infinity;
  let below = -Infinity;
  let ascent = 0;
  let descent = 0;
  for (const { style, metrics } of spans) {
    const fontSize = style.fontSize * scale;
    const content = roundedExtents(metrics, fontSize);
    const leading = style.lineHeight * fontSize - (content.ascent + content.descent);
    // Chromium gives the odd pixel of leading to the lower side, so that baselines stay on the pixel grid.
    const over = Math.floor(leading / 2);
    above = Math.max(above, content.ascent + over);
    below = Math.max(below, content.descent + leading - over);
    ascent = Math.max(ascent, content.ascent);
    descent = Math.max(descent, content.descent);
  }
  return { height: Math.max(0, above + below), baseline: above, ascent, descent };
}

/** Chromium rounds both to whole pixels, and gives a descent that lost by it one pixel of the ascent's. */
export function roundedExtents(metrics: FontMetrics, fontSize: number): { ascent: number; descent: number } {
  const ascent = metrics.ascent * fontSize;
  const descent = metrics.descent * fontSize;
  if (ascent < 3 || ascent + descent < 2) return { ascent, descent };
  const whole = { ascent: Math.round(ascent), descent: Math.round(descent) };
  return whole.descent < descent && whole.ascent >= 1
    ? { ascent: whole.ascent - 1, descent: whole.descent + 1 }
    : whole;
}
