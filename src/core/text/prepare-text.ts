// Analyses and shapes the text of a node once, so that it can be broken at any width and any scale.
//
// Everything is at the node's own font sizes; `autoFit` multiplies. Offsets are UTF-16, into the whole text after its
// transformation, here and in every later step.

import type { Size } from '../geometry.ts';
import type { CharacterStyle, InlineImage, TextNode } from '../resolve/scene.ts';
import { analyzeBidi, type BidiText } from './bidi.ts';
import type { FontMetrics } from './font-face.ts';
import { type FontFallback, fallbackAlong } from './font-fallback.ts';
import { type FontSet, fontQueryKey, tagsKey } from './font-set.ts';
import { graphemeStarts } from './graphemes.ts';
import { type Hyphenators, hyphenBreaks } from './hyphenation.ts';
import { indexAt } from './index-at.ts';
import { itemize } from './itemize.ts';
import { BREAK_PROHIBITED, breakOpportunities, type LineBreakOptions } from './line-break.ts';
import { type PenPositions, penPositions } from './pen-positions.ts';
import { boxRun, INVISIBLE, type ShapedRun, shapeRun } from './shape.ts';
import { transformText } from './text-transform.ts';
import { type LineOrientation, uprightUnits } from './vertical-orientation.ts';

/** White space that hangs at the end of a line unmeasured (CSS `white-space: pre-wrap`), and line separators. */
const HANGING = /[ \t\n\v\f\r\u0085\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/;

/** An inline image, px at scale 1; its width is along the line. */
export interface InlineBox extends Size {
  /** Its extent above and below the baseline. */
  readonly above: number;
  readonly below: number;
}

/** A span of the node and its place in the whole text. */
export interface PreparedSpan {
  readonly start: number;
  readonly end: number;
  /** The style for shaping: the span's own, smaller for superscripts and subscripts, without spacing for images. */
  readonly style: CharacterStyle;
  /** Distance above the line's baseline, px at scale 1. */
  readonly rise: number;
  readonly fallback: FontFallback;
  /** The inline image here instead of text; null = text. */
  readonly box: InlineBox | null;
  /** Metrics of the first face in the chain, from which CSS builds line boxes and decorations. */
  readonly metrics: FontMetrics;
}

export interface PreparedText extends PenPositions {
  readonly node: TextNode;
  readonly text: string;
  /** As many as the node has, in order. */
  readonly spans: readonly PreparedSpan[];
  /** Metrics of the first face of `node.strut`. */
  readonly strut: FontMetrics;
  readonly strutFallback: FontFallback;
  /** Whether any letter or word spacing is asked for. */
  readonly isSpaced: boolean;
  /** The orientation of letters; lines in which any may stand upright have a central baseline. */
  readonly orientation: LineOrientation;
  readonly bidi: BidiText;
  /** In logical order, without gaps. */
  readonly runs: readonly ShapedRun[];
  /** The verdict of `breakOpportunities` before each unit, with hyphenation applied. */
  readonly breaks: Uint8Array;
  /** Nonzero at each offset where a line that ends there shows a hyphen. */
  readonly hyphens: Uint8Array;
  /** Nonzero where a grapheme cluster starts, and at the end. */
  readonly clusters: Uint8Array;
  /** For each offset, the end of the text before it without trailing white space. */
  readonly trimmed: Int32Array;
  /** For each offset, the start of the last grapheme before it that is not invisible; -1 if there is none. */
  readonly visible: Int32Array;
  /** Graphemes that no face draws, each once. */
  readonly missing: readonly string[];
}

/**
 * Everything that does not depend on the width: bidi levels, runs, shaping, break opportunities.
 *
 * @param images sizes of the node's inline images, px; a missing one takes no space
 */
export function prepareText(
  node: TextNode,
  fonts: FontSet,
  images: ReadonlyMap<string, Size> = new Map(),
  hyphenators: Hyphenators = new Map(),
): PreparedText {
  const orientation = orientationOf(node);
  const spans: PreparedSpan[] = [];
  let text = '';
  for (const { text: source, style, image } of node.spans) {
    const fallback = fallbackAlong(fonts.chain(style.font));
    const start = text.length;
    text += transformText(source, style, text);
    const { metrics } = fallback.primary;
    const look = image ? inlineBox(image, style, metrics, images, node) : atPosition(style, metrics);
    const { style: shaped, rise, box } = look;
    spans.push({ start, end: text.length, style: shaped, rise, fallback, box, metrics });
  }

  const bidi = orientation === 'upright' ? leftToRight(text) : analyzeBidi(text, node.direction);
  const clusters = graphemeStarts(text);

  const shaping = shapingSpans(spans);
  const runs = itemize(
    bidi,
    shaping.map((span) => span.start),
    uprightUnits(text, orientation, clusters),
  ).flatMap((run) => {
    const span = shaping[run.span];
    if (!span) return [];
    return span.box
      ? boxRun(run, span.box, span.style, span.fallback.first)
      : shapeRun(text, run, span.style, span.fallback, clusters, orientation === 'upright');
  });

  const strutFallback = fallbackAlong(fonts.chain(node.strut.font));
  const breaks = lineBreaks(text, node, clusters);
  const { edges, safe } = penPositions(text, runs, bidi.paragraphs, clusters);
  return {
    node,
    text,
    spans,
    strut: strutFallback.primary.metrics,
    strutFallback,
    isSpaced: spans.some(({ style }) => style.letterSpacing !== 0 || style.wordSpacing !== 0),
    orientation,
    bidi,
    runs,
    edges,
    safe,
    breaks,
    hyphens: hyphenBreaks(text, node, spans, hyphenators, breaks, clusters),
    clusters,
    trimmed: trimmedEnds(text),
    visible: visibleStarts(text, clusters),
    missing: missingGraphemes(text, runs, spans, clusters),
  };
}

function orientationOf({ writingMode, textOrientation }: TextNode): LineOrientation {
  return writingMode === 'horizontal-tb' || textOrientation === 'sideways' ? 'turned' : textOrientation;
}

/** CSS Writing Modes 4 §5.1: text that is all upright is left to right, whatever its letters. */
function leftToRight(text: string): BidiText {
  const { paragraphs } = analyzeBidi(text, 'ltr');
  return { text, levels: new Uint8Array(text.length), paragraphs, isLeftToRight: true };
}

/** CSS Fonts 4, font-variant-position, synthesised from full-size letters. */
function atPosition(style: CharacterStyle, metrics: FontMetrics): Pick<PreparedSpan, 'style' | 'rise' | 'box'> {
  if (style.position === 'normal') return { style, rise: 0, box: null };
  const { size, rise } = style.position === 'super' ? metrics.superscript : metrics.subscript;
  return { style: { ...style, fontSize: style.fontSize * size }, rise: rise * style.fontSize, box: null };
}

/** CSS 2 §10.8: an inline image has no leading, and no spacing follows it. */
function inlineBox(
  { image, width: givenWidth, height: givenHeight, align }: InlineImage,
  style: CharacterStyle,
  metrics: FontMetrics,
  images: ReadonlyMap<string, Size>,
  node: TextNode,
): Pick<PreparedSpan, 'style' | 'rise' | 'box'> {
  const picture = images.get(image) ?? null;
  const ratio = picture && picture.width > 0 && picture.height > 0 ? picture.width / picture.height : 1;
  const height = picture ? (givenHeight ?? (givenWidth === null ? style.fontSize : givenWidth / ratio)) : 0;
  const width = picture ? (givenWidth ?? height * ratio) : 0;
  const isVertical = node.writingMode !== 'horizontal-tb';
  const [along, across] = isVertical ? [height, width] : [width, height];
  const isCentred = orientationOf(node) !== 'turned';
  const xHeight = isCentred ? 0 : metrics.xHeight * style.fontSize;
  const below = isCentred || align === 'middle' ? (across - xHeight) / 2 : 0;
  const box = { width: along, height: across, above: across - below, below };
  return { style: { ...style, letterSpacing: 0, wordSpacing: 0 }, rise: -below, box };
}

/** Where the text of a node may be broken. */
export const breakOptions = ({ spans, lineBreak, wordBreak }: TextNode): LineBreakOptions => ({
  strictness: lineBreak,
  wordBreak,
  locale: spans[0]?.style.lang ?? null,
  dictionary: true,
  profile: 'browser',
});

/** Break opportunities, except inside a grapheme cluster: UAX #14 would separate a space from the mark on it. */
function lineBreaks(text: string, node: TextNode, clusters: Uint8Array): Uint8Array {
  const breaks = breakOpportunities(text, breakOptions(node));
  for (let i = 0; i < text.length; i++) if (!clusters[i]) breaks[i] = BREAK_PROHIBITED;
  return breaks;
}

function trimmedEnds(text: string): Int32Array {
  const trimmed = new Int32Array(text.length + 1);
  let end = 0;
  for (let i = 1; i <= text.length; i++) {
    const unit = text.charCodeAt(i - 1);
    if ((unit > 0x20 && unit < 0x7f) || !HANGING.test(String.fromCharCode(unit))) end = i;
    trimmed[i] = end;
  }
  return trimmed;
}

function visibleStarts(text: string, clusters: Uint8Array): Int32Array {
  const visible = new Int32Array(text.length + 1);
  let last = -1;
  visible[0] = last;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (clusters[i] && ((unit >= 0x20 && unit < 0x7f) || !INVISIBLE.test(String.fromCharCode(unit)))) last = i;
    visible[i + 1] = last;
  }
  return visible;
}

