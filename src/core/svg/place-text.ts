// Lays out the `<text>` elements of an SVG file as glyph runs (SVG 2 §11): positions, chunks, anchors, baselines.
//
// What it cannot lay out as it should be is refused by name (UnreadableSvg). Baselines lie where librsvg has them, which
// draws the same files to pixels.

import type { Point, Rect } from '../geometry.ts';
import { PLAIN_NODE } from '../resolve/plain-node.ts';
import { PLAIN_STYLE, PLAIN_TEXT } from '../resolve/plain-text.ts';
import type { CharacterStyle, TextNode } from '../resolve/scene.ts';
import type { FontQuery, FontSet } from '../text/font-set.ts';
import type { GlyphRun } from '../text/glyph-run.ts';
import { layOutText, prepareText } from '../text/lay-out-text.ts';
import { type SvgElement, UnreadableSvg } from './read-attributes.ts';
import { type SvgStyle, styleLength, styleOf } from './style.ts';

/** A character with the position that the lists of `x`, `y`, `dx` and `dy` give it. */
interface Letter {
  readonly text: string;
  readonly style: SvgStyle;
  readonly x: number | null;
  readonly y: number | null;
  readonly dx: number;
  readonly dy: number;
  /** Of a text that is stretched, the same for all its letters. */
  readonly stretch: Stretch | null;
}

/** SVG 2 §11.7.3: `textLength` px, by space between the letters or by their own width as well. */
interface Stretch {
  readonly length: number;
  readonly scalesLetters: boolean;
}

/** Letters that follow one another without a shift between them. */
type Piece = readonly [Letter, ...Letter[]];

/** Pieces that `text-anchor` aligns together, from one absolute position to the next. */
export type TextChunk = readonly [Piece, ...Piece[]];

export interface PlacedLetters {
  readonly run: GlyphRun;
  /** Start of the run's baseline, in the element's coordinates. */
  readonly origin: Point;
  readonly style: SvgStyle;
  /** Its lines: underline, overline, line-through. */
  readonly lines: readonly Rect[];
  /** By how much it is wider than its letters, from the origin on. */
  readonly scaleX: number;
}

const FAMILY = /^[\w -]{1,100}$/;
const XML_SPACE = '{http://www.w3.org/XML/1998/namespace}space';
/** What a text may not have, with the values that change nothing. */
const PLAIN_VALUES: Readonly<Record<string, RegExp>> = {
  'text-decoration': /^(none|underline|overline|line-through|\s)*$/,
  'text-transform': /^none$/,
  'word-spacing': /^(normal|0\D*)$/,
  'writing-mode': /^(lr|lr-tb|horizontal-tb)$/,
  'font-variant': /^normal$/,
  'font-stretch': /^(normal|100%)$/,
  'baseline-shift': /^(baseline|0\D*)$/,
  'white-space': /^(normal|pre)$/,
};

/**
 * Reads a `<text>` element.
 *
 * @param style of the element
 * @throws UnreadableSvg
 */
export function chunksOf(element: SvgElement, style: SvgStyle): readonly TextChunk[] {
  const letters = withoutOuterSpace(lettersOf(element, style, isPreserved(element, style, false)));
  const chunks: [[Letter, ...Letter[]], ...[Letter, ...Letter[]][]][] = [];
  for (const letter of letters) {
    if (letter.x !== null || letter.y !== null || chunks.length === 0) chunks.push([[letter]]);
    else if (letter.dx !== 0 || letter.dy !== 0 || isApart(chunks.at(-1)?.at(-1)?.[0], letter))
      chunks.at(-1)?.push([letter]);
    else chunks.at(-1)?.at(-1)?.push(letter);
  }
  return chunks;
}

/** Whether only one of two letters is in a part that is stretched. From right to left, such parts are not told apart. */
const isApart = (before: Letter | undefined, { stretch, style }: Letter): boolean =>
  before !== undefined && before.stretch !== stretch && style.get('direction') !== 'rtl';

/** The faces that a chunk asks for, each with its text. */
export function queriesOf(chunk: TextChunk): readonly { readonly query: FontQuery; readonly text: string }[] {
  return chunk.flatMap((piece) => spansOf(piece).map(({ text, style }) => ({ query: style.font, text })));
}

/** @param fonts with the faces of `queriesOf` */
export function placeChunks(chunks: readonly TextChunk[], fonts: FontSet): readonly PlacedLetters[] {
  const placed: PlacedLetters[] = [];
  let pen = { x: 0, y: 0 };
  for (const chunk of chunks) {
    const [{ style, x, y, dx }] = chunk[0];
    pen = { x: x ?? pen.x, y: y ?? pen.y };
    const start = pen.x + dx;
    const own: PlacedLetters[] = [];
    for (const piece of chunk) {
      pen = { x: pen.x + piece[0].dx, y: pen.y + piece[0].dy };
      const { letters, width } = stretchedPiece(
        piece,
        pen,
        fonts,
        chunk.filter(([{ stretch }]) => stretch === piece[0].stretch).length,
      );
      own.push(...letters);
      pen = { ...pen, x: pen.x + width };
    }
    const isRtl = style.get('direction') === 'rtl';
    const share = { middle: 0.5, end: isRtl ? 0 : 1 }[style.get('text-anchor') ?? ''] ?? (isRtl ? 1 : 0);
    const shift = -share * (pen.x - start);
    placed.push(
      ...own.map(({ origin, lines, ...rest }) => ({
        ...rest,
        origin: { ...origin, x: origin.x + shift },
        lines: lines.map((line) => ({ ...line, x: line.x + shift })),
      })),
    );
    pen = { ...pen, x: pen.x + shift };
  }
  return placed;
}

