// Writes a glyph run as text-showing operators (ISO 32000-1, 9.4), with every glyph exactly where the run puts it.
//
// A cluster is one code: its glyphs are embedded as one shape, marks included, so that its text is the code's ToUnicode
// entry, which every reader supports. A run is one TJ on its baseline, whose adjustments account for kerning and letter
// spacing. The pen position is tracked with the widths as written to the file, so rounding errors never add up along a
// line.
//
// Letters that stand upright in a vertical line are embedded rotated, and the line is rotated as a whole. To a reader
// it is rotated text like the Latin text in it, on one baseline, in order.
//
// Readers reverse right-to-left text code by code. There, each code carries one character, and the further characters
// of a cluster go on blanks of zero width; otherwise a vowel sign would come out before its letter. In other text, a
// cluster is one code up to its first nonspacing mark, and a blank from there on: pdf.js before 6 treats a code that
// contains such a mark as a mark, and then sees a gap in the word. Letter spacing is part of the letter's width,
// because every reader treats a gap as a space.

import { type Matrix, type Point, translation } from '#core/geometry.ts';
import type { Glyph, GlyphRun } from '#core/text/glyph-run.ts';
import type { ShownText } from './content-stream.ts';
import type { GlyphShape } from './font-source.ts';
import type { EncodedGlyph, FontSubset } from './font-subset.ts';
import type { EmbeddedFonts } from './fonts.ts';
import { num, rounded } from './syntax.ts';

export interface RunText extends ShownText {
  readonly font: FontSubset;
  /** px. */
  readonly size: number;
}

/** The text of a shape that has none of its own: a format character, which readers drop. */
const NO_TEXT = '\u200b';
const RIGHT_TO_LEFT_MARK = '\u200f';
const BLANK: GlyphShape = { parts: [], advance: 0 };

/**
 * TJ adjustments are thousandths of the font size. So many decimals keep each letter within 0.01 px of its place, as what
 * one rounds away, the next makes up for; a long table is a tenth smaller with whole numbers than with more.
 */
const adjustmentDecimals = (fontSize: number) => (fontSize <= 20 ? 0 : fontSize <= 200 ? 1 : 2);

/**
 * How far the middle of upright letters lies above the baseline of their rotated line, as a fraction of the font size.
 */
const MIDDLE = 0.38;

/** Draws a run with its own face. */
export function visibleText(run: GlyphRun, origin: Point, fonts: EmbeddedFonts): RunText {
  // Embedding a font only for a space would take more bytes than the words next to it.
  if (!/\S/.test(run.text)) return blankText(run, origin, fonts.latest());
  const font = fonts.face(run.face);
  if (isUpright(run)) return uprightText(run, origin, font);
  return plainText(run, origin, font) ?? levelText(run, origin, font);
}

/** Characters of ASCII and of Latin languages, and common signs, none of which is a mark or invisible. */
const PLAIN = /^[ -~¡-¬®-ſ–—‘’“”…€]*$/;

/**
 * What `levelText` writes of a run of which each glyph shows one plain character on the baseline, without letter
 * spacing: most text, in less time. null = not such a run.
 */
function plainText(run: GlyphRun, origin: Point, font: FontSubset): RunText | null {
  const { glyphs, text, fontSize } = run;
  if (
    run.direction !== 'ltr' ||
    (run.hangs && run.hangs !== 'after') ||
    glyphs.length !== text.length ||
    !PLAIN.test(text)
  ) {
    return null;
  }
  let own = 0;
  for (let i = 0; i < glyphs.length; i += 1) {
    const glyph = glyphs[i];
    if (!glyph || glyph.cluster !== i || glyph.y !== 0 || glyph.advance === 0) return null;
    own += font.source.plain(glyph.id).advance;
  }
  const units = unitsOf(run, font);
  if (units(run.width) - own >= (units(WIDE * fontSize) * glyphs.length) / 2) return null;
  const line = new TextLine(fontSize);
  const start = glyphs[0]?.x ?? 0;
  for (let i = 0; i < glyphs.length; i += 1) {
    const glyph = glyphs[i];
    if (glyph) line.show(glyph.x - start, font.plain(glyph.id, text.charAt(i)));
  }
  if (run.hangs) line.add(font.shape(BLANK, ' '));
  return { font, size: fontSize, ...shownBy(run, origin, start, line) };
}

function levelText(run: GlyphRun, origin: Point, font: FontSubset): RunText {
  const units = unitsOf(run, font);
  const ownAdvance = ({ glyphs }: Cluster) =>
    glyphs.reduce((sum, glyph) => sum + (glyph.advance === 0 ? 0 : font.source.plain(glyph.id).advance), 0);
  const places = placesOf(run);
  const spacing = commonSpacing(run, places, units, ownAdvance);
  return runText(run, origin, font, places, (cluster, pen, text) => {
    const { glyphs } = cluster;
    const [only] = glyphs;
    const isPlain = glyphs.length === 1 && only && only.y === 0 && only.advance !== 0 && spacing === 0;
    if (isPlain) return font.plain(only.id, text);
    const parts = glyphs.map((glyph) => ({
      id: glyph.id,
      // Only the strokes of a mark are slanted, not its position; the text matrix would slant both.
      matrix: translation(units(glyph.x - pen + run.slant * glyph.y), units(-glyph.y)),
    }));
    return font.shape({ parts, advance: ownAdvance(cluster) + spacing }, text);
  });
}

