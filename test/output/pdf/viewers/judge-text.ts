// The lines that a picture shows and the text that a program got from its PDF in, whether that gives the lines out.

/**
 * `right`: every line stands in the text as it is, and nothing is said twice. `spacing`: so it does without white space.
 * `order`: the same characters come out, some elsewhere. `twice`: more comes out; `lost`: less, or other characters.
 */
export type Found = 'right' | 'spacing' | 'order' | 'twice' | 'lost';

/** Joiners, marks of direction, soft hyphens, and what stands for a picture in a line. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffc]/g;
/** A stretch of Hebrew or Arabic, with the marks, spaces and punctuation between its letters. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff](?:[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\p{M}\p{P}\s]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff])?/gu;

export function judgeText(lines: readonly string[], extracted: string, extractor: string): Found {
  const raw = readable(extracted);
  // MuPDF 1.21 gives right-to-left text as it stands on the page, from left to right; later ones turn it around, as here.
  const text = extractor === 'MuPDF' ? raw.replace(RIGHT_TO_LEFT, reversed) : raw;
  const expected = lines.map(readable).filter((line) => line !== '');
  const [all, found] = [expected.map(bare).join(''), bare(text)];
  if (sorted(all) === sorted(found)) {
    if (expected.every((line) => text.includes(line))) return 'right';
    return expected.every((line) => found.includes(bare(line))) ? 'spacing' : 'order';
  }
  return found.length > all.length && expected.every((line) => found.includes(bare(line))) ? 'twice' : 'lost';
}

/** Presentation selectors too: some programs drop them. */
const readable = (text: string) =>
  text
    .replace(UNSEEN, '')
    .replace(/[\ufe0e\ufe0f]/g, '')
    .replace(/\u2010$/gmu, '')
    .replace(/\s+/g, ' ')
    .trim();
const bare = (text: string) => text.replace(/[\s\u2010]/g, '');
const reversed = (text: string) => Array.from(text).reverse().join('');
const sorted = (text: string) => Array.from(text).sort().join('');
