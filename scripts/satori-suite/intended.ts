// Intended differences from Chromium on pages of satori's suite, with their reasons. docs/html.md names all of them.

export interface IntendedDifference {
  /** The names of their tests. */
  readonly pages: RegExp;
  readonly reason: string;
}

/** Drawn differently, without a warning. */
export const INTENDED: readonly IntendedDifference[] = [
  {
    pages: /^Line Clamp/,
    reason:
      'line-clamp works on any block, as satori and CSS Overflow 4 have it; Chromium asks for -webkit-box as well',
  },
  {
    pages: /handle charset=utf-8$/,
    reason:
      'a # in a data: URI is a part of the SVG, as satori has it; for Chromium it ends the URI, and nothing is drawn',
  },
  {
    pages: /clip content in the border/,
    reason: 'a picture of 100 % in a flex row shrinks to leave room for its border and padding, as satori has it',
  },
  {
    pages: /special characters$|complex descenders$/,
    reason: 'lines break by Unicode’s rules, as satori has it; browsers break before ? : ! and after | otherwise',
  },
  {
    pages: /currentcolor when background|multiple text lines|Tab renders as space/,
    reason: 'line-height: normal is the font’s own, as satori has it; Chromium rounds ascent and descent to whole px',
  },
];

/** Refused pages: the beginnings of their messages, after the position. */
export const REFUSED = /^(the property corner-shape|disallow setting negative values)/;
