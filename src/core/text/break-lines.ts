// Breaks prepared text into lines of a given width, greedily as CSS does.
//
// CSS `white-space: pre-wrap`: spaces stay as typed, but white space at the end of a line hangs and is not measured. A word
// wider than the line breaks between grapheme clusters, unless `overflow-wrap` is `normal`.

import { hyphenAt, type InsertedText } from './inserted-text.ts';
import { BREAK_MANDATORY, BREAK_PROHIBITED } from './line-break.ts';
import { pieceWidth, textWidth, trailingSpacing } from './measure-text.ts';
import type { PreparedText } from './prepare-text.ts';

export interface BrokenLine {
  /** UTF-16 offsets into the text; `end` is the next line's `start`. */
  readonly start: number;
  readonly end: number;
  /** The end of the drawn text: `end` without trailing white space. */
  readonly shownEnd: number;
  /** The width of the indent, `start`–`shownEnd` and the inserted text, px at scale 1. */
  readonly width: number;
  /** The hyphen that is drawn where a line ends inside a word, or the ellipsis of a cut text. */
  readonly inserted: InsertedText | null;
  /** Whether the line ends at an explicit break or with the text: it is then not justified. */
  readonly forced: boolean;
  /** Whether the line ends inside a word that is wider than the line. */
  readonly emergency: boolean;
}

/** Widths are sums of floats, and come back from layout as float32; less than Chromium's own unit of 1/64 px. */
export const TOLERANCE = 0.01;

/**
 * What a text may look at beyond its lines, in UTF-16 units: so many, and so many per unit that its lines have taken. A
 * line looks at the next word, seldom at more; but through letters that take no room, such as thousands of soft hyphens,
 * each line would look to the end.
 */
const LOOKED_AHEAD = { most: 10_000, perUnit: 4 };

/** Receives the lines one by one; returns false to stop. */
export type TakeLine = (line: BrokenLine) => boolean;

/**
 * Breaks a text line by line: at least one line, even for empty text.
 *
 * @param width px at scale 1, Infinity for none
 * @param from where the first line starts
 */
export function breakLines(text: PreparedText, width: number, maxLines: number, from: number, take: TakeLine): void {
  let start = from;
  let ahead = 0;
  for (let count = 0; count === 0 || (start < text.text.length && count < maxLines); count++) {
    const isHurried = ahead > LOOKED_AHEAD.most + LOOKED_AHEAD.perUnit * (start - from);
    const { line, beyond } = nextLine(text, start, width + TOLERANCE, isHurried);
    if (!take(line)) return;
    start = line.end;
    ahead += beyond - start;
  }
}

/**
 * The widest piece between two break opportunities, px at scale 1: CSS's min-content width. With `overflow-wrap: anywhere`
 * these are between all clusters.
 */
export function longestWord(text: PreparedText): number {
  const isAnywhere = text.node.overflowWrap === 'anywhere';
  let widest = 0;
  let start = 0;
  for (let end = 1; end <= text.text.length; end++) {
    const mayBreak = isAnywhere ? text.clusters[end] : text.breaks[end] !== BREAK_PROHIBITED;
    if (end !== text.text.length && !mayBreak) continue;
    widest = Math.max(widest, lineWidth(text, start, end));
    start = end;
  }
  return widest;
}

/**
 * @param isHurried whether the line takes all that `edges` has room for, unmeasured: it may be too wide by a hyphen, by
 *   a negative spacing or by a broken ligature
 * @returns the line, and the first offset that was beyond the limit (or the end)
 */
function nextLine(
  text: PreparedText,
  start: number,
  limit: number,
  isHurried: boolean,
): { readonly line: BrokenLine; readonly beyond: number } {
  const { breaks, edges, trimmed } = text;
  const length = text.text.length;
  const origin = lineOrigin(text, start) - indentAt(text, start);
  // `edges` may be a little off where the line ends inside a ligature, so it only bounds the search; candidates are
  // then measured. A line fits without the spacing after its last letter, which `edges` includes.
  let reach = start;
  let at = start + 1;
  for (; at <= length; at++) {
    const shownEnd = Math.max(start, trimmed[at] ?? at);
    const over = (edges[shownEnd] ?? 0) - origin - limit;
    if (over > 0 && over > trailingSpacing(text, start, shownEnd)) break;
    if (at !== length && breaks[at] === BREAK_PROHIBITED) continue;
    reach = at;
    if (breaks[at] === BREAK_MANDATORY) break;
  }
  const beyond = Math.min(at, length);
  for (let end = reach; end > start; end--) {
    if (end !== length && breaks[end] === BREAK_PROHIBITED) continue;
    const line = lineTo(text, start, end);
    if (isHurried || line.width <= limit) return { line, beyond };
  }
  const line =
    start < length && text.node.overflowWrap !== 'normal' && !(text.node.keepsNumbers && isInNumber(text, start))
      ? breakInside(text, start, beyond, limit, isHurried)
      : lineTo(text, start, nextOpportunity(text, beyond));
  return { line, beyond };
}

