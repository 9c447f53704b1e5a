// A text node's spans in, a Paragraph out: the order of the text steps.
//
// bidi → itemize → font fallback → shape → line break → fit and clamp → align. Each step is a file of that name.

import type { TextNode } from '../resolve/scene.ts';
import type { FontSet } from './font-set.ts';
import type { Paragraph } from './paragraph.ts';

/** A text node analysed and shaped once, to be broken at any width. */
export interface PreparedText {
  readonly node: TextNode;
}

/** Everything that does not depend on the width: bidi levels, runs, shaping, break opportunities. */
export function prepareText(_node: TextNode, _fonts: FontSet): PreparedText {
  throw new Error('not built yet');
}

/**
 * Breaks, fits, clamps and aligns.
 *
 * @param width the box to wrap and align in, px; null = as wide as the longest paragraph (CSS max-content)
 * @param height what `autoFit`, `ellipsis` and `overflows` measure against, px; null = unlimited
 */
export function layOutText(_text: PreparedText, _width: number | null, _height: number | null): Paragraph {
  throw new Error('not built yet');
}
