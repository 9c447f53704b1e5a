// Pages of satori's suite that Platen draws otherwise than Chromium, each with its reason: on purpose, or by what satori
// lays out otherwise, which the README names.

export interface IntendedDifference {
  /** The names of their tests. */
  readonly pages: RegExp;
  readonly reason: string;
}

export const INTENDED: readonly IntendedDifference[] = [
  {
    pages: /^Line Clamp/,
    reason: 'line-clamp is drawn as CSS Overflow 4 has it; Chromium knows -webkit-line-clamp alone',
  },
  { pages: /charset=utf-8$/, reason: 'a # in a data: URI is taken for a part of the SVG; in Chromium it ends the URI' },
  {
    pages: /clip content in the border|image size and scale automatically|prefer size props rather than viewBox/,
    reason: 'pictures in flexbox are neither stretched nor kept from shrinking; give them both sizes',
  },
  {
    pages: /special characters$|complex descenders$/,
    reason: 'lines break by Unicode’s rules; browsers break before ? : ! and after | otherwise',
  },
  {
    pages: /Arabic|with background when|multiple text lines|Tab renders as space/,
    reason: 'line-height: normal is not rounded to whole px, and spaces between Arabic words are the first font’s',
  },
];