/** The space before a line that starts there, px at scale 1: that of its list, and CSS text-indent of the first. */
export const indentAt = ({ node }: PreparedText, start: number): number =>
  (node.list?.indent ?? 0) + (start === 0 ? node.textIndent : 0);

/** The pen position (`edges`) at which a line starts. If it cuts a ligature, its first piece is measured reshaped. */
function lineOrigin(text: PreparedText, start: number): number {
  let from = start;
  while (from < text.text.length && !text.safe[from]) from++;
  return (text.edges[from] ?? 0) - pieceWidth(text, start, from);
}

/** The line from `start` to a break opportunity. */
export function lineTo(text: PreparedText, start: number, end: number): BrokenLine {
  const kind = kindOfEnd(text, end);
  const shownEnd = Math.max(start, text.trimmed[end] ?? end);
  const inserted = hyphenOf(text, end);
  const width = widthTo(text, start, shownEnd, inserted);
  return {
    start,
    end,
    shownEnd,
    width,
    inserted,
    forced: kind === BREAK_MANDATORY,
    emergency: kind === BREAK_PROHIBITED,
  };
}

/** The width of the line that `lineTo` returns, px at scale 1. */
function lineWidth(text: PreparedText, start: number, end: number): number {
  return widthTo(text, start, Math.max(start, text.trimmed[end] ?? end), hyphenOf(text, end));
}

function widthTo(text: PreparedText, start: number, shownEnd: number, inserted: InsertedText | null): number {
  const trailing = inserted?.width ?? -trailingSpacing(text, start, shownEnd);
  return indentAt(text, start) + textWidth(text, start, shownEnd) + trailing;
}

function kindOfEnd({ text, breaks }: PreparedText, end: number): number | undefined {
  return end === text.length ? BREAK_MANDATORY : breaks[end];
}

/** The hyphen of a line that ends at `end` inside a word, or null. */
function hyphenOf(text: PreparedText, end: number): InsertedText | null {
  return text.hyphens[end] && kindOfEnd(text, end) !== BREAK_MANDATORY ? hyphenAt(text, end - 1) : null;
}

/** Characters of the longest number that is kept whole. */
const LONGEST_NUMBER = 60;
/** A number with its signs, and a currency or a unit of up to four letters: `CHF 1’234.50`, `-12,5 %`. */
const NUMBER = /^(?:\p{L}{1,4})?\P{L}*(?:\p{L}{1,4}\.?)?$/u;

export const isNumber = (word: string): boolean =>
  word.length <= LONGEST_NUMBER && /\p{Nd}/u.test(word) && NUMBER.test(word);

/** Whether the word that `at` is in is a number. */
function isInNumber({ text, breaks }: PreparedText, at: number): boolean {
  let start = at;
  while (start > 0 && at - start <= LONGEST_NUMBER && breaks[start] === BREAK_PROHIBITED) start--;
  let end = at + 1;
  while (end < text.length && end - start <= LONGEST_NUMBER && breaks[end] === BREAK_PROHIBITED) end++;
  return isNumber(text.slice(start, end).trimEnd());
}

/** The first offset from `at` on at which a line may end. */
function nextOpportunity({ text, breaks }: PreparedText, at: number): number {
  let end = at;
  while (end < text.length && breaks[end] === BREAK_PROHIBITED) end++;
  return end;
}

/** Breaks a first word that exceeds the limit at about `beyond`: keeps as many clusters as fit, at least one. */
function breakInside(text: PreparedText, start: number, beyond: number, limit: number, isHurried: boolean): BrokenLine {
  let end = beyond;
  for (;;) {
    do end--;
    while (end > start && !text.clusters[end]);
    if (end <= start) {
      let after = clusterEnd(text, start);
      // Spaces after a letter that is wider than the line hang, too.
      while (text.text[after] === ' ' && clusterEnd(text, after) === after + 1) after++;
      return lineTo(text, start, after);
    }
    const line = lineTo(text, start, end);
    if (isHurried || line.width <= limit) return line;
  }
}

function clusterEnd(text: PreparedText, start: number): number {
  let end = start + 1;
  while (end < text.text.length && !text.clusters[end]) end++;
  return end;
}
