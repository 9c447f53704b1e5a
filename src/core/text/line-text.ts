// Extracts the text of one line of a text node, in logical order.

import type { TextNode } from '../resolve/scene.ts';
import type { Line } from './paragraph.ts';
import { transformText } from './text-transform.ts';

/** The text of all spans after their transformations; the offsets of lines refer to it. */
export function wholeText({ spans }: TextNode): string {
  return spans.reduce((text, span) => text + transformText(span.text, span.style, text), '');
}

/** The text as drawn on the line: without trailing white space, with an ellipsis where it was cut. */
export function lineText(whole: string, { start, end, ellipsized }: Line): string {
  return whole.slice(start, end).trimEnd() + (ellipsized ? '…' : '');
}
