// Reads the style of an SVG drawing's elements from their attributes, and what they inherit.

import type { SvgElement } from './read-attributes.ts';

/** Property → value, as written. */
export type SvgStyle = ReadonlyMap<string, string>;

/** Properties that are inherited. */
export const INHERITED = [
  ...['fill', 'fill-opacity', 'fill-rule', 'clip-rule', 'color', 'visibility', 'white-space'],
  ...['stroke', 'stroke-opacity', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin'],
  ...['stroke-miterlimit', 'stroke-dashoffset', 'paint-order'],
  ...['font-family', 'font-size', 'font-weight', 'font-style', 'letter-spacing', 'text-anchor', 'text-transform'],
  ...['dominant-baseline', 'direction', 'word-spacing', 'writing-mode', 'font-variant', 'font-stretch'],
  ...['marker-start', 'marker-mid', 'marker-end'],
] as const;
/** Properties that are not. */
export const OWN = [
  ...['opacity', 'display', 'clip-path', 'mask', 'mask-type', 'filter', 'mix-blend-mode', 'transform'],
  ...['stop-color', 'stop-opacity', 'flood-color', 'flood-opacity', 'text-decoration'],
  ...['alignment-baseline', 'baseline-shift'],
] as const;
const KNOWN: ReadonlySet<string> = new Set([...INHERITED, ...OWN]);

/**
 * What an element of plain attributes (plain-svg.ts) sets and inherits.
 *
 * @param around the style of the parent
 */
export function styleOf({ attributes }: SvgElement, around: SvgStyle): SvgStyle {
  const inStyle = (attributes.get('style') ?? '').split(';').map((each) => each.split(':').map((part) => part.trim()));
  const own = new Map([...attributes, ...(inStyle as [string, string][])].filter(([name]) => KNOWN.has(name)));
  const style = new Map([...around].filter(([name]) => (INHERITED as readonly string[]).includes(name)));
  for (const [name, text] of own) {
    const value = text.trim() === 'inherit' ? around.get(name) : text.trim();
    if (value !== undefined) style.set(name, value);
  }
  const size = style.get('font-size');
  if (size !== undefined && /(%|em)$/.test(size)) {
    const before = styleLength(around.get('font-size'), 16);
    style.set('font-size', String(styleLength(size, before, before, before)));
  }
  return style;
}

/** The parts of CSS's `font`: `italic 700 12px/1.2 "Inter", sans-serif`. */
export function fontIn(value: string): (readonly [string, string])[] {
  const words = value.trim().split(/\s+/);
  // The size is followed by the families, and a weight by the size.
  const at = words.findIndex((word, i) => /^\.?\d/.test(word) && /^\D/.test(words[i + 1] ?? ''));
  const [size] = /^[\w.%]+/.exec(words[at] ?? '') ?? [];
  if (size === undefined) return [];
  const [before, families] = [words.slice(0, at).join(' '), words.slice(at + 1).join(' ')];
  const weight = /\b(bold|[1-9]00)\b/.exec(before)?.[1] ?? 'normal';
  const style = /\b(italic|oblique)\b/.exec(before)?.[1] ?? 'normal';
  return [
    ['font-style', style],
    ['font-weight', weight],
    ['font-size', size],
    ['font-family', families],
  ];
}

/** px of a length; a percentage of `whole`, and `em` of `em`. */
export function styleLength(text: string | undefined, absent: number, whole = 1, em = 16): number {
  const [, number = '', unit = ''] =
    /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*(?:(%|[a-z]+)\s*)?$/i.exec(text ?? '') ?? [];
  if (number === '') return absent;
  const factor = { '%': whole / 100, em, pt: 96 / 72, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4 }[
    unit.toLowerCase()
  ];
  return Number(number) * (factor ?? 1);
}
