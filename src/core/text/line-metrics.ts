// Computes the height and the baseline of a line: CSS inline formatting, with Chromium's rounding.
//
// Half of each span's leading goes above its ascent and half below its descent; the line is as tall as the largest
// extents. Every line has a strut of zero width in the layer's own style. Lines with upright letters have a central
// baseline (CSS Writing Modes 4 §4.2), around which each span's ascent and descent are evenly divided.

import type { CharacterStyle } from '../resolve/scene.ts';
import type { FontMetrics } from './font-face.ts';
import { indexAt } from './index-at.ts';
import { BREAK_MANDATORY } from './line-break.ts';
import type { PreparedBox, PreparedText } from './prepare-text.ts';

export interface LineMetrics {
  /** Space above the line, px: where a paragraph begins that is not the first. */
  readonly before: number;
  readonly height: number;
  /** From the line's top, px. */
  readonly baseline: number;
  /** The tallest ascent and descent, without leading. */
  readonly ascent: number;
  readonly descent: number;
}

/** Metrics of the line that shows `start`–`shownEnd`, of `start`–`end`. */
export function lineMetrics(
  text: PreparedText,
  { start, shownEnd, end }: { readonly start: number; readonly shownEnd: number; readonly end: number },
  scale: number,
): LineMetrics {
  const isCentred = text.orientation !== 'turned';
  const isOld = text.node.ignoresStrut === true;
  // What ends it by force, after which ends of boxes may stand.
  const ending = isOld && end > shownEnd ? text.text.slice(shownEnd, end).lastIndexOf('\n') : -1;
  const last = indexAt(text.spans, Math.max(start, ending < 0 ? shownEnd - 1 : shownEnd + ending));
  const hasLetters = (i: number): boolean => isIn(text, i, start, shownEnd);
  // As in Chromium, what ends a line by force has a height where nothing around it in its element has one.
  const counts = (i: number): boolean =>
    !isOld || hasLetters(i) || (ending >= 0 && i === last && !hasBefore(text, first, last, hasLetters));
  const first = indexAt(text.spans, start);
  const ownLetters = (): boolean =>
    text.node.spans.slice(first, last + 1).some(({ style }, i) => style === text.node.strut && counts(first + i));
  const strut =
    !isOld || ownLetters()
      ? lineExtent(text.node.strut, text.strut, scale, isCentred)
      : { above: 0, below: 0, ascent: 0, descent: 0 };
  let { above, below } = strut;
  let ascent = 0;
  let descent = 0;
  let isNormal = false;
  /** Of boxes at the line's own edges, the highest (CSS 2, 10.8.1, `top` and `bottom`). */
  const aligned = { top: 0, bottom: 0 };
  for (let i = first; i <= last; i++) {
    const span = text.spans[i];
    const style = text.node.spans[i]?.style;
    if (!span || !style || (span.start === span.end && i !== last) || (!span.box && !counts(i))) continue;
    isNormal ||= style.lineHeight === null;
    // A span in the strut's own style has the strut's extent; it only contributes to `ascent` and `descent`.
    const isStrut = style === text.node.strut && span.metrics === text.strut && !span.box && !span.raise;
    if (span.box?.edge) aligned[span.box.edge] = Math.max(aligned[span.box.edge], span.box.height * scale);
    if (span.box?.isEmpty) continue;
    for (const { style: own, metrics, raise } of isOld ? [] : span.struts) {
      const around = raised(lineExtent(own, metrics, scale, isCentred), raise * scale);
      above = Math.max(above, around.above);
      below = Math.max(below, around.below);
    }
    if (span.box?.edge) continue;
    const box = isStrut
      ? strut
      : span.box
        ? pictureExtent(span.box, scale)
        : raised(lineExtent(style, span.metrics, scale, isCentred), span.raise * scale);
    above = Math.max(above, box.above);
    below = Math.max(below, box.below);
    ascent = Math.max(ascent, box.ascent);
    descent = Math.max(descent, box.descent);
  }
  if (isNormal)
    for (const { metrics, style, raise } of borrowed(text, start, shownEnd)) {
      const box = raised(lineExtent(style, metrics, scale, isCentred), raise * scale);
      above = Math.max(above, box.above);
      below = Math.max(below, box.below);
    }
  above = Math.max(above, aligned.bottom - below);
  below = Math.max(below, aligned.top - above);
  const begins = start > 0 && text.breaks[start] === BREAK_MANDATORY;
  const before = begins ? text.node.paragraphSpacing * scale : 0;
  return { before, height: Math.max(0, above + below), baseline: above, ascent, descent };
}