function uprightText(run: GlyphRun, origin: Point, font: FontSubset): RunText {
  const units = unitsOf(run, font);
  const places = placesOf(run);
  const spacing = commonSpacing(run, places, units, () => font.source.unitsPerEm);
  return runText(run, origin, font, places, ({ glyphs }, pen, text) => {
    const parts = glyphs.map(({ id, x, y }): { id: number; matrix: Matrix } => ({
      id,
      matrix: [0, 1, -1, run.slant, units(y - pen), units(x + MIDDLE * run.fontSize)],
    }));
    return font.shape({ parts, advance: font.source.unitsPerEm + spacing }, text);
  });
}

/** Letter spacing from which readers may treat it as a word space, as a fraction of the font size. */
const WIDE = 0.05;

/** The most frequent letter spacing of a run beyond the font's advances, font units; 0 when it is at most WIDE. */
function commonSpacing(
  run: GlyphRun,
  { clusters, pens }: Places,
  units: (length: number) => number,
  ownAdvance: (cluster: Cluster) => number,
): number {
  const wide = units(WIDE * run.fontSize);
  const own = clusters.reduce((sum, cluster) => sum + ownAdvance(cluster), 0);
  // Most text has kerning only.
  if (run.direction === 'rtl' || units(run.width) - own < (wide * clusters.length) / 2) return 0;
  const counts = new Map<number, number>();
  for (const [i, cluster] of clusters.entries()) {
    const [pen = 0, next] = [pens[i], pens[i + 1]];
    if (next === undefined || cluster.text.trim() === '') continue;
    const spacing = units(next - pen) - ownAdvance(cluster);
    counts.set(spacing, (counts.get(spacing) ?? 0) + 1);
  }
  const [common = 0] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  return common > wide ? common : 0;
}

/** The text of a run at its position, drawn with blank glyphs. */
export function invisibleText(run: GlyphRun, origin: Point, fonts: EmbeddedFonts): RunText {
  return blankText(run, origin, fonts.invisible());
}

function blankText(run: GlyphRun, origin: Point, font: FontSubset): RunText {
  const units = unitsOf(run, font);
  return runText(run, origin, font, placesOf(run), ({ glyphs }, _pen, text) => {
    const advance = glyphs.reduce((sum, glyph) => sum + glyph.advance, 0);
    return font.shape({ parts: [], advance: Math.max(0, units(advance)) }, text);
  });
}

/** Converts px of a run to whole units of its font. */
function unitsOf({ fontSize }: GlyphRun, { source }: FontSubset): (length: number) => number {
  return (length) => Math.round((length / fontSize) * source.unitsPerEm) + 0;
}

/** @param encode returns a code that shows a cluster's glyphs, whose pen is at `pen` px, and that has `text` */
function runText(
  run: GlyphRun,
  origin: Point,
  font: FontSubset,
  { clusters, pens }: Places,
  encode: (cluster: Cluster, pen: number, text: string) => EncodedGlyph,
): RunText {
  const line = new TextLine(run.fontSize);
  const start = pens[0] ?? 0;
  if (run.hangs === 'before' || run.hangs === 'around') line.add(font.shape(BLANK, ' '));
  clusters.forEach((cluster, i) => {
    const pen = pens[i] ?? 0;
    const text = cluster.text || NO_TEXT;
    if (run.direction !== 'rtl') {
      const mark = text.search(/\p{Mn}/u);
      line.show(pen - start, encode(cluster, pen, mark > 0 ? text.slice(0, mark) : text));
      if (mark > 0) line.add(font.shape(BLANK, text.slice(mark)));
      return;
    }
    const [first = NO_TEXT, ...further] = Array.from(text);
    // Vowel signs alone do not make a reader start right-to-left text; this mark does.
    if (further.length > 0 && i === 0) further.push(RIGHT_TO_LEFT_MARK);
    for (const character of further.reverse()) line.show(pen - start, font.shape(BLANK, character));
    line.show(pen - start, encode(cluster, pen, first));
  });
  if (run.hangs === 'after' || run.hangs === 'around') line.add(font.shape(BLANK, ' '));
  return { font, size: run.fontSize, ...shownBy(run, origin, start, line) };
}

/** @param start the pen position of the first code, px */
function shownBy(run: GlyphRun, origin: Point, start: number, line: TextLine): ShownText {
  // Text space has y up and the canvas has y down, hence the flips; the shear slants a synthetic oblique.
  const matrix = isUpright(run)
    ? `0 1 1 0 ${num(origin.x - MIDDLE * run.fontSize)} ${num(origin.y + start)} Tm`
    : `1 0 ${num(run.slant)} -1 ${num(origin.x + start)} ${num(origin.y)} Tm`;
  return { matrix, shown: String(line) };
}

