// What a text is when nothing is asked of it: texts that no text layer stands for are made from these.

import { BLACK } from '../color.ts';
import type { CharacterStyle, NodeBase, TextNode } from './scene.ts';

export const PLAIN_STYLE: Omit<CharacterStyle, 'font' | 'fontSize'> = {
  lineHeight: 1.2,
  letterSpacing: 0,
  wordSpacing: 0,
  textTransform: 'none',
  decorations: [],
  position: 'normal',
  features: {},
  fill: { kind: 'solid', color: BLACK },
  stroke: null,
  lang: null,
};

/** One line, from the left, that neither wraps at hyphens nor ends. */
export const PLAIN_TEXT: Omit<TextNode, keyof NodeBase | 'spans' | 'strut'> = {
  type: 'text',
  align: 'left',
  verticalAlign: 'top',
  direction: 'auto',
  writingMode: 'horizontal-tb',
  textOrientation: 'mixed',
  arc: null,
  textWrap: 'wrap',
  hyphens: 'none',
  textIndent: 0,
  paragraphSpacing: 0,
  list: null,
  lineBreak: 'auto',
  wordBreak: 'normal',
  overflowWrap: 'break-word',
  lineBackground: null,
  maxLines: null,
  overflow: 'visible',
  autoFitMin: null,
  autoFitMax: null,
};
