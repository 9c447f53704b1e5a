// Lays out many short texts of one style, each on one line: cells of a table.
//
// Texts of Latin letters, digits and common signs, which their first face has, need no bidi, itemization, fallback or line
// breaking. Whatever else a text holds, or if it is wider than its line, layOutText does it; a test holds that both give
// the same.

import type { TextNode } from '../resolve/scene.ts';
import { TOLERANCE } from './break-lines.ts';
import { fallbackAlong } from './font-fallback.ts';
import type { FontSet, MatchedFace } from './font-set.ts';
import type { Glyph } from './glyph-run.ts';
import { layOutText, prepareText } from './lay-out-text.ts';
import { BREAK_PROHIBITED, breakOpportunities } from './line-break.ts';
import type { PairAdvances, PlacedGlyphs } from './pair-advances.ts';
import type { Line, Paragraph } from './paragraph.ts';
import { breakOptions } from './prepare-text.ts';
import { asksForCapitals } from './shape.ts';

/** Latin letters, digits and signs beyond ASCII. */
const PLAIN = /[¡-¨ª-¬¯-ſ–—‘’“”…€]/;
/** Of the script Latin: the other signs are common to all (UAX #24). */
const LETTER = /[A-Za-zªºÀ-ÖØ-öø-ſ]/;
/** Texts that are kept shaped. */
const MOST_SHAPED = 500;
const SPACE = 0x20;

export class PlainLines {
  readonly #node: TextNode;
  readonly #match: MatchedFace;
  /** One line of the style; null = its texts are not plain. */
  readonly #line: Line | null;
  /** px, no less than the advance of any letter that is plain. */
  readonly #widest: number;
  /** px, of letters by themselves. */
  readonly #advances = new Map<number, number>();
  /** The first texts that were shaped as a whole: those of a short table are measured, and drawn later. */
  readonly #shaped = new Map<string, PlacedGlyphs>();
  /** By script; undefined = it is not worth it yet. */
  readonly #pairs: Partial<Record<'Latn' | 'Zyyy', PairAdvances | null | undefined>> = {};