interface PlacedPiece {
  readonly letters: readonly PlacedLetters[];
  readonly width: number;
}

/** @param pieces that are stretched together @throws UnreadableSvg where they are several */
function stretchedPiece(piece: Piece, at: Point, fonts: FontSet, pieces: number): PlacedPiece {
  const placed = placePiece(piece, at, fonts, 0);
  const { stretch } = piece[0];
  if (piece.every((letter) => letter.stretch === null) || placed.width === 0) return placed;
  if (!stretch || pieces > 1 || piece.some((letter) => letter.stretch !== stretch))
    throw new UnreadableSvg('text with textLength of a part');
  if (!stretch.scalesLetters) {
    const gaps = piece.length - 1;
    if (gaps === 0) return placed;
    const { letters } = placePiece(piece, at, fonts, (stretch.length - placed.width) / gaps);
    return { letters, width: stretch.length };
  }
  const scaleX = stretch.length / placed.width;
  const x = (value: number) => at.x + (value - at.x) * scaleX;
  const letters = placed.letters.map(({ origin, lines, ...rest }) => ({
    ...rest,
    origin: { ...origin, x: x(origin.x) },
    lines: lines.map((line) => ({ ...line, x: x(line.x), width: line.width * scaleX })),
    scaleX,
  }));
  return { letters, width: stretch.length };
}

/** @param spacing px added between letters */
function placePiece(piece: Piece, at: Point, fonts: FontSet, spacing: number): PlacedPiece {
  const spans = spansOf(piece);
  const [first] = spans;
  if (!first || !(first.style.fontSize > 0)) return { letters: [], width: 0 };
  const node: TextNode = {
    ...PLAIN_TEXT,
    ...PLAIN_NODE,
    name: 'svg',
    direction: piece[0].style.get('direction') === 'rtl' ? 'rtl' : 'ltr',
    spans: spans.map(({ text, style }) => {
      const spaced = { ...style, letterSpacing: style.letterSpacing + spacing };
      return { text, style: spaced, link: null, counter: null, image: null };
    }),
    strut: first.style,
  };
  const runs = layOutText(prepareText(node, fonts), null, null).lines.flatMap((line) => line.runs);
  const letters = runs.map(({ run, span, x }): PlacedLetters => {
    const { svg, style } = spans[span ?? 0] ?? first;
    const rise = baselineOf(svg, style, fonts);
    const origin = { x: at.x + x, y: at.y + rise * style.fontSize };
    return { run, style: svg, origin, lines: linesOf(svg, run, origin, fonts), scaleX: 1 };
  });
  return { letters, width: runs.reduce((most, { run, x }) => Math.max(most, x + run.width), 0) };
}

/** As in librsvg, those of its own element alone. */
function linesOf(style: SvgStyle, { face, fontSize, width }: GlyphRun, { x, y }: Point, fonts: FontSet) {
  const { ascent, underlinePosition, underlineThickness, strikeoutPosition, strikeoutThickness } =
    fonts.face(face).metrics;
  const decoration = style.get('text-decoration') ?? '';
  const line = (name: string, middle: number, thickness: number): readonly Rect[] =>
    decoration.includes(name)
      ? [{ x, y: y - (middle + thickness / 2) * fontSize, width, height: thickness * fontSize }]
      : [];
  return [
    ...line('underline', underlinePosition, underlineThickness),
    ...line('overline', ascent - underlineThickness / 2, underlineThickness),
    ...line('line-through', strikeoutPosition, strikeoutThickness),
  ];
}

/** How far below the position the alphabetic baseline lies, em. */
function baselineOf(svg: SvgStyle, { font }: CharacterStyle, fonts: FontSet): number {
  const metrics = fonts.chain(font)[0]?.face.metrics;
  const name = svg.get('alignment-baseline') ?? svg.get('dominant-baseline') ?? 'auto';
  if (!metrics || /^(auto|baseline|alphabetic|inherit|no-change|reset-size|use-script)$/.test(name)) return 0;
  const { ascent, descent, strikeoutPosition, strikeoutThickness } = metrics;
  switch (name) {
    case 'central':
      return (ascent - descent) / 2;
    case 'middle':
      return strikeoutPosition + strikeoutThickness;
    case 'hanging':
    case 'text-before-edge':
    case 'before-edge':
    case 'text-top':
      return ascent - descent;
    case 'ideographic':
    case 'text-after-edge':
    case 'after-edge':
    case 'text-bottom':
      return -descent;
    default:
      throw new UnreadableSvg(`dominant-baseline="${name.slice(0, 40)}"`);
  }
}

