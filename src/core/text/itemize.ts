// Cuts text with bidi levels into runs, for which faces are chosen and which HarfBuzz shapes one by one.
//
// All characters of a run have one level, script, presentation, orientation and span. Runs are in logical order,
// without gaps, and none crosses the end of its paragraph.

import type { BidiText } from './bidi.ts';
import { isPlainText } from './plain-text.ts';
import { BIDI_CLASS, TRAIT } from './unicode-classes.ts';
import {
  BIDI_CLASS_OF,
  CLOSING_BRACKET,
  recordOf,
  SCRIPT_EXTENSIONS,
  SCRIPT_SET_OF,
  TRAITS_OF,
} from './unicode-data.ts';

export interface TextRun {
  /** UTF-16 offsets into the text. */
  readonly start: number;
  readonly end: number;
  /** Embedding level; odd is right to left. */
  readonly level: number;
  /** ISO 15924 tag as HarfBuzz takes it; `Zyyy` for emoji, and where the paragraph has no letters to decide it. */
  readonly script: string;
  /** True where the characters have emoji presentation (UTS #51): prefer a colour face. */
  readonly emoji: boolean;
  /** True where the letters of a vertical line stand upright; false in all other text. */
  readonly upright: boolean;
  /** Index into the spans that the caller gave. */
  readonly span: number;
}

/**
 * Cuts a text into runs by level, script (UAX #24), emoji presentation (UTS #51), orientation and the caller's spans.
 *
 * @param upright nonzero for each unit that stands upright in a vertical line
 * @param spanStarts the UTF-16 offset at which each span starts, ascending, the first 0; equal offsets are empty spans
 */
export function itemize(
  { text, levels, paragraphs, isLeftToRight }: BidiText,
  spanStarts: readonly number[],
  upright: Uint8Array,
): TextRun[] {
  if (isLeftToRight && isPlainText(text) && !upright.includes(1)) return plainRuns(text, spanStarts);
  const runs: TextRun[] = [];
  let span = 0;
  for (const paragraph of paragraphs) {
    const scripts = scriptRuns(text, paragraph.start, paragraph.end);
    let scriptIndex = 0;
    let levelEnd = paragraph.start;
    let uprightEnd = paragraph.start;
    let emoji: Stretch = { start: paragraph.start, end: paragraph.start };

    for (let start = paragraph.start, end = start; start < paragraph.end; start = end) {
      while (scripts[scriptIndex]!.end <= start) scriptIndex++;
      while ((spanStarts[span + 1] ?? Infinity) <= start) span++;
      if (levelEnd <= start) levelEnd = endOfEqual(levels, start, paragraph.end);
      if (uprightEnd <= start) uprightEnd = endOfEqual(upright, start, paragraph.end);
      if (emoji.end <= start) emoji = nextEmoji(text, start, paragraph.end);

      const isEmoji = emoji.start <= start;
      const script = scripts[scriptIndex]!;
      end = Math.min(levelEnd, uprightEnd, spanStarts[span + 1] ?? Infinity, isEmoji ? emoji.end : emoji.start);
      if (!isEmoji) end = Math.min(end, script.end);
      runs.push({
        start,
        end,
        level: levels[start]!,
        script: isEmoji ? 'Zyyy' : script.script,
        emoji: isEmoji,
        upright: upright[start] === 1,
        span,
      });
    }
  }
  return runs;
}

