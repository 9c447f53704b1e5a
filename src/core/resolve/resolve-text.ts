// Resolves the text and styles of a text layer to spans: each is complete and inherits nothing.

import type { CharacterProperty, InlineImage as StoredImage, TextLayer } from '../template/text-layer.ts';
import { type MarkedText, parseInlineMarkdown } from './inline-markdown.ts';
import type { NeedsSink } from './needs.ts';
import { rowOf, WIDEST_PAGE } from './resolve-pages.ts';
import { resolveFill } from './resolve-style.ts';
import type { CharacterStyle, InlineImage, TextDecoration, TextSpan } from './scene.ts';

type StoredStyle = Pick<TextLayer, CharacterProperty>;

export function resolveCharacterStyle(style: StoredStyle): CharacterStyle {
  return {
    font: {
      families: [style.fontFamily].flat(),
      weight: style.fontWeight,
      style: style.fontStyle,
      variations: style.fontVariations,
      ...(style.fontSynthesis === 'weight style' ? {} : { synthesis: style.fontSynthesis }),
      lang: style.lang,
    },
    fontSize: style.fontSize,
    lineHeight: style.lineHeight,
    letterSpacing: style.letterSpacing,
    wordSpacing: style.wordSpacing,
    textTransform: style.textTransform,
    decorations: resolveDecorations(style),
    position: style.fontVariantPosition,
    features: resolveFeatures(style),
    fill: resolveFill(style.color),
    stroke:
      style.stroke === null || style.strokeWidth === 0
        ? null
        : { fill: resolveFill(style.stroke), width: style.strokeWidth },
    lang: style.lang,
  };
}

/** The OpenType features of CSS's words (CSS Fonts 4, section 6). */
export const FEATURES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'small-caps': { smcp: 1 },
  'all-small-caps': { smcp: 1, c2sc: 1 },
  'petite-caps': { pcap: 1 },
  'all-petite-caps': { pcap: 1, c2pc: 1 },
  unicase: { unic: 1 },
  'titling-caps': { titl: 1 },
  'lining-nums': { lnum: 1 },
  'oldstyle-nums': { onum: 1 },
  'proportional-nums': { pnum: 1 },
  'tabular-nums': { tnum: 1 },
  'diagonal-fractions': { frac: 1 },
  'stacked-fractions': { afrc: 1 },
  ordinal: { ordn: 1 },
  'slashed-zero': { zero: 1 },
  none: { liga: 0, clig: 0, dlig: 0, hlig: 0, calt: 0 },
  'common-ligatures': { liga: 1, clig: 1 },
  'no-common-ligatures': { liga: 0, clig: 0 },
  'discretionary-ligatures': { dlig: 1 },
  'no-discretionary-ligatures': { dlig: 0 },
  'historical-ligatures': { hlig: 1 },
  'no-historical-ligatures': { hlig: 0 },
  contextual: { calt: 1 },
  'no-contextual': { calt: 0 },
  sub: { subs: 1 },
  super: { sups: 1 },
  jis78: { jp78: 1 },
  jis83: { jp83: 1 },
  jis90: { jp90: 1 },
  jis04: { jp04: 1 },
  simplified: { smpl: 1 },
  traditional: { trad: 1 },
  'full-width': { fwid: 1 },
  'proportional-width': { pwid: 1 },
  ruby: { ruby: 1 },
};

function resolveFeatures(style: StoredStyle): CharacterStyle['features'] {
  const { fontVariantCaps: caps, fontVariantNumeric: numeric, fontVariantLigatures: ligatures, fontFeatures } = style;
  if (caps === 'normal' && numeric === 'normal' && ligatures === 'normal') return fontFeatures;
  const words = [caps, numeric, ligatures].flat();
  return Object.assign({}, ...words.map((word) => FEATURES[word] ?? {}), fontFeatures);
}

function resolveDecorations(style: StoredStyle): readonly TextDecoration[] {
  const { textDecorationColor: color, textDecorationThickness: thickness } = style;
  const lines = [style.textDecoration].flat().filter((line) => line !== 'none');
  return [...new Set(lines)].map((line) => ({ line, fill: color === null ? null : resolveFill(color), thickness }));
}