/** A run's clusters, and the pen position at which each begins, px. */
interface Places {
  readonly clusters: readonly Cluster[];
  readonly pens: readonly number[];
}

function placesOf(run: GlyphRun): Places {
  const clusters = clustersOf({ glyphs: run.glyphs, text: readable(run.text) });
  return { clusters, pens: isUpright(run) ? pensDown(clusters) : clusters.map(({ glyphs }) => startOf(glyphs)) };
}

function isUpright({ direction }: GlyphRun): boolean {
  return direction === 'ttb' || direction === 'btt';
}

/** The vertical position at which each cluster of upright letters begins, px. */
function pensDown(clusters: readonly Cluster[]): readonly number[] {
  let pen = 0;
  return clusters.map(({ glyphs }) => {
    const at = pen;
    pen += glyphs.reduce((sum, glyph) => sum + glyph.advance, 0);
    return at;
  });
}

/** The x at which a cluster begins: that of its first glyph with an advance, because marks may sit anywhere on it. */
function startOf(glyphs: readonly Glyph[]): number {
  return (glyphs.find((glyph) => glyph.advance !== 0) ?? glyphs[0])?.x ?? 0;
}

/**
 * The text as written to the file: control characters mattered to layout only and become spaces, and byte order marks
 * become the word joiners that they once were.
 */
function readable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').replace(/[\ufeff\ufffe]/g, '\u2060');
}

/** Builds the operand of one TJ. */
class TextLine {
  readonly #perThousandth: number;
  readonly #decimals: 0 | 1 | 2;
  /** What is nearer to the pen needs no adjustment, px. */
  readonly #near: number;
  /** Hexadecimal strings in `<>`, and adjustments, up to the codes. */
  #elements = '';
  #codes = '';
  /** Where the next code would land, px from the first. */
  #pen = 0;

  constructor(fontSize: number) {
    this.#perThousandth = fontSize / 1000;
    this.#decimals = adjustmentDecimals(fontSize);
    this.#near = this.#perThousandth / 2 / 10 ** this.#decimals;
  }

  /** @param x px from the first code */
  show(x: number, glyph: EncodedGlyph): void {
    const past = this.#pen - x;
    if (Math.abs(past) >= this.#near) this.#adjust(rounded(past / this.#perThousandth, this.#decimals));
    this.add(glyph);
  }

  /** Shows a code where the one before ends. */
  add({ code, width }: EncodedGlyph): void {
    this.#codes += code;
    this.#pen += width * this.#perThousandth;
  }

  #adjust(adjustment: number): void {
    if (adjustment === 0) return;
    this.#elements += this.#codes === '' ? `${adjustment} ` : `<${this.#codes}> ${adjustment} `;
    this.#codes = '';
    this.#pen -= adjustment * this.#perThousandth;
  }

  toString(): string {
    return this.#elements === '' ? `<${this.#codes}> Tj` : `[${this.#elements}<${this.#codes}>] TJ`;
  }
}

// Groups the glyphs of a run into clusters: which glyphs together show which piece of the text.
//
// Follows HarfBuzz's cluster values: a cluster's text extends to the next higher value in the run. Every character of
// the run's text belongs to exactly one cluster, so no text is lost or repeated.

interface Cluster {
  /** In drawing order, at least one. */
  readonly glyphs: readonly Glyph[];
  /** The text that they show, in logical order; '' when an earlier part of the same cluster already has it. */
  readonly text: string;
}

/** The state of a character. */
const INSIDE = 0;
const STARTS_CLUSTER = 1;
const SAID = 2;

/** In drawing order: left to right. */
export function clustersOf({ glyphs, text }: Pick<GlyphRun, 'glyphs' | 'text'>): readonly Cluster[] {
  const characters = new Uint8Array(text.length + 1);
  let first = text.length;
  for (const { cluster } of glyphs) {
    characters[cluster] = STARTS_CLUSTER;
    first = Math.min(first, cluster);
  }
  const textAt = (start: number): string => {
    if (characters[start] === SAID) return '';
    characters[start] = SAID;
    let end = start + 1;
    while (end < text.length && characters[end] === INSIDE) end += 1;
    // Characters before the first cluster have no glyph of their own (a direction mark, for example), so they are added
    // to it.
    return text.slice(start === first ? 0 : start, end);
  };

  const clusters: Cluster[] = [];
  let at = 0;
  while (at < glyphs.length) {
    const start = glyphs[at]?.cluster ?? 0;
    let end = at + 1;
    while (glyphs[end]?.cluster === start) end += 1;
    clusters.push({ glyphs: glyphs.slice(at, end), text: textAt(start) });
    at = end;
  }
  return clusters;
}
