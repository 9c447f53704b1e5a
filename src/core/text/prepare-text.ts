// Analyses and shapes the text of a node once, so that it can be broken at any width and any scale.
//
// Everything is at the node's own font sizes; `autoFit` multiplies. Offsets are UTF-16, into the whole text after its
// transformation, here and in every later step.

import type { Size } from '../geometry.ts';
import type { CharacterStyle, InlineAtom, InlineImage, TextNode, TextSpan } from '../resolve/scene.ts';
import { analyzeBidi, type BidiParagraph, type BidiText } from './bidi.ts';
import type { FontMetrics } from './font-face.ts';
import { type FontFallback, fallbackAlong } from './font-fallback.ts';
import { type FontSet, fontQueryKey, tagsKey } from './font-set.ts';
import { graphemeStarts } from './graphemes.ts';
import { type Hyphenators, hyphenBreaks } from './hyphenation.ts';
import { indexAt } from './index-at.ts';
import { itemize } from './itemize.ts';
import { BREAK_MANDATORY, BREAK_PROHIBITED, breakOpportunities, type LineBreakOptions } from './line-break.ts';
import { advanceOf, boxRun, INVISIBLE, type ShapedRun, shapeRun, spacingAfter } from './shape.ts';
import { transformText } from './text-transform.ts';
import { type LineOrientation, uprightUnits } from './vertical-orientation.ts';

