// Breaks prepared text into lines according to `textWrap` (CSS Text 4).
//
// `wrap` fills each line. `balance` makes the lines of a paragraph about equally long, `pretty` avoids a single word on
// its last line. Neither makes more lines than `wrap`, nor breaks a word.

import { type BrokenLine, breakLines, lineTo, type TakeLine, TOLERANCE } from './break-lines.ts';
import { BREAK_PROHIBITED } from './line-break.ts';
import type { PreparedText } from './prepare-text.ts';

/** A longer paragraph is not balanced: a reader does not see its shape, and it takes time. */
const MAX_BALANCED_LINES = 50;
/** How many lines at a paragraph's end `pretty` may rebreak. */
const MAX_PRETTY_LINES = 4;
/** With more words than this, those lines are left unchanged. */
const MAX_PRETTY_WORDS = 300;
/** The precision of the width that `balance` finds, px at scale 1. */
const STEP = 0.25;

/** Like `breakLines` from the start of the text, with `textWrap` applied. */
export function wrapText(text: PreparedText, width: number, maxLines: number, take: TakeLine): void {
  const { textWrap } = text.node;
  if (textWrap === 'wrap' || width === Infinity) {
    breakLines(text, width, maxLines, 0, take);
    return;
  }
  let start = 0;
  let count = 0;
  do {
    const room = maxLines - count;
    const filled = paragraphLines(text, start, width, room);
    // Only whole paragraphs are rebroken: none that `maxLines` cuts off, none with a broken word.
    const isWhole = filled.at(-1)?.forced === true && !filled.some((line) => line.emergency);
    const lines = !isWhole ? filled : textWrap === 'balance' ? balance(text, filled) : prettify(text, filled, width);
    if (!lines.every(take)) return;
    count += lines.length;
    start = lines.at(-1)?.end ?? text.text.length;
  } while (start < text.text.length && count < maxLines);
}

/** The lines from `start` to the end of its paragraph, at most `most` of them. */
function paragraphLines(text: PreparedText, start: number, width: number, most: number): readonly BrokenLine[] {
  const lines: BrokenLine[] = [];
  breakLines(text, width, most, start, (line) => {
    lines.push(line);
    return !line.forced;
  });
  return lines;
}

/** The narrowest lines that are no more in number than `filled`. */
function balance(text: PreparedText, filled: readonly BrokenLine[]): readonly BrokenLine[] {
  if (filled.length < 2 || filled.length > MAX_BALANCED_LINES) return filled;
  let low = filled.reduce((sum, line) => sum + line.width, 0) / filled.length;
  let high = widest(filled);
  let best = filled;
  while (high - low > STEP) {
    const middle = (low + high) / 2;
    const lines = rewrap(text, filled, middle);
    if (lines) [best, high] = [lines, middle];
    else low = middle;
  }
  return best;
}

/**
 * If the last line is a single word, rebreaks the last lines evenly: as many lines, with two words or more at the end.
 */
function prettify(text: PreparedText, filled: readonly BrokenLine[], width: number): readonly BrokenLine[] {
  const last = filled.at(-1);
  if (filled.length < 2 || !last || !isOneWord(text, last)) return filled;
  const kept = filled.slice(0, -MAX_PRETTY_LINES);
  const end = filled.slice(-MAX_PRETTY_LINES);
  return [...kept, ...(evenest(text, end, width) ?? end)];
}

function isOneWord({ breaks }: PreparedText, { start, shownEnd }: BrokenLine): boolean {
  for (let at = start + 1; at < shownEnd; at++) if (breaks[at] !== BREAK_PROHIBITED) return false;
  return true;
}

/** The best first lines of a stretch up to one break. */
interface Beginning {
  readonly lines: readonly BrokenLine[];
  /** Sum of the squared free widths of the lines, px². */
  readonly raggedness: number;
}

/** The same stretch in as many lines, least ragged and ending in more than one word; null if that is impossible. */
function evenest(text: PreparedText, lines: readonly BrokenLine[], width: number): readonly BrokenLine[] | null {
  const from = lines[0]?.start ?? 0;
  const to = lines.at(-1)?.end ?? from;
  const stops: number[] = [];
  for (let at = from + 1; at <= to; at++) if (at === to || text.breaks[at] !== BREAK_PROHIBITED) stops.push(at);
  if (stops.length > MAX_PRETTY_WORDS) return null;

  let beginnings = new Map<number, Beginning>([[from, { lines: [], raggedness: 0 }]]);
  for (let left = lines.length - 1; left >= 0; left--) {
    const longer = new Map<number, Beginning>();
    for (const [start, beginning] of beginnings) {
      for (const end of stops) {
        if (end <= start || (end === to) !== (left === 0)) continue;
        const line = lineTo(text, start, end);
        if (line.width > width + TOLERANCE) break;
        if (left === 0 && isOneWord(text, line)) continue;
        const raggedness = beginning.raggedness + (left === 0 ? 0 : (width - line.width) ** 2);
        if (raggedness >= (longer.get(end)?.raggedness ?? Infinity)) continue;
        longer.set(end, { lines: [...beginning.lines, line], raggedness });
      }
    }
    beginnings = longer;
  }
  return beginnings.get(to)?.lines ?? null;
}

/** The same stretch of text in lines of another width; null if they are more, or break a word. */
function rewrap(text: PreparedText, lines: readonly BrokenLine[], width: number): readonly BrokenLine[] | null {
  const again = paragraphLines(text, lines[0]?.start ?? 0, width, lines.length);
  return again.at(-1)?.forced && !again.some((line) => line.emergency || line.width > width + TOLERANCE) ? again : null;
}

function widest(lines: readonly BrokenLine[]): number {
  return lines.reduce((most, line) => Math.max(most, line.width), 0);
}
