// Prepared text and a width → where each line starts and ends: greedy, as CSS breaks lines.
//
// CSS `white-space: pre-wrap; overflow-wrap: break-word`: spaces stay as typed, but white space at the end of a line
// hangs and is not measured; a word wider than the line breaks between grapheme clusters.

import { hyphenAt, type InsertedText } from './inserted-text.ts';
import { BREAK_MANDATORY, BREAK_PROHIBITED } from './line-break.ts';
import { pieceWidth, textWidth } from './measure-text.ts';
import type { PreparedText } from './prepare-text.ts';

export interface BrokenLine {
  /** UTF-16 offsets into the text; `end` is the next line's `start`. */
  readonly start: number;
  readonly end: number;
  /** Where the text ends that is drawn: `end` without white space. */
  readonly shownEnd: number;
  /** Of `start`–`shownEnd` and what is inserted, px at scale 1. */
  readonly width: number;
  /** The hyphen that is drawn where a line ends at a soft hyphen, or the ellipsis of a cut text. */
  readonly inserted: InsertedText | null;
  /** Ends at an explicit break or with the text: not justified. */
  readonly forced: boolean;
  /** Ends inside a word, which was wider than the line. */
  readonly emergency: boolean;
}

const SOFT_HYPHEN = 0xad;
/** Widths are sums of floats, and come back from layout as float32; less than Chromium's own unit of 1/64 px. */
export const TOLERANCE = 0.01;

/**
 * Breaks a text line by line: at least one, also of empty text.
 *
 * @param width px at scale 1, Infinity for none
 */
export function* breakLines(text: PreparedText, width: number, maxLines = Infinity): Generator<BrokenLine> {
  let start = 0;
  for (let count = 0; count === 0 || (start < text.text.length && count < maxLines); count++) {
    const line = nextLine(text, start, width + TOLERANCE);
    yield line;
    start = line.end;
  }
}

function nextLine(text: PreparedText, start: number, limit: number): BrokenLine {
  const { breaks, edges, trimmed } = text;
  const length = text.text.length;
  const origin = lineOrigin(text, start);
  // `edges` may be a little off where the line ends inside a ligature, so it says how far to look; what is then chosen
  // is measured.
  let reach = start;
  let wordEnd = length;
  for (let at = start + 1; at <= length; at++) {
    const kind = at === length ? BREAK_MANDATORY : breaks[at];
    if (kind === BREAK_PROHIBITED) continue;
    wordEnd = Math.min(wordEnd, at);
    if ((edges[Math.max(start, trimmed[at] ?? at)] ?? 0) - origin > limit) break;
    reach = at;
    if (kind === BREAK_MANDATORY) break;
  }
  for (let at = reach; at > start; at--) {
    if (at !== length && breaks[at] === BREAK_PROHIBITED) continue;
    const line = lineTo(text, start, at);
    if (line.width <= limit) return line;
  }
  return start < length ? breakInside(text, start, wordEnd, limit, origin) : lineTo(text, start, length);
}

/** The value of `edges` at which a line starts: where it cuts a ligature, its first piece counts as shaped anew. */
function lineOrigin(text: PreparedText, start: number): number {
  let from = start;
  while (from < text.text.length && !text.safe[from]) from++;
  return (text.edges[from] ?? 0) - pieceWidth(text, start, from);
}

function lineTo(text: PreparedText, start: number, end: number): BrokenLine {
  const forced = end === text.text.length || text.breaks[end] === BREAK_MANDATORY;
  const shownEnd = Math.max(start, text.trimmed[end] ?? end);
  const inserted = !forced && text.text.charCodeAt(end - 1) === SOFT_HYPHEN ? hyphenAt(text, end - 1) : null;
  const width = textWidth(text, start, shownEnd) + (inserted?.width ?? 0);
  return { start, end, shownEnd, width, inserted, forced, emergency: false };
}

/** The first word is wider than the line: as many of its clusters as fit, at least one. */
function breakInside(text: PreparedText, start: number, wordEnd: number, limit: number, origin: number): BrokenLine {
  const nextCluster = (from: number, step: 1 | -1) => {
    let at = from + step;
    while (at > start && at < wordEnd && !text.clusters[at]) at += step;
    return at;
  };
  const shortest = nextCluster(start, 1);
  let at = shortest;
  for (let next = at; next <= wordEnd && (text.edges[next] ?? 0) - origin <= limit; next = nextCluster(next, 1))
    at = next;
  for (;;) {
    const line = { ...lineTo(text, start, at), emergency: at < wordEnd };
    if (line.width <= limit || at <= shortest) return line;
    at = nextCluster(at, -1);
  }
}