  /** @param node of which the first span gives the style */
  constructor(node: TextNode, fonts: FontSet) {
    const [span] = node.spans;
    if (!span) throw new Error('A text has at least one span.');
    this.#node = node;
    const { first, isDivided } = fallbackAlong(fonts.chain(span.style.font));
    this.#match = first;
    const { face } = this.#match;
    const sample = prepareText({ ...node, spans: [{ ...span, text: 'x' }] }, fonts);
    const isCovered = !isDivided && ASCII.every((letter) => face.glyph(letter) !== 0);
    this.#line =
      isPlainStyle(node) && isCovered && !face.isColor ? (layOutText(sample, null, null).lines[0] ?? null) : null;
    const advances = face.shape(WIDEST, this.#options('Latn')).map(({ xAdvance }) => xAdvance);
    this.#widest = (WITH_KERNING * Math.max(...advances) * span.style.fontSize) / face.unitsPerEm;
  }

  /** The height of a text if it is surely on one line of this width, px; else null. It is not shaped for that. */
  heightOf(text: string, width: number): number | null {
    if (!this.#line || !this.#isPlain(text)) return null;
    const known = this.#widthOf(text);
    if (known !== null) return known <= width + TOLERANCE ? this.#line.box.height : null;
    const isShort = text.length * this.#widest <= width || WITH_KERNING * this.#lettersOf(text) <= width;
    return isShort ? this.#line.box.height : null;
  }

  /**
   * The widths of a text with and without all line breaks, px; null if layOutText has to tell.
   *
   * @param known the least width of which is known that it is needed: a lesser one may be told instead of a longest word
   *   that is not longer
   */
  contentWidths(text: string, known: number): { readonly min: number; readonly max: number } | null {
    const { overflowWrap, hyphens } = this.#node;
    if (!this.#line || overflowWrap === 'anywhere' || hyphens === 'auto' || !this.#isPlain(text)) return null;
    const max = this.#widthOf(text) ?? this.#placed(text).width;
    if (max <= known) return { min: 0, max };
    const breaks = breakOpportunities(text, breakOptions(this.#node));
    let min = 0;
    for (let start = 0, end = 1; end <= text.length; end += 1) {
      if (breaks[end] === BREAK_PROHIBITED) continue;
      const shownEnd = text.charAt(end - 1) === ' ' ? end - 1 : end;
      const word = this.#widthOf(text, start, shownEnd);
      if (word === null && WITH_KERNING * this.#lettersOf(text.slice(start, shownEnd)) > known) return null;
      min = Math.max(min, word ?? 0);
      start = end;
    }
    return { min, max };
  }

  /** px; null if it is not known without shaping the text. */
  #widthOf(text: string, start?: number, end?: number): number | null {
    return this.#pairsFor(text)?.width(text, this.#node.strut.fontSize, start, end) ?? null;
  }

  #pairsFor(text: string): PairAdvances | null {
    const script = LETTER.test(text) ? 'Latn' : 'Zyyy';
    const known = this.#pairs[script];
    if (known !== undefined) return known;
    const pairs = this.#match.face.pairAdvances(this.#options(script));
    this.#pairs[script] = pairs;
    return pairs ?? null;
  }

  /** The advances of the letters of a text, each by itself, px. */
  #lettersOf(text: string): number {
    const { face } = this.#match;
    let sum = 0;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      let advance = this.#advances.get(code);
      if (advance === undefined) {
        const glyphs = face.shape(text.charAt(i), this.#options(LETTER.test(text.charAt(i)) ? 'Latn' : 'Zyyy'));
        advance =
          (glyphs.reduce((all, { xAdvance }) => all + xAdvance, 0) * this.#node.strut.fontSize) / face.unitsPerEm;
        this.#advances.set(code, advance);
      }
      sum += advance;
    }
    return sum;
  }

  /** @param width px; null = as wide as the text @returns null if layOutText has to do it */
  layOut(text: string, width: number | null): Paragraph | null {
    if (!this.#line || !this.#isPlain(text)) return null;
    const { strut: style, align } = this.#node;
    const { face, slant, embolden } = this.#match;
    const { glyphs, width: pen } = this.#placed(text);
    const free = width === null ? 0 : width - pen;
    if (free < -TOLERANCE) return null;
    const x = free <= 0 ? 0 : align === 'center' ? free / 2 : align === 'right' || align === 'end' ? free : 0;
    const run = {
      face: face.key,
      fontSize: style.fontSize,
      direction: 'ltr',
      slant,
      ...(embolden ? { embolden } : {}),
      text,
      glyphs,
      width: pen,
    } as const;
    const { baseline, box } = this.#line;
    const line: Line = {
      ...this.#line,
      runs: [{ run, span: 0, x, baseline, box: null }],
      box: { ...box, x, width: pen },
      end: text.length,
    };
    return { lines: [line], size: { width: pen, height: box.height }, scale: 1, overflows: false, missing: [] };
  }

  #placed(text: string): PlacedGlyphs {
    const known = this.#pairsFor(text)?.glyphs(text, this.#node.strut.fontSize) ?? this.#shaped.get(text);
    if (known) return known;
    const shaped = this.#shape(text);
    if (this.#shaped.size < MOST_SHAPED) this.#shaped.set(text, shaped);
    return shaped;
  }

  #shape(text: string): PlacedGlyphs {
    const { face } = this.#match;
    const { fontSize } = this.#node.strut;
    const unit = fontSize / face.unitsPerEm;
    let pen = 0;
    const glyphs = face.shapeOnce(text, this.#options(LETTER.test(text) ? 'Latn' : 'Zyyy')).map((glyph): Glyph => {
      const { id, cluster, xOffset, yOffset } = glyph;
      const advance = (glyph.xAdvance * fontSize) / face.unitsPerEm;
      const placed = { id, cluster, x: pen + xOffset * unit, y: yOffset === 0 ? 0 : -yOffset * unit, advance };
      pen += advance;
      return placed;
    });
    return { glyphs, width: pen };
  }

  /**
   * Whether it needs no other steps, and its face has all of it: words of Latin letters, digits and signs, with single
   * spaces between them.
   */
  #isPlain(text: string): boolean {
    let before = SPACE;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code === SPACE ? before === SPACE : code < SPACE || (code > 0x7e && !this.#hasSign(code))) return false;
      before = code;
    }
    return before !== SPACE;
  }

  #hasSign(code: number): boolean {
    return PLAIN.test(String.fromCharCode(code)) && this.#match.face.has(code);
  }

  #options(script: 'Latn' | 'Zyyy') {
    const { lang, features } = this.#node.strut;
    return { direction: 'ltr', script, language: lang, features, before: '', after: '' } as const;
  }
}

const ASCII = Array.from({ length: 95 }, (_, i) => 0x20 + i);
/** Among these is the widest letter of any face. */
const WIDEST = String.fromCharCode(...ASCII, 0xc6, 0x132, 0x14a, 0x152, 0x2014, 0x2026);
/** Letters beside each other are less than this much wider than by themselves: by kerning, or as others. */
const WITH_KERNING = 1.25;

function isPlainStyle({ strut, spans, ...node }: TextNode): boolean {
  const { style, image } = spans[0] ?? {};
  return (
    style === strut &&
    !image &&
    spans.length === 1 &&
    strut.letterSpacing === 0 &&
    strut.wordSpacing === 0 &&
    strut.textTransform === 'none' &&
    strut.position === 'normal' &&
    !asksForCapitals(strut) &&
    node.direction !== 'rtl' &&
    node.arc === null &&
    !node.alignLast &&
    node.writingMode === 'horizontal-tb' &&
    node.textIndent === 0 &&
    node.autoFitMin === null &&
    node.autoFitMax === null
  );
}
