// Finds break opportunities inside words: at soft hyphens, and where a language's patterns allow one (CSS `hyphens`).
//
// A line that ends at one shows a hyphen. The patterns come from the caller; this file knows no languages.

import type { TextNode } from '../resolve/scene.ts';
import { BREAK_ALLOWED, BREAK_MANDATORY, BREAK_PROHIBITED } from './line-break.ts';

/** Returns the UTF-16 offsets in a word, ascending, before which it may be broken. */
export type Hyphenate = (word: string) => readonly number[];

/** By the language tag that a style states; a language without patterns has no entry. */
export type Hyphenators = ReadonlyMap<string, Hyphenate>;

const SOFT_HYPHEN = '\u00ad';
/** Words of 5 letters or more (CSS hyphenate-limit-chars: auto) that are not part of an address, a number or a name. */
const WORD =
  /(?<![\p{L}\p{M}\p{N}\u00ad/@_.&=#:\\])[\p{L}\p{M}]{5,60}(?![\p{L}\p{M}\p{N}\u00ad/@_&=#\\]|[.:][\p{L}\p{N}/])/gu;

const NONE = new Uint8Array(0);

/**
 * Changes `breaks` according to a node's `hyphens`.
 *
 * @param spans the node's spans in the whole text, whose languages choose the patterns
 * @param clusters nonzero where a grapheme cluster starts
 * @returns nonzero at each offset where a line that ends there shows a hyphen; empty where none can
 */
export function hyphenBreaks(
  text: string,
  { hyphens }: TextNode,
  spans: readonly { readonly end: number; readonly style: { readonly lang: string | null } }[],
  hyphenators: Hyphenators,
  breaks: Uint8Array,
  clusters: Uint8Array,
): Uint8Array {
  const isAuto = hyphens === 'auto' && hyphenators.size > 0;
  if (!isAuto && !text.includes(SOFT_HYPHEN)) return NONE;
  const shown = new Uint8Array(text.length + 1);
  for (let at = text.indexOf(SOFT_HYPHEN); at >= 0; at = text.indexOf(SOFT_HYPHEN, at + 1)) {
    if (hyphens !== 'none') shown[at + 1] = 1;
    else if (breaks[at + 1] !== BREAK_MANDATORY) breaks[at + 1] = BREAK_PROHIBITED;
  }
  if (!isAuto) return shown;

  let span = 0;
  for (const { index, 0: word } of text.matchAll(WORD)) {
    while ((spans[span]?.end ?? Infinity) <= index) span++;
    const hyphenate = hyphenators.get(spans[span]?.style.lang ?? '');
    for (const offset of hyphenate?.(word) ?? []) {
      const at = index + offset;
      if (!clusters[at] || breaks[at] !== BREAK_PROHIBITED) continue;
      breaks[at] = BREAK_ALLOWED;
      shown[at] = 1;
    }
  }
  return shown;
}
