// Finds break opportunities between words in scripts that write no spaces: Thai, Lao, Khmer and Burmese.
//
// The words come from the engine's dictionaries (`Intl.Segmenter`), so they may differ between engines and versions.

import { lazily } from '../lazily.ts';
import { BREAK_ALLOWED } from './line-break-rules.ts';
import { LINE_BREAK_CLASS } from './unicode-classes.ts';
import { LINE_BREAK_CLASS_OF, recordOf, SCRIPT_EXTENSIONS, SCRIPT_SET_OF } from './unicode-data.ts';

/** The scripts of class SA for which the engine has dictionaries; others, such as Tai Le, it breaks at every letter. */
const SCRIPTS_WITH_DICTIONARY: ReadonlySet<string | undefined> = new Set(['Thai', 'Laoo', 'Khmr', 'Mymr']);

/** The script selects the dictionary; the locale is fixed so that the machine's own makes no difference. */
const segmenter = lazily(() => new Intl.Segmenter('en', { granularity: 'word' }));

/** Allows breaks between the words inside each stretch of such text; the breaks at its ends are left unchanged. */
export function allowDictionaryBreaks(text: string, breaks: Uint8Array): void {
  for (let at = 0; at < text.length; ) {
    const start = at;
    while (at < text.length && hasDictionary(text.codePointAt(at)!)) at++;
    if (at === start) at++;
    else if (at > start + 1) breakBetweenWords(text.slice(start, at), start, breaks);
  }
}

function breakBetweenWords(words: string, start: number, breaks: Uint8Array): void {
  for (const { index } of segmenter().segment(words)) {
    const isMark = LINE_BREAK_CLASS_OF[recordOf(words.charCodeAt(index))] === LINE_BREAK_CLASS.SA_MARK;
    if (index > 0 && !isMark) breaks[start + index] = BREAK_ALLOWED;
  }
}

/** All these characters are single UTF-16 units. */
function hasDictionary(codePoint: number): boolean {
  if (codePoint < 0x0e00) return false;
  const record = recordOf(codePoint);
  const lineBreakClass = LINE_BREAK_CLASS_OF[record];
  if (lineBreakClass !== LINE_BREAK_CLASS.SA && lineBreakClass !== LINE_BREAK_CLASS.SA_MARK) return false;
  return SCRIPTS_WITH_DICTIONARY.has(SCRIPT_EXTENSIONS[SCRIPT_SET_OF[record]!]?.[0]);
}
