// A glyph run in, text-showing operators out (ISO 32000-1, 9.4), every glyph where the run puts it.
//
// A cluster is one code: its glyphs are embedded as one shape, marks where they sit, so that its text is simply the
// code's ToUnicode, which every reader knows, and a run is one TJ on its baseline, whose adjustments make up for kerning
// and letter spacing. The pen is followed as the file says it, so rounding never adds up along a line.
//
// Readers turn right-to-left text around code by code. There each code carries one character, a cluster's further ones
// on blanks of no width, or a vowel sign would come out before its letter.

import type { Point } from '#core/geometry.ts';
import type { Glyph, GlyphRun } from '#core/text/glyph-run.ts';
import { type Cluster, clustersOf } from './clusters.ts';
import type { GlyphShape } from './font-source.ts';
import type { FontSubset } from './font-subset.ts';
import type { EmbeddedFonts } from './fonts.ts';
import { num } from './syntax.ts';

export interface RunText {
  /** The `Tf` operator. */
  readonly font: string;
  /** From BT to ET, without colour or rendering mode. */
  readonly operators: string;
}

/** Text of a shape that adds none: a format character, which readers drop. */
const NO_TEXT = '\u200b';
const RIGHT_TO_LEFT_MARK = '\u200f';
const BLANK: GlyphShape = { parts: [], advance: 0 };

/** TJ adjustments are written to 1/100 of a thousandth of the font size: under 0.001 px at any size in use. */
const ADJUSTMENT_DECIMALS = 2;

/** A run drawn with its own face. */
export function visibleText(run: GlyphRun, origin: Point, fonts: EmbeddedFonts): RunText {
  const font = fonts.face(run.face);
  const { source } = font;
  const perUnit = run.fontSize / source.unitsPerEm;
  return runText(run, origin, font, ({ glyphs }, x) => ({
    parts: glyphs.map((glyph) => ({
      id: glyph.id,
      // A mark's place is not slanted, only its strokes are; the text matrix would slant both.
      x: Math.round((glyph.x - x + run.slant * glyph.y) / perUnit) + 0,
      y: Math.round(-glyph.y / perUnit) + 0,
    })),
    advance: glyphs.reduce((sum, glyph) => sum + (glyph.advance === 0 ? 0 : source.advance(glyph.id)), 0),
  }));
}

/** A run's words where the run stands, without a mark. */
export function invisibleText(run: GlyphRun, origin: Point, fonts: EmbeddedFonts): RunText {
  const font = fonts.invisible();
  return runText(run, origin, font, ({ glyphs }) => {
    const advance = glyphs.reduce((sum, glyph) => sum + glyph.advance, 0);
    return { parts: [], advance: Math.max(0, Math.round((advance / run.fontSize) * font.source.unitsPerEm)) };
  });
}

function runText(
  run: GlyphRun,
  origin: Point,
  font: FontSubset,
  shapeOf: (cluster: Cluster, x: number) => GlyphShape,
): RunText {
  const line = new TextLine(run.fontSize, font);
  const clusters = clustersOf(run);
  const start = clusters[0] ? startOf(clusters[0].glyphs) : 0;
  for (const cluster of clusters) {
    const x = startOf(cluster.glyphs);
    const text = readable(cluster.text);
    const [first = NO_TEXT, ...further] = run.direction === 'rtl' ? Array.from(text) : [text];
    // Vowel signs alone do not tell a reader that right-to-left text begins here; this does.
    if (further.length > 0 && cluster === clusters[0]) further.push(RIGHT_TO_LEFT_MARK);
    for (const character of further.reverse()) line.show(x - start, font.code(BLANK, character));
    line.show(x - start, font.code(shapeOf(cluster, x), first));
  }
  // Text space has y up where the canvas has y down, hence the flip; the shear slants a synthesised oblique.
  const matrix = `1 0 ${num(run.slant)} -1 ${num(origin.x + start)} ${num(origin.y)} Tm`;
  return { font: `${font.name} ${num(run.fontSize)} Tf`, operators: `BT\n${matrix}\n${line}\nET` };
}

/** Where a cluster begins: at the glyph that moves the pen, not at a mark that sits somewhere on it. */
function startOf(glyphs: readonly Glyph[]): number {
  return (glyphs.find((glyph) => glyph.advance !== 0) ?? glyphs[0])?.x ?? 0;
}

/** Text as a reader should get it: control characters were the layout's business. */
function readable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ') || NO_TEXT;
}

/** The operand of one TJ under way. */
class TextLine {
  readonly #perThousandth: number;
  readonly #font: FontSubset;
  /** Codes in `<>`, and adjustments. */
  readonly #elements: string[] = [];
  #codes = '';
  /** Where the next code would land, px from the first. */
  #pen = 0;

  constructor(fontSize: number, font: FontSubset) {
    this.#perThousandth = fontSize / 1000;
    this.#font = font;
  }

  /** @param x px from the first code */
  show(x: number, code: number): void {
    const adjustment = num((this.#pen - x) / this.#perThousandth, ADJUSTMENT_DECIMALS);
    if (adjustment !== '0') {
      this.#endCodes();
      this.#elements.push(adjustment);
      this.#pen -= Number(adjustment) * this.#perThousandth;
    }
    this.#codes += code.toString(16).padStart(4, '0');
    this.#pen += (this.#font.glyphs[code]?.width ?? 0) * this.#perThousandth;
  }

  toString(): string {
    this.#endCodes();
    const [only] = this.#elements;
    return this.#elements.length === 1 ? `${only} Tj` : `[${this.#elements.join(' ')}] TJ`;
  }

  #endCodes(): void {
    if (this.#codes !== '') this.#elements.push(`<${this.#codes}>`);
    this.#codes = '';
  }
}
