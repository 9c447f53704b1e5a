// A text node and one of its lines → the line's words, in logical order.

import type { TextNode } from '../resolve/scene.ts';
import type { Line } from './paragraph.ts';
import { transformText } from './text-transform.ts';

/** The text of all spans after their transformations, which the offsets of lines are into. */
export function wholeText({ spans }: TextNode): string {
  return spans.reduce((text, span) => text + transformText(span.text, span.style, text), '');
}

/** As it stands on the line: without white space at its end, with an ellipsis where it was cut. */
export function lineText(whole: string, { start, end, ellipsized }: Line): string {
  return whole.slice(start, end).trimEnd() + (ellipsized ? '…' : '');
}
