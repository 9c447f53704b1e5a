// The height of a line and where its baseline lies: CSS inline formatting, with Chromium's rounding.
//
// Each span's half-leading goes above and below its ascent and descent, and the line is as tall as what sticks out
// most. A line is made from what stands on it (there is no strut of the whole block, as in CSS's quirks mode), so small
// text below a large first word keeps its own line height; an empty line has that of the style in force there.

import type { FontMetrics } from './font-face.ts';
import { indexAt } from './index-at.ts';
import type { PreparedText } from './prepare-text.ts';

export interface LineMetrics {
  readonly height: number;
  /** From the line's top, px. */
  readonly baseline: number;
  /** The tallest ascent and descent, without leading. */
  readonly ascent: number;
  readonly descent: number;
}

/** Metrics of the line that shows `start`–`shownEnd`. */
export function lineMetrics(
  text: PreparedText,
  { start, shownEnd }: { readonly start: number; readonly shownEnd: number },
  scale: number,
): LineMetrics {
  const last = indexAt(text.spans, Math.max(start, shownEnd - 1));
  let above = -Infinity;
  let below = -Infinity;
  let ascent = 0;
  let descent = 0;
  for (let i = indexAt(text.spans, start); i <= last; i++) {
    const span = text.spans[i];
    if (!span || (span.start === span.end && i !== last)) continue;
    const fontSize = span.style.fontSize * scale;
    const content = contentArea(span.metrics, fontSize);
    const leading = span.style.lineHeight * fontSize - (content.ascent + content.descent);
    // Chromium gives the odd pixel of leading to the lower side, so that baselines stay on the pixel grid.
    const over = Math.floor(leading / 2);
    above = Math.max(above, content.ascent + over);
    below = Math.max(below, content.descent + leading - over);
    ascent = Math.max(ascent, content.ascent);
    descent = Math.max(descent, content.descent);
  }
  return { height: Math.max(0, above + below), baseline: above, ascent, descent };
}

/** Chromium rounds both to whole pixels (measured: 5 faces, 17 sizes from 2 to 100 px, no exception). */
function contentArea(metrics: FontMetrics, fontSize: number): { ascent: number; descent: number } {
  return { ascent: Math.round(metrics.ascent * fontSize), descent: Math.round(metrics.descent * fontSize) };
}