/** Plain text from left to right: one run per span. */
function plainRuns(text: string, spanStarts: readonly number[]): TextRun[] {
  const script = /[A-Za-z]/.test(text) ? 'Latn' : 'Zyyy';
  const runs: TextRun[] = [];
  for (const [span, start] of spanStarts.entries()) {
    const end = Math.min(spanStarts[span + 1] ?? text.length, text.length);
    if (start < end) runs.push({ start, end, level: 0, script, emoji: false, upright: false, span });
  }
  return runs;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

function endOfEqual(values: Uint8Array, start: number, limit: number): number {
  let end = start + 1;
  while (end < limit && values[end] === values[start]) end++;
  return end;
}

/** The first stretch of emoji at or after `start`; empty and at `limit` where there is none. */
function nextEmoji(text: string, start: number, limit: number): Stretch {
  for (let at = start; at < limit; at++) {
    let end = emojiEnd(text, at, limit);
    if (end === at) continue;
    for (let next = end; end < limit; end = next) {
      next = emojiEnd(text, end, limit);
      if (next === end) break;
    }
    return { start: at, end };
  }
  return { start: limit, end: limit };
}

// Cuts a paragraph into runs of one script (UAX #24), as fonts and HarfBuzz understand script.
//
// Characters that many scripts share take the script of the text before them, at the start that of the text after;
// marks take that of their letter, a closing bracket that of its opener. A character that several scripts use
// (Script_Extensions) narrows the choice without deciding it.

interface ScriptRun {
  /** UTF-16 offset; the run starts where the one before ends. */
  readonly end: number;
  /** ISO 15924; `Zyyy` where nothing in the slice decides it. */
  readonly script: string;
}

/** The script runs of the slice `start`–`end`, which is a paragraph. */
function scriptRuns(text: string, start: number, end: number): ScriptRun[] {
  const runs: ScriptRun[] = [];
  /** The scripts that the current run as a whole may have; null while it has only shared characters. */
  let candidates: Scripts | null = null;
  /** Unmatched opening brackets, with the index of the run that each is in. */
  const open: { closing: number; run: number }[] = [];

  for (let offset = start, next = start; offset < end; offset = next) {
    const codePoint = text.codePointAt(offset)!;
    next = offset + (codePoint > 0xffff ? 2 : 1);
    const record = recordOf(codePoint);
    let scripts = SCRIPTS_OF_SET[SCRIPT_SET_OF[record]!]!;

    if (BIDI_CLASS_OF[record] === BIDI_CLASS.ON) {
      const closing = CLOSING_BRACKET.get(codePoint);
      if (closing !== undefined) {
        if (open.length === MAX_OPEN) open.shift();
        open.push({ closing, run: runs.length });
      } else if (open.length > 0) {
        const match = open.findLastIndex((bracket) => bracket.closing === codePoint);
        const opener = match < 0 ? undefined : runs[open[match]!.run];
        if (match >= 0) open.length = match;
        if (opener) scripts = [opener.script];
      }
    }

    if (scripts === SHARED || scripts === candidates) continue;
    const common: Scripts = candidates === null ? scripts : candidates.filter((script) => scripts.includes(script));
    if (common.length > 0) {
      candidates = common;
    } else if (!(TRAITS_OF[record]! & TRAIT.EXTENDS)) {
      runs.push({ end: offset, script: candidates?.[0] ?? 'Zyyy' });
      candidates = scripts;
    }
  }
  if (start < end) runs.push({ end, script: candidates?.[0] ?? 'Zyyy' });
  return runs;
}

/** With more open brackets than this the outermost is forgotten, so that a closer is matched in bounded time. */
const MAX_OPEN = 32;

/** ISO 15924 tags, the one to prefer first. */
type Scripts = readonly string[];
/** The set of characters without a script of their own. */
const SHARED: Scripts = [];

/** By SCRIPT_SET_OF. The two kana are one script to OpenType, so text that mixes them is one run. */
const SCRIPTS_OF_SET: readonly Scripts[] = SCRIPT_EXTENSIONS.map((scripts) => {
  if (['Zyyy', 'Zinh', 'Zzzz'].includes(scripts[0] ?? 'Zzzz')) return SHARED;
  const kana = ['Hira', 'Kana'].filter((script) => !scripts.includes(script));
  return kana.length === 1 ? [...scripts, ...kana] : scripts;
});

// Finds text to be shown as emoji (UTS #51): by default, by variation selector, or as part of a sequence.
//
// Sequences are recognised by their grammar, not from a list: one without a picture in the font stays together here and
// falls apart only in shaping. Code points that Unicode 15.0 reserves for emoji count as emoji.

/**
 * The end of the emoji that begins at `offset`, or `offset` if none does. Offsets are UTF-16; text from `limit` on is
 * ignored.
 */
export function emojiEnd(text: string, offset: number, limit: number): number {
  const codePoint = text.codePointAt(offset)!;
  // Digits, # and * are the only emoji below ©.
  if (codePoint < 0x80 && text.charCodeAt(offset + 1) !== EMOJI_SELECTOR) return offset;
  if (!(traitsOf(codePoint) & TRAIT.EMOJI)) return offset;

  let end = elementEnd(text, offset, limit);
  let isEmoji = end > offset;
  if (!isEmoji) {
    // Shown as text by itself, but a joiner may still make it part of a picture, as in ❤‍🔥.
    end = offset + sizeOf(codePoint);
    if (text.charCodeAt(end) === TEXT_SELECTOR) return offset;
  }
  while (end + 1 < limit && text.charCodeAt(end) === JOINER) {
    const next = text.codePointAt(end + 1)!;
    if (next < 0x80 || !(traitsOf(next) & TRAIT.EMOJI)) break;
    isEmoji = true;
    end = Math.max(elementEnd(text, end + 1, limit), end + 1 + sizeOf(next));
  }
  if (!isEmoji) return offset;
  // A joiner that joins nothing still belongs to the cluster.
  while (end < limit && text.charCodeAt(end) === JOINER) end = marksEnd(text, end + 1, limit);
  return end;
}

/**
 * The end of a flag, or of one emoji with selector, keycap, skin tone or tags; `offset` if it is to be shown as text.
 */
function elementEnd(text: string, offset: number, limit: number): number {
  const codePoint = text.codePointAt(offset)!;
  const traits = traitsOf(codePoint);
  const end = offset + sizeOf(codePoint);
  const next = end < limit ? text.codePointAt(end)! : 0;

  if (isFlagLetter(codePoint)) return marksEnd(text, isFlagLetter(next) ? end + 2 : end, limit);
  if (next === TEXT_SELECTOR) return offset;
  if (next === EMOJI_SELECTOR) return marksEnd(text, end, limit);
  if (traitsOf(next) & TRAIT.EMOJI_MODIFIER && traits & TRAIT.EMOJI_MODIFIER_BASE) {
    return marksEnd(text, end + sizeOf(next), limit);
  }
  return traits & TRAIT.EMOJI_PRESENTATION ? marksEnd(text, end, limit) : offset;
}

/** The end of the marks of the same cluster: selectors, the keycap's frame, tags, an enclosing circle. */
function marksEnd(text: string, offset: number, limit: number): number {
  let end = offset;
  while (end < limit) {
    const codePoint = text.codePointAt(end)!;
    if (!(traitsOf(codePoint) & TRAIT.EXTENDS)) break;
    end += sizeOf(codePoint);
  }
  return end;
}

const JOINER = 0x200d;
const TEXT_SELECTOR = 0xfe0e;
const EMOJI_SELECTOR = 0xfe0f;

function traitsOf(codePoint: number): number {
  return TRAITS_OF[recordOf(codePoint)]!;
}

function sizeOf(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}

/** Regional indicators. */
function isFlagLetter(codePoint: number): boolean {
  return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
}
