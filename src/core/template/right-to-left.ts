// Tells whether a language is written from right to left, by the lists of CLDR: by the script in its tag, else by the
// language.

const RTL_LANGUAGES = 'ae ar arc bcc bgn bqi ckb dv fa glk he iw khw ks ku lrc mzn nqo pnb ps sd ug ur yi'.split(' ');
const RTL_SCRIPTS = 'adlm arab hebr mand mend nkoo rohg samr syrc thaa yezi'.split(' ');

/** @param tag BCP 47 */
export function isRightToLeft(tag: string): boolean {
  const [language = '', ...rest] = tag.toLowerCase().split('-');
  const script = rest.find((part) => part.length === 4);
  return script === undefined ? RTL_LANGUAGES.includes(language) : RTL_SCRIPTS.includes(script);
}