/** White space that hangs at the end of a line unmeasured (CSS `white-space: pre-wrap`), and line separators. */
const HANGING = /[ \t\n\v\f\r\u0085\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/;

/** What stands in a line instead of letters, px at scale 1; its width is along the line. */
export interface PreparedBox extends Size {
  /** Its extent above and below the baseline. */
  readonly above: number;
  readonly below: number;
  /** The edge of its line at which it stands instead; absent = neither. */
  readonly edge?: 'top' | 'bottom';
  /** Whether it has no height: the end of a box around words. */
  readonly isEmpty?: true;
}

const NO_STRUTS: PreparedSpan['struts'] = [];

/** A span of the node and its place in the whole text. */
export interface PreparedSpan {
  readonly start: number;
  readonly end: number;
  /** The style for shaping: the span's own, smaller for superscripts and subscripts, without spacing for images. */
  readonly style: CharacterStyle;
  /** Distance above the line's baseline, px at scale 1. */
  readonly rise: number;
  /** The part of it that its line box is raised by, too. */
  readonly raise: number;
  readonly struts: readonly (NonNullable<TextSpan['struts']>[number] & Pick<PreparedSpan, 'metrics'>)[];
  readonly fallback: FontFallback;
  /** The inline image or box here instead of text; null = text. */
  readonly box: PreparedBox | null;
  /** Metrics of the first face in the chain, from which CSS builds line boxes and decorations. */
  readonly metrics: FontMetrics;
}

export interface PreparedText extends PenPositions {
  readonly node: TextNode;
  /** In which it was shaped. */
  readonly fonts: FontSet;
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
  for (const { text: source, style, image, atom, raise = 0, struts } of node.spans) {
    const fallback = fallbackAlong(fonts.chain(style.font));
    const start = text.length;
    text += transformText(source, style, text);
    const { metrics } = fallback.primary;
    const look = image
      ? pictureBox(image, style, metrics, images, node)
      : atom
        ? atomBox(atom, style, metrics, raise)
        : atPosition(style, metrics);
    const { style: shaped, rise, box } = look;
    spans.push({
      start,
      end: text.length,
      style: shaped,
      rise: box ? rise : rise + raise,
      raise,
      struts:
        struts?.map((each) => ({ ...each, metrics: fallbackAlong(fonts.chain(each.style.font)).primary.metrics })) ??
        NO_STRUTS,
      fallback,
      box,
      metrics,
    });
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
  const breaks = lineBreaks(text, node, spans, clusters);
  const { edges, safe } = penPositions(text, runs, bidi.paragraphs, clusters, node.tabSize);
  return {
    node,
    fonts,
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
    trimmed: trimmedEnds(text, spans),
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
function pictureBox(
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

/** CSS 2 §10.8.1: where a box stands in its line. @param metrics of the words around it */
function atomBox(
  atom: InlineAtom,
  style: CharacterStyle,
  metrics: FontMetrics,
  raise: number,
): Pick<PreparedSpan, 'style' | 'rise' | 'box'> {
  const plain = { ...style, letterSpacing: 0, wordSpacing: 0 };
  if (atom.kind !== 'box') {
    const width = atom.kind === 'edge' ? atom.length : 0;
    return { style: plain, rise: 0, box: { width, height: 0, above: 0, below: 0, isEmpty: true } };
  }
  const { width, above, below } = atom.size ?? { width: 0, above: 0, below: 0 };
  const height = above + below;
  const { align } = atom;
  if (align === 'top' || align === 'bottom')
    return { style: plain, rise: 0, box: { width, height, above: 0, below: 0, edge: align } };
  const { fontSize } = style;
  const under =
    align === 'middle'
      ? (height - metrics.xHeight * fontSize) / 2
      : align === 'text-top'
        ? height - Math.round(metrics.ascent * fontSize)
        : align === 'text-bottom'
          ? Math.round(metrics.descent * fontSize)
          : below;
  return {
    style: plain,
    rise: raise - under,
    box: { width, height, above: height - under + raise, below: under - raise },
  };
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
function lineBreaks(text: string, node: TextNode, spans: readonly PreparedSpan[], clusters: Uint8Array): Uint8Array {
  const isEdged = spans.some(({ box }) => box?.isEmpty);
  const breaks = isEdged ? breaksAround(text, node, spans) : breakOpportunities(text, breakOptions(node));
  for (let i = 0; i < text.length; i++) if (!clusters[i]) breaks[i] = BREAK_PROHIBITED;
  for (const [index, { start, end }] of spans.entries()) {
    if (!node.spans[index]?.noWrap) continue;
    const follows = node.spans[index - 1]?.noWrap ? start : start + 1;
    for (let i = follows; i < end; i++) if (breaks[i] !== BREAK_MANDATORY) breaks[i] = BREAK_PROHIBITED;
  }
  return breaks;
}

/** The ends of boxes and the places of floats are no characters: a line ends before the one, and after the other end. */
function breaksAround(text: string, node: TextNode, spans: readonly PreparedSpan[]): Uint8Array {
  const isLetter = new Uint8Array(text.length).fill(1);
  const isEnd = new Uint8Array(text.length);
  for (const [index, { start, end, box }] of spans.entries()) {
    if (!box?.isEmpty) continue;
    isLetter.fill(0, start, end);
    const { atom } = node.spans[index] ?? {};
    if (atom?.kind === 'edge' && atom.side === 'end') isEnd.fill(1, start, end);
  }
  const plain = breakOpportunities(Array.from(isLetter, (one, i) => (one ? text[i] : '')).join(''), breakOptions(node));
  const breaks = new Uint8Array(text.length + 1).fill(BREAK_PROHIBITED);
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    // The opportunity between two letters lies before the first of what is between them that is no end.
    const opens = isLetter[i] || !isEnd[i];
    const isFirst = i === 0 || isLetter[i - 1] === 1 || isEnd[i - 1] === 1;
    // After the last letter, nothing begins a line.
    if (opens && isFirst && i > 0 && at < plain.length - 1) breaks[i] = plain[at] ?? BREAK_PROHIBITED;
    if (isLetter[i]) at += 1;
  }
  breaks[text.length] = BREAK_MANDATORY;
  return breaks;
}

function trimmedEnds(text: string, spans: readonly PreparedSpan[]): Int32Array {
  const trimmed = new Int32Array(text.length + 1);
  // The end of a box around words that takes no room is no letter after the spaces in it.
  const passed = new Set(spans.flatMap(({ start, box }) => (box?.isEmpty && box.width === 0 ? [start] : [])));
  let end = 0;
  for (let i = 1; i <= text.length; i++) {
    const unit = text.charCodeAt(i - 1);
    if (unit === 0xfffc && passed.has(i - 1)) {
      trimmed[i] = end;
      continue;
    }
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

// The pen's position before each character of a text.

interface PenPositions {
  /** The pen position before each unit, px in logical order; a ligature's advance is divided among its graphemes. */
  readonly edges: Float64Array;
  /** Nonzero where a line may start or end without its run being shaped anew. */
  readonly safe: Uint8Array;
}

/**
 * Adds up the advances of all clusters.
 *
 * Tab stops are counted from the start of the paragraph: a tab after a soft break may miss its column.
 *
 * @param graphemes nonzero at each UTF-16 offset where a grapheme cluster starts
 */
function penPositions(
  text: string,
  runs: readonly ShapedRun[],
  paragraphs: readonly BidiParagraph[],
  graphemes: Uint8Array,
  { kind, value }: NonNullable<TextNode['tabSize']> = TAB_SIZE,
): PenPositions {
  const advances = new Float64Array(text.length + 1);
  const safe = new Uint8Array(text.length + 1);
  for (const run of runs) addAdvances(text, run, graphemes, advances, safe);
  safe[text.length] = 1;
  limitUnsafe(safe, advances, graphemes);

  // Each edge overwrites the advance at the same index, which is not needed again.
  const edges = advances;
  let pen = 0;
  for (const { start, end } of paragraphs) {
    const origin = pen;
    for (let i = start; i < end; i++) {
      const advance = advances[i] ?? 0;
      const stop = kind === 'px' ? value : value * advance;
      edges[i] = pen;
      pen += text.charCodeAt(i) === TAB && stop > 0 ? stop - ((pen - origin) % stop) : advance;
    }
  }
  edges[text.length] = pen;
  return { edges, safe };
}

function limitUnsafe(safe: Uint8Array, advances: Float64Array, graphemes: Uint8Array): void {
  let last = 0;
  for (let i = 0; i < safe.length; i++) {
    // Graphemes without an advance, such as soft hyphens between joined letters, may go on without end too.
    if (i - last >= MAX_UNSAFE_LENGTH && (advances[i] || graphemes[i])) safe[i] = 1;
    if (safe[i]) last = i;
  }
}

/** Writes each cluster's advance to its first unit; a ligature's is divided among its graphemes. */
function addAdvances(
  text: string,
  run: ShapedRun,
  graphemes: Uint8Array,
  advances: Float64Array,
  safe: Uint8Array,
): void {
  const { glyphs, start, end, level } = run;
  const isRtl = level % 2 === 1;
  if (!isRtl && isOneToOne(run)) {
    for (let i = 0; i < glyphs.length; i++) {
      const glyph = glyphs[i];
      if (!glyph) break;
      advances[start + i] = spacingAfter(text, run, start + i) + advanceOf(run, glyph);
      safe[start + i] = i === 0 || !glyph.unsafeToBreak ? 1 : 0;
    }
    return;
  }
  let clusterEnd = end;
  for (let i = 0; i < glyphs.length; ) {
    // In reverse reading order, which is the glyph order of an rtl run.
    const at = isRtl ? i : glyphs.length - 1 - i;
    const offset = glyphs[at]?.cluster ?? 0;
    const cluster = start + offset;
    let advance = spacingAfter(text, run, cluster);
    let isUnsafe = false;
    for (let glyph = glyphs[at]; glyph?.cluster === offset; glyph = glyphs[isRtl ? i : glyphs.length - 1 - i]) {
      advance += advanceOf(run, glyph);
      isUnsafe ||= glyph.unsafeToBreak;
      i++;
    }
    safe[cluster] = cluster === start || !isUnsafe ? 1 : 0;
    let count = 1;
    for (let unit = cluster + 1; unit < clusterEnd; unit++) count += graphemes[unit] ? 1 : 0;
    advances[cluster] = advance / count;
    for (let unit = cluster + 1; unit < clusterEnd; unit++) if (graphemes[unit]) advances[unit] = advance / count;
    clusterEnd = cluster;
  }
}

/** CSS `tab-size`. */
const TAB_SIZE = { kind: 'spaces', value: 8 } as const;

const TAB = 9;

/**
 * Longest stretch without a safe place, in UTF-16 units. Joined letters may go on without end, and each line would
 * reshape all of them; where such a stretch is broken after this length, letters keep the forms of the whole run.
 */
const MAX_UNSAFE_LENGTH = 200;

/** Whether each unit of an ltr run has a glyph of its own, as nearly all Latin text has. */
function isOneToOne({ glyphs, start, end }: ShapedRun): boolean {
  if (glyphs.length !== end - start) return false;
  for (let i = 0; i < glyphs.length; i++) if (glyphs[i]?.cluster !== i) return false;
  return true;
}