interface Span {
  readonly text: string;
  readonly svg: SvgStyle;
  readonly style: CharacterStyle;
}

function spansOf(piece: Piece): readonly Span[] {
  const spans: { text: string; svg: SvgStyle; style: CharacterStyle }[] = [];
  for (const { text, style: svg } of piece) {
    const last = spans.at(-1);
    if (last?.svg === svg) last.text += text;
    else spans.push({ text, svg, style: characterStyle(svg) });
  }
  return spans;
}

function characterStyle(style: SvgStyle): CharacterStyle {
  const fontSize = styleLength(style.get('font-size'), 16);
  const weight = style.get('font-weight') ?? 'normal';
  const number = { normal: 400, bold: 700, bolder: 700, lighter: 300 }[weight] ?? Number(weight);
  const families = (style.get('font-family') ?? '')
    .split(',')
    .map((name) => name.trim().replace(/^["']|["']$/g, ''))
    .filter((name) => FAMILY.test(name));
  return {
    ...PLAIN_STYLE,
    font: {
      families: families.length > 0 ? families : ['serif'],
      weight: Number.isFinite(number) ? Math.min(1000, Math.max(1, number)) : 400,
      style: /^(italic|oblique)/.test(style.get('font-style') ?? '') ? 'italic' : 'normal',
      variations: {},
      lang: null,
    },
    fontSize,
    letterSpacing: styleLength(style.get('letter-spacing'), 0, 1, fontSize),
  };
}

function lettersOf(parent: SvgElement, style: SvgStyle, keeps: boolean): readonly Letter[] {
  checkPlain(parent, style);
  const letters: Letter[] = [];
  for (const child of parent.children) {
    if (typeof child === 'string') {
      const words = keeps ? child.replace(/[\t\n\r]/g, ' ') : child.replace(/[\t\n\r ]+/g, ' ');
      for (const text of words) letters.push({ text, style, x: null, y: null, dx: 0, dy: 0, stretch: null });
    } else if (child.name === 'tspan' || child.name === 'a') {
      const own = styleOf(child, style);
      if (own.get('display') !== 'none') letters.push(...lettersOf(child, own, isPreserved(child, own, keeps)));
    } else throw new UnreadableSvg(`<${child.name}>`);
  }
  const shown = keeps ? letters : collapsed(letters);
  const lists = { x: listOf(parent, 'x', style), y: listOf(parent, 'y', style) };
  const shifts = { dx: listOf(parent, 'dx', style), dy: listOf(parent, 'dy', style) };
  const stretch = stretchOf(parent, style);
  const first = keeps ? 0 : shown.findIndex(({ text }) => text !== ' ');
  return shown.map((letter, index) => {
    const i = index - Math.max(0, first);
    return {
      ...letter,
      x: letter.x ?? lists.x[i] ?? null,
      y: letter.y ?? lists.y[i] ?? null,
      dx: letter.dx || (shifts.dx[i] ?? 0),
      dy: letter.dy || (shifts.dy[i] ?? 0),
      stretch: letter.stretch ?? stretch,
    };
  });
}

function checkPlain({ attributes }: SvgElement, style: SvgStyle): void {
  if (attributes.has('rotate')) throw new UnreadableSvg('text with rotate');
  for (const [name, plain] of Object.entries(PLAIN_VALUES)) {
    const value = style.get(name);
    if (value !== undefined && !plain.test(value)) throw new UnreadableSvg(`${name}: ${value.slice(0, 40)}`);
  }
}

function stretchOf({ attributes }: SvgElement, style: SvgStyle): Stretch | null {
  const length = styleLength(attributes.get('textLength'), -1, 1, styleLength(style.get('font-size'), 16));
  return length < 0 ? null : { length, scalesLetters: attributes.get('lengthAdjust') === 'spacingAndGlyphs' };
}

/** px of each number of a list, by character. */
function listOf({ attributes }: SvgElement, name: string, style: SvgStyle): readonly number[] {
  const list = (attributes.get(name) ?? '').split(/[\s,]+/).filter((part) => part !== '');
  const size = styleLength(style.get('font-size'), 16);
  return list.map((part) => {
    const value = part.endsWith('%') ? Number.NaN : styleLength(part, Number.NaN, 1, size);
    if (Number.isNaN(value)) throw new UnreadableSvg(`${name}="${part.slice(0, 40)}"`);
    return value;
  });
}

const isPreserved = ({ attributes }: SvgElement, style: SvgStyle, around: boolean): boolean => {
  const space = attributes.get(XML_SPACE);
  return style.get('white-space') === 'pre' || (space === undefined ? around : space === 'preserve');
};

function collapsed(letters: readonly Letter[]): readonly Letter[] {
  return letters.filter(({ text }, i) => text !== ' ' || letters[i - 1]?.text !== ' ');
}

function withoutOuterSpace(letters: readonly Letter[]): readonly Letter[] {
  let [start, end] = [0, letters.length];
  while (start < end && letters[start]?.text === ' ') start += 1;
  while (end > start && letters[end - 1]?.text === ' ') end -= 1;
  return letters.slice(start, end);
}
