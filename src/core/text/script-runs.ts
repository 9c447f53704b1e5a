// Cuts a paragraph into runs of one script (UAX #24), as fonts and HarfBuzz understand script.
//
// Characters that many scripts share take the script of the text before them, at the start that of the text after;
// marks take that of their letter, a closing bracket that of its opener. A character that several scripts use
// (Script_Extensions) narrows the choice without deciding it.

import { BIDI_CLASS, TRAIT } from './unicode-classes.ts';
import {
  BIDI_CLASS_OF,
  CLOSING_BRACKET,
  recordOf,
  SCRIPT_EXTENSIONS,
  SCRIPT_SET_OF,
  TRAITS_OF,
} from './unicode-data.ts';

export interface ScriptRun {
  /** UTF-16 offset; the run starts where the one before ends. */
  readonly end: number;
  /** ISO 15924; `Zyyy` where nothing in the slice decides it. */
  readonly script: string;
}

/** The script runs of the slice `start`–`end`, which is a paragraph. */
export function scriptRuns(text: string, start: number, end: number): ScriptRun[] {
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
