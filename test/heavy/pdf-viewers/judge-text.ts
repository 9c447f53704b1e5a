// Judges whether the text that a program extracts from a PDF has the lines that the picture shows.

/**
 * `right`: every line is in the text as it is, and nothing occurs twice. `spacing`: the same without white space.
 * `order`: the same characters, some of them elsewhere. `twice`: more characters; `lost`: fewer or other ones.
 */
export type Found = 'right' | 'spacing' | 'order' | 'twice' | 'lost';

/** Joiners, direction marks, soft hyphens, and the placeholder of a picture in a line. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffc]/g;
/** A stretch of Hebrew or Arabic, with the marks, spaces and punctuation between its letters. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff](?:[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\p{M}\p{P}\s]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff])?/gu;

export function judgeText(lines: readonly string[], extracted: string, extractor: string): Found {
  const raw = readable(extracted);
  // MuPDF 1.21 extracts right-to-left text in visual order, from left to right; later versions reverse it, as is done
  // here.
  const text = extractor === 'MuPDF' ? raw.replace(RIGHT_TO_LEFT, reversed) : raw;
  const expected = lines.map(readable).filter((line) => line !== '');
  const [all, found] = [expected.map(bare).join(''), bare(text)];
  if (sorted(all) === sorted(found)) {
    if (expected.every((line) => text.includes(line))) return 'right';
    return expected.every((line) => found.includes(bare(line))) ? 'spacing' : 'order';
  }
  return found.length > all.length && expected.every((line) => found.includes(bare(line))) ? 'twice' : 'lost';
}

/** Normalises text for the comparison. Also removes presentation selectors, which some programs drop. */
const readable = (text: string) =>
  text
    .replace(UNSEEN, '')
    .replace(/[\ufe0e\ufe0f]/g, '')
    .replace(/[\u2010\u00ad]$/gmu, '')
    .replace(/\s+/g, ' ')
    .trim();
const bare = (text: string) => text.replace(/[\s\u2010\u00ad]/g, '');
const reversed = (text: string) => Array.from(text).reverse().join('');
const sorted = (text: string) => Array.from(text).sort().join('');