/** The extent of an inline box from the baseline: with leading (`above`, `below`) and without, px. */
interface Extent {
  readonly above: number;
  readonly below: number;
  readonly ascent: number;
  readonly descent: number;
}

/**
 * The faces of a line that are not the first of their style, where its height is `normal`: as in Chromium, each face of which
 * there are letters has its own leading (CSS 2, 10.8.1).
 */
function* borrowed(
  text: PreparedText,
  start: number,
  end: number,
): Generator<{ readonly metrics: FontMetrics; readonly style: CharacterStyle; readonly raise: number }> {
  const { runs, spans, node } = text;
  for (let i = indexAt(runs, start); i < runs.length; i++) {
    const run = runs[i];
    if (!run || run.start >= end) return;
    const index = indexAt(spans, run.start);
    const [span, style] = [spans[index], node.spans[index]?.style];
    if (!span || !style || span.box || style.lineHeight !== null || run.match.face === span.fallback.primary) continue;
    yield { metrics: run.match.face.metrics, style, raise: span.raise };
  }
}

/** Whether a span has letters in a line. Spaces that have not collapsed are letters, too. */
function isIn({ spans }: PreparedText, i: number, start: number, end: number): boolean {
  const span = spans[i];
  return span !== undefined && !span.box && Math.max(start, span.start) < Math.min(end, span.end);
}

/** Whether letters or boxes stand before the end of a line in the element of what ends it. */
function hasBefore(
  { spans, node }: PreparedText,
  first: number,
  last: number,
  hasLetters: (i: number) => boolean,
): boolean {
  const style = node.spans[last]?.style;
  for (let i = first; i < last; i++) {
    const box = spans[i]?.box;
    const isAround = style === node.strut || node.spans[i]?.style === style;
    if (isAround && (box ? !box.isEmpty : hasLetters(i))) return true;
  }
  return false;
}

const raised = ({ above, below, ascent, descent }: Extent, by: number): Extent =>
  by === 0
    ? { above, below, ascent, descent }
    : { above: above + by, below: below - by, ascent: ascent + by, descent: descent - by };

function pictureExtent({ above, below }: PreparedBox, scale: number): Extent {
  return { above: above * scale, below: below * scale, ascent: above * scale, descent: Math.max(0, below * scale) };
}

function lineExtent(
  { fontSize: size, lineHeight }: CharacterStyle,
  metrics: FontMetrics,
  scale: number,
  isCentred: boolean,
): Extent {
  const fontSize = size * scale;
  const alphabetic = roundedExtent(metrics, fontSize);
  const height = alphabetic.ascent + alphabetic.descent;
  const { ascent, descent } = isCentred ? { ascent: height / 2, descent: height / 2 } : alphabetic;
  const leading =
    lineHeight === null ? Math.round(metrics.lineGap * fontSize) : lineHeight * fontSize - (ascent + descent);
  // Chromium puts the odd pixel of leading on the lower side, so that baselines stay on the pixel grid.
  const over = Math.floor(leading / 2);
  return { above: ascent + over, below: descent + leading - over, ascent, descent };
}

/** Chromium rounds both to whole pixels (measured: 5 faces, 17 sizes from 2 to 100 px, no exception). */
export function roundedExtent(
  metrics: FontMetrics,
  fontSize: number,
): { readonly ascent: number; readonly descent: number } {
  return { ascent: Math.round(metrics.ascent * fontSize), descent: Math.round(metrics.descent * fontSize) };
}

/** The distance of the alphabetic baseline below the central one, for letters of this size, px. */
export function belowCentre(metrics: FontMetrics, fontSize: number): number {
  const { ascent, descent } = roundedExtent(metrics, fontSize);
  return (ascent - descent) / 2;
}
