// Reads `@font-face` (CSS Fonts 4, 4): which file a family has for a weight and a style.

import { readRules, urlsOf } from '../css/css-text.ts';
import { splitValue } from './shorthands.ts';

export interface FontFaceRule {
  readonly family: string;
  /** null = that of the file. */
  readonly weight: number | null;
  readonly style: 'normal' | 'italic' | null;
  /** Addresses, in the order in which they are tried. */
  readonly sources: readonly string[];
}

/** The most faces that a page may bring along. */
const MOST_FACES = 20;

const FORMATS = /format\(\s*["']?(woff2?|truetype|opentype|ttf|otf)/i;

export function readFontFaces(sheets: readonly string[]): readonly FontFaceRule[] {
  const faces = sheets.flatMap((sheet) => {
    if (!/@font-face\b/i.test(sheet)) return [];
    return readRules(sheet).flatMap(({ atRules, declarations }): readonly FontFaceRule[] => {
      if (!/^@font-face\b/i.test(atRules.at(-1) ?? '')) return [];
      const of = (property: string) => declarations.findLast((each) => each.property === property)?.value;
      const family =
        of('font-family')
          ?.replace(/^["']|["']$/g, '')
          .trim() ?? '';
      const parts = splitValue(of('src') ?? '', ',').filter((part) => !/format\(/i.test(part) || FORMATS.test(part));
      const sources = parts.flatMap((part) => urlsOf(part).slice(0, 1));
      if (family === '' || sources.length === 0) return [];
      const weight = of('font-weight')?.toLowerCase() ?? '';
      // A range of weights is that of the file, which is a variable one.
      const number = { normal: 400, bold: 700 }[weight] ?? Number(weight);
      const style = of('font-style')?.toLowerCase() ?? '';
      return [
        {
          family,
          weight: number >= 1 && number <= 1_000 ? number : null,
          style: /^(italic|oblique)/.test(style) ? 'italic' : style === 'normal' ? 'normal' : null,
          sources,
        },
      ];
    });
  });
  return faces.slice(0, MOST_FACES);
}