function missingGraphemes(
  text: string,
  runs: readonly ShapedRun[],
  spans: readonly PreparedSpan[],
  clusters: Uint8Array,
): readonly string[] {
  if (!runs.some(hasMissing)) return NONE;
  const missing = new Set<string>();
  for (const { glyphs, start: runStart } of runs) {
    if (spans[indexAt(spans, runStart)]?.box) continue;
    for (const { id, cluster } of glyphs) {
      if (id !== 0) continue;
      let start = runStart + cluster;
      let end = start + 1;
      while (start > 0 && !clusters[start]) start--;
      while (end < text.length && !clusters[end]) end++;
      missing.add(text.slice(start, end));
    }
  }
  return [...missing];
}

const NONE: readonly string[] = [];

function hasMissing({ glyphs }: ShapedRun): boolean {
  for (let i = 0; i < glyphs.length; i++) if (glyphs[i]?.id === 0) return true;
  return false;
}

/** Merges spans that are shaped alike with the one before: letters kern and join across a change of colour. */
function shapingSpans(spans: readonly PreparedSpan[]): PreparedSpan[] {
  const kept: PreparedSpan[] = [];
  let lastKey = '';
  for (const span of spans) {
    if (span.start === span.end) continue;
    const key = shapingKey(span.style);
    if (key !== lastKey || kept.at(-1)?.box || span.box) kept.push(span);
    lastKey = key;
  }
  return kept.length > 0 ? kept : spans.slice(0, 1);
}

/** The properties of a style that affect the shape or position of glyphs, and those that do not. */
type Shaping = 'font' | 'fontSize' | 'letterSpacing' | 'wordSpacing' | 'features' | 'lang';
type NotShaping = 'lineHeight' | 'textTransform' | 'decorations' | 'position' | 'fill' | 'stroke';
// Does not compile while a property of a style is in neither list: runs would be joined over a change of it.
type Forgotten = Exclude<keyof CharacterStyle, Shaping | NotShaping>;

/** Equal for styles that differ in nothing that affects the shape or position of glyphs. */
function shapingKey({ font, fontSize, letterSpacing, wordSpacing, features, lang }: KeyedStyle): string {
  return JSON.stringify([fontQueryKey(font), fontSize, letterSpacing, wordSpacing, tagsKey(features), lang]);
}
type KeyedStyle = [Forgotten] extends [never] ? Pick<CharacterStyle, Shaping> : never;
