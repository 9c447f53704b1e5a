// Aligns a line in its box and finds the space that justification adds (CSS text-align, text-justify: auto).

import type { BrokenLine } from './break-lines.ts';
import { indexAt } from './index-at.ts';
import type { Expansion } from './place-runs.ts';
import type { PreparedText } from './prepare-text.ts';

export interface LineAlignment {
  /** Left edge of the line, px from that of the box; negative where a line overflows on the left. */
  readonly x: number;
  /** Space to add, or null. */
  readonly expansion: Expansion | null;
  /** Whether the line starts on the right. */
  readonly isRtl: boolean;
}

/** Chromium widens a line not only at spaces but also around Han, kana and their punctuation, though not Hangul. */
const CJK = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\u3000-\u303f\u30fb\u30fc\uff00-\uffef]/u;
const SPACE = /[ \t\u00a0]/;

/**
 * Aligns one line.
 *
 * @param box width of the box @param width of the line, px
 */
export function alignLine(text: PreparedText, line: BrokenLine, box: number, width: number): LineAlignment {
  const { align } = text.node;
  const { paragraphs } = text.bidi;
  const isRtl = paragraphs[indexAt(paragraphs, line.start)]?.level === 1;
  const free = box - width;
  if (align === 'justify' && !line.forced && free > 0) {
    const gaps = expansionOpportunities(text, line);
    if (gaps.size > 0) return { x: 0, expansion: (cluster) => (gaps.has(cluster) ? free / gaps.size : 0), isRtl };
  }
  // A line that is too wide overflows at its end, however it is aligned (CSS Text 3, text-align).
  if (free < 0) return { x: isRtl ? free : 0, expansion: null, isRtl };
  if (align === 'center') return { x: free / 2, expansion: null, isRtl };
  const toRight = align === 'right' || (align === 'end' ? !isRtl : align !== 'left' && isRtl);
  return { x: toRight ? free : 0, expansion: null, isRtl };
}

/** First offsets of the clusters after which a line may be widened; never its last cluster. */
function expansionOpportunities(text: PreparedText, { start, shownEnd }: BrokenLine): ReadonlySet<number> {
  const opportunities = new Set<number>();
  let previous = -1;
  let previousIsCjk = false;
  for (let at = start; at < shownEnd; at++) {
    if (!text.clusters[at]) continue;
    const character = String.fromCodePoint(text.text.codePointAt(at) ?? 0);
    const isCjk = CJK.test(character);
    if (previous >= 0 && (previousIsCjk || isCjk || SPACE.test(text.text.charAt(previous))))
      opportunities.add(previous);
    previous = at;
    previousIsCjk = isCjk;
  }
  return opportunities;
}
