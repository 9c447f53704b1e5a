// Maps language tags to files of hyphenation patterns. Separate from hyphenator.ts, which a page loads only when
// needed.

/** Languages whose patterns go by their own name. */
const PLAIN = new Set(
  'af be bg ca cs cy da es et eu fi fr fur ga gl hr hsb hu hy ia id is it ka kmr la lt lv mk nb nl nn oc pl pms pt rm ro ru sk sl sq sv tk tr uk'.split(
    ' ',
  ),
);
/** Languages, or regions of them, whose patterns have another name. */
const OTHER: ReadonlyMap<string, string> = new Map([
  ['de', 'de-1996'],
  ['el', 'el-monoton'],
  ['en', 'en-us'],
  ['en-au', 'en-gb'],
  ['en-gb', 'en-gb'],
  ['en-ie', 'en-gb'],
  ['en-nz', 'en-gb'],
  ['mn', 'mn-cyrl'],
  ['no', 'nb'],
  ['sr', 'sr-cyrl'],
  ['sr-latn', 'sh-latn'],
]);

/** The name of the pattern file for a language tag (BCP 47); null = there is none. */
export function patternsOf(tag: string): string | null {
  const [primary = '', second = ''] = tag.toLowerCase().split('-');
  return OTHER.get(`${primary}-${second}`) ?? OTHER.get(primary) ?? (PLAIN.has(primary) ? primary : null);
}