/** The text of a layer without marks; what is counted on pages is left out. */
export function wordsOf(layer: TextLayer): string {
  if (layer.spans?.length) {
    const words = layer.spans.map(({ text, counter, footnote }) =>
      counter === 'row' ? rowOf(layer) : counter || footnote ? '' : text,
    );
    return words.join('');
  }
  const marked = layer.markup === 'markdown' ? parseInlineMarkdown(layer.text) : [];
  return marked.length > 0 ? marked.map(({ text }) => text).join('') : layer.text;
}

/** Whether a text shows nothing: no picture, and no character but white space. */
export function isBlank({ text, spans }: TextLayer): boolean {
  const shown = spans?.length ? spans : [{ text, image: undefined }];
  return shown.every(
    (span) => !span.image && !('counter' in span && (span.counter || span.footnote)) && span.text.trim() === '',
  );
}

/**
 * Returns at least one span.
 *
 * @param own the layer's own style, used for plain text
 */
export function resolveSpans(layer: TextLayer, own: CharacterStyle, needs: NeedsSink): readonly TextSpan[] {
  if (layer.spans === null || layer.spans.length === 0) {
    const marked = layer.markup === 'markdown' ? parseInlineMarkdown(layer.text) : [];
    if (marked.length > 0) return marked.map((part) => markedSpan(layer, part));
    return [{ text: layer.text, style: own, link: null, counter: null, image: null }];
  }
  return layer.spans.map(({ text, link, image, counter, of, footnote, name: _, format: __, ...own }) => {
    const given = defined(own);
    const counted =
      counter === 'row'
        ? { text: rowOf(layer), counter: null }
        : of
          ? { text: WIDEST_PAGE, counter: { pageOf: of } }
          : { text, counter: counter ?? null };
    const style = resolveCharacterStyle({ ...layer, ...given });
    const span = { ...counted, style, link: link ?? null, image: null };
    if (footnote !== undefined) {
      const { text, ...ofNote } = typeof footnote === 'string' ? { text: footnote } : footnote;
      const inherited = { ...layer, ...given, fontSize: NOTE_SIZE * style.fontSize };
      const note = {
        number: 0,
        text,
        style: resolveCharacterStyle({ ...inherited, ...defined(ofNote) }),
        layer: layer.name,
      };
      return { ...span, text: '', style: { ...style, position: 'super' }, footnote: note };
    }
    return image ? { ...span, text: OBJECT_REPLACEMENT, image: resolveImage(layer, image, needs) } : span;
  });
}

function resolveImage(layer: TextLayer, image: StoredImage, needs: NeedsSink): InlineImage {
  const { src, fallback, optional, width, height, verticalAlign, alt } = image;
  const key = needs.addImage({
    sources: fallback === null ? [src] : [src, fallback],
    layer: layer.name,
    optional,
    focus: null,
  });
  return { image: key, width, height, align: verticalAlign, alt };
}

/** What is not left out. */
const defined = (style: object) => Object.fromEntries(Object.entries(style).filter(([, value]) => value !== undefined));

/** The size of a note, of that of its text. */
const NOTE_SIZE = 0.8;

const OBJECT_REPLACEMENT = '\ufffc';

/** The style of Markdown marks: as in browsers, except that a link keeps the colour of the text. */
export function markedSpan(layer: StoredStyle, marked: MarkedText): TextSpan {
  const { text, strong, emphasis, strikethrough, code, link, color } = marked;
  const underline = link === null ? [] : ['underline' as const];
  const through = strikethrough ? ['line-through' as const] : [];
  const style = resolveCharacterStyle({
    ...layer,
    fontFamily: code ? [CODE_FAMILY, ...[layer.fontFamily].flat()].slice(0, 8) : layer.fontFamily,
    fontWeight: strong ? bolder(layer.fontWeight) : layer.fontWeight,
    fontStyle: emphasis ? 'italic' : layer.fontStyle,
    color: color ?? layer.color,
    textDecoration: [...[layer.textDecoration].flat(), ...underline, ...through].filter((line) => line !== 'none'),
  });
  return { text, style, link, counter: null, image: null };
}

const CODE_FAMILY = 'JetBrains Mono';

/** CSS Fonts 4 §2.2.1, `bolder`. */
export function bolder(weight: number): number {
  if (weight < 350) return 400;
  if (weight < 550) return 700;
  return Math.max(900, weight);
}
