// Finds the largest font size at which a text fits its box and `maxLines` (`autoFit`), by laying out its lines.
//
// All spans shrink together, with their spacing. Sizes are multiples of 1/8 px, so that equal input always gives an
// equal size.

import { TOLERANCE } from './break-lines.ts';
import { lineMetrics } from './line-metrics.ts';
import type { PreparedText } from './prepare-text.ts';
import { wrapText } from './wrap-text.ts';

const STEPS_PER_PX = 8;

/**
 * The scale for all of a text's sizes; when nothing fits, that of `autoFitMin`. A text grows only in a known width: the
 * width of a box that hugs comes from the text.
 *
 * @param width @param height px, Infinity where there is no limit
 */
export function fitScale(text: PreparedText, width: number, height: number): number {
  const { autoFitMin, autoFitMax } = text.node;
  if (autoFitMin === null) return 1;
  const largest = Math.max(...text.node.spans.map((span) => span.style.fontSize));
  const grows = autoFitMax !== null && autoFitMax > largest && width < Number.POSITIVE_INFINITY;
  if (!grows && autoFitMin >= largest) return 1;
  const isRoomy = fits(text, width, height, 1);
  if (isRoomy ? !grows : autoFitMin >= largest) return 1;

  // Invariant: `low` is the largest size known to fit (or the smallest allowed), `high` the smallest known not to, or one
  // step above the largest allowed.
  const [least, most] = isRoomy ? [largest, autoFitMax ?? largest] : [autoFitMin, largest];
  let low = Math.floor(least * STEPS_PER_PX);
  let high = Math.ceil(most * STEPS_PER_PX) + (isRoomy ? 1 : 0);
  const scaleAt = (step: number) => Math.max(least, Math.min(most, step / STEPS_PER_PX)) / largest;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(text, width, height, scaleAt(middle))) low = middle;
    else high = middle;
  }
  return scaleAt(low);
}

/** Whether no word is broken, and the lines exceed neither `maxLines` nor the box. */
function fits(text: PreparedText, width: number, height: number, scale: number): boolean {
  const maxLines = text.node.maxLines ?? Infinity;
  const limit = width / scale;
  let bottom = 0;
  let count = 0;
  let isFit = true;
  wrapText(text, limit, Infinity, (line) => {
    bottom += lineMetrics(text, line, scale).height;
    count++;
    const tooMuch = count > maxLines || bottom > height + TOLERANCE;
    isFit = !(line.emergency || line.width > limit + TOLERANCE || tooMuch);
    return isFit;
  });
  return isFit;
}
