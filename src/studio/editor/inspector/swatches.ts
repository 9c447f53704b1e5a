// The colours used in a template, offered in every colour picker.

import { type RawDocument, walk } from '../core/document/document.ts';

/** Computed when a picker opens, not at each edit. */
export type Swatches = () => readonly string[];

export const noSwatches: Swatches = () => [];

const MOST = 18;

/** The most frequent first. */
export function swatchesOf(document: RawDocument): readonly string[] {
  const counts = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value === 'string' && /^#[0-9a-f]{3,8}$/i.test(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
    else if (Array.isArray(value)) value.forEach(count);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(count);
  };
  count(document.background);
  for (const { layer } of walk(document.layers)) {
    const { children: _children, src: _src, text: _text, ...own } = layer;
    count(Object.values(own));
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([color]) => color);
}
