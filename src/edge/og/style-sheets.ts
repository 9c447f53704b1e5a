// Puts style sheets into a tree, as an element that satori reads.

import { AppError } from '#base/errors.ts';
import { childrenOf, type PlainElement, type PlainNode } from './plain-tree.ts';

/** Most UTF-16 units of all sheets together. */
const MAX_LENGTH = 200_000;

/** @throws AppError `invalid_request` when the sheets are too long, or name addresses, which satori would fetch */
export function checkedCss(sheets: readonly string[]): string {
  const css = sheets.join('\n');
  if (css.length > MAX_LENGTH) {
    throw new AppError('invalid_request', `stylesheets: may have at most ${MAX_LENGTH} characters together.`);
  }
  // A backslash may hide either word.
  if (/url\(|@import|@font-face|\\/i.test(css)) {
    throw new AppError(
      'invalid_request',
      'stylesheets: url(…), @import, @font-face and backslashes are refused; put pictures into elements, and fonts into `fonts`.',
    );
  }
  return css;
}

/** @throws AppError as `checkedCss` */
export function withStyleSheets(root: PlainNode | undefined, sheets: readonly string[]): PlainNode | undefined {
  if (sheets.length === 0) return root;
  const css = checkedCss(sheets);
  const sheet: PlainElement = { type: 'style', props: { children: css } };
  if (typeof root !== 'object')
    return { type: 'div', props: { children: root === undefined ? [sheet] : [sheet, root] } };
  return { ...root, props: { ...root.props, children: [sheet, ...childrenOf(root)] } };
}
