// Styles of words: what a range of a text is styled with, and the patch that styles it, with spans made and merged.

import { CHARACTER_PROPERTIES, TextLayer } from '#core/template/text-layer.ts';
import type { RawLayer } from './document.ts';
import type { Patch } from './edits.ts';
import { type RawSpan, spansOf, stylePatch, textOf, wordsOf } from './text-edits.ts';

/** A range of a text: UTF-16 offsets, the end not included. */
export type Range = readonly [from: number, to: number];

const STYLES: ReadonlySet<string> = new Set([...CHARACTER_PROPERTIES, 'link']);
/** The weight from which on letters count as bold, as in CSS font synthesis. */
const BOLD = 600;

/** Whether words of a text can have a property of their own. */
export const isWordStyle = (name: string): boolean => STYLES.has(name);

/** The property's default in a text layer. */
export function initialOf(name: string): unknown {
  const schema = (TextLayer.shape as Readonly<Record<string, { readonly def: { readonly defaultValue?: unknown } }>>)[
    name
  ];
  return schema?.def.defaultValue ?? null;
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Widens a range to whole characters as a reader counts them: an emoji is not cut in two. */
function wholeCharacters(text: string, [from, to]: Range): Range {
  const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text);
  const last = to > from ? characters.containing(to - 1) : undefined;
  return [characters.containing(from)?.index ?? from, last ? last.index + last.segment.length : to];
}

/** A property in a range of a text. `value`: undefined if the layer sets none, or if words of the range differ. */
export function styleOfWords(
  layer: RawLayer,
  [from, to]: Range,
  name: string,
): { readonly value: unknown; readonly isMixed: boolean } {
  let at = 0;
  const values: unknown[] = [];
  for (const span of spansOf(layer) ?? [{ text: textOf(layer) }]) {
    const start = at;
    at += wordsOf(span).length;
    if (!span.image && start < to && at > from) values.push(span[name] ?? layer[name]);
  }
  const [first] = values;
  const isMixed = values.some((value) => !isSame(value ?? initialOf(name), first ?? initialOf(name)));
  return { value: isMixed ? undefined : first, isMixed };
}

/**
 * The patch that styles a range of a text. If it is the whole text, the layer itself gets the style; otherwise spans do,
 * and those that end up alike, or like the layer, are merged.
 */
export function styleWords(layer: RawLayer, range: Range, style: Patch): Patch {
  const text = textOf(layer);
  const [from, to] = wholeCharacters(text, range);
  if (from >= to) return {};
  if (from === 0 && to >= text.length) {
    const bare = Object.fromEntries(Object.keys(style).map((name) => [name, undefined]));
    return spansOf(layer) ? { ...stylePatch(layer, from, to, bare), ...style } : style;
  }
  const own = Object.entries(style).map(([name, value]) => {
    return [name, isSame(value, layer[name] ?? initialOf(name)) ? undefined : value] as const;
  });
  return stylePatch(layer, from, to, Object.fromEntries(own));
}

/** Removes the styles of a range, which then looks as the layer says. */
export const plainWords = (layer: RawLayer, range: Range): Patch =>
  stylePatch(
    layer,
    ...wholeCharacters(textOf(layer), range),
    Object.fromEntries([...STYLES].map((name) => [name, undefined])),
  );

export type Toggle = 'bold' | 'italic' | 'underline';

/** Whether all words of a range are bold, italic or underlined. */
export function isStyled(layer: RawLayer, range: Range, toggle: Toggle): boolean {
  const shownValue = (name: string) => {
    const { value, isMixed } = styleOfWords(layer, range, name);
    return isMixed ? undefined : (value ?? initialOf(name));
  };
  if (toggle === 'bold') return Number(shownValue('fontWeight') ?? 0) >= BOLD;
  if (toggle === 'italic') return shownValue('fontStyle') === 'italic';
  return [shownValue('textDecoration')].flat().includes('underline');
}

/** The style that turns a range bold, italic or underlined, or back if all of it is so already. */
export function toggledStyle(layer: RawLayer, range: Range, toggle: Toggle): Patch {
  const isOn = isStyled(layer, range, toggle);
  if (toggle === 'bold') return { fontWeight: isOn ? 400 : 700 };
  if (toggle === 'italic') return { fontStyle: isOn ? 'normal' : 'italic' };
  const { value } = styleOfWords(layer, range, 'textDecoration');
  const others = [value].flat().filter((line) => typeof line === 'string' && line !== 'none' && line !== 'underline');
  const lines = isOn ? others : [...others, 'underline'];
  return { textDecoration: lines.length === 0 ? 'none' : lines.length === 1 ? lines[0] : lines };
}

export interface StyledRun {
  /** Among the layer's spans. */
  readonly index: number;
  readonly span: RawSpan;
  readonly range: Range;
}

/** The spans that have a style of their own, or are pictures. */
export function styledRuns(layer: RawLayer): readonly StyledRun[] {
  let at = 0;
  return (spansOf(layer) ?? []).flatMap((span, index) => {
    const from = at;
    at += wordsOf(span).length;
    const isStyledRun = Object.keys(span).some((name) => name !== 'text');
    return isStyledRun ? [{ index, span, range: [from, at] as const }] : [];
  });
}
