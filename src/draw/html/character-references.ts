// Decodes character references (`&amp;` → `&`): commonly used names, and all numeric ones.

/** A subset of HTML's 2,231 names: those of Latin-1, and of typography and symbols that keyboards lack. */
const NAMED: ReadonlyMap<string, string> = new Map(
  [
    'amp & lt < gt > quot " apos \'',
    'iexcl ¡ cent ¢ pound £ curren ¤ yen ¥ brvbar ¦ sect § uml ¨ copy © ordf ª laquo « not ¬ reg ® macr ¯ deg °',
    'plusmn ± sup1 ¹ sup2 ² sup3 ³ acute ´ micro µ para ¶ middot · cedil ¸ ordm º raquo » frac14 ¼ frac12 ½ frac34 ¾',
    'iquest ¿ times × divide ÷ szlig ß AElig Æ aelig æ Oslash Ø oslash ø ETH Ð eth ð THORN Þ thorn þ OElig Œ oelig œ',
    'Agrave À Aacute Á Acirc Â Atilde Ã Auml Ä Aring Å Ccedil Ç Egrave È Eacute É Ecirc Ê Euml Ë Igrave Ì Iacute Í',
    'Icirc Î Iuml Ï Ntilde Ñ Ograve Ò Oacute Ó Ocirc Ô Otilde Õ Ouml Ö Ugrave Ù Uacute Ú Ucirc Û Uuml Ü Yacute Ý',
    'agrave à aacute á acirc â atilde ã auml ä aring å ccedil ç egrave è eacute é ecirc ê euml ë igrave ì iacute í',
    'icirc î iuml ï ntilde ñ ograve ò oacute ó ocirc ô otilde õ ouml ö ugrave ù uacute ú ucirc û uuml ü yacute ý yuml ÿ',
    'Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ tilde ˜ ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „',
    'dagger † Dagger ‡ bull • hellip … permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › euro € trade ™ larr ← uarr ↑ rarr →',
    'darr ↓ harr ↔ minus − infin ∞ asymp ≈ ne ≠ le ≤ ge ≥ check ✓ star ☆ starf ★ hearts ♥ spades ♠ clubs ♣ diams ♦',
  ]
    .flatMap((line) => line.split(' '))
    .reduce<[string, string][]>((pairs, word, index, words) => {
      if (index % 2 === 0) pairs.push([word, words[index + 1] ?? '']);
      return pairs;
    }, [])
    .concat([
      ['nbsp', '\u00a0'],
      ['shy', '\u00ad'],
      ['ensp', '\u2002'],
      ['emsp', '\u2003'],
      ['thinsp', '\u2009'],
      ['zwnj', '\u200c'],
      ['zwj', '\u200d'],
    ]),
);

/** What 0x80 to 0x9f stand for: in windows-1252, as authors meant them (HTML, 13.2.5.80). Five stand for themselves. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** @param onUnknown returns the replacement of a reference with an unknown name, given as written */
export function decodeReferences(text: string, onUnknown: (reference: string) => string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([0-9a-f]{1,6});|#(\d{1,7});|([A-Za-z][A-Za-z0-9]{1,31});)/gi,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return NAMED.get(name) ?? onUnknown(whole);
      const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal);
      if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252.charAt(code - 0x80);
      const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : '\ufffd';
    },
  );
}
