// Shapes as they come into use, character codes out: a font subset under way.
//
// A code stands for a shape *and* the text that it shows there, so ToUnicode is never ambiguous: a glyph that serves
// for two characters simply gets two codes.

import type { PdfReference } from './document.ts';
import { type EmbeddableGlyph, type FontSource, type GlyphShape, INVISIBLE } from './font-source.ts';

/** CIDs are 16-bit. */
export const MAX_CODES = 65_535;

/** What one code shows and means. */
export interface EncodedGlyph extends EmbeddableGlyph {
  /** For someone who searches or copies; '' for `.notdef`. */
  readonly text: string;
  /** Advance in thousandths of the font size, exactly as the file says it. */
  readonly width: number;
}

export class FontSubset {
  readonly source: FontSource;
  /** Resource name, with its slash. */
  readonly name: string;
  readonly reference: PdfReference;
  readonly #codes = new Map<string, number>();
  readonly #glyphs: EncodedGlyph[];

  constructor(source: FontSource, name: string, reference: PdfReference) {
    this.source = source;
    this.name = name;
    this.reference = reference;
    this.#glyphs = [{ ...INVISIBLE.glyph({ parts: [], advance: 0 }), text: '', width: 0 }];
  }

  /** By code. The first is `.notdef`, which nothing shows. */
  get glyphs(): readonly EncodedGlyph[] {
    return this.#glyphs;
  }

  /** The code of a shape where it shows `text`. */
  code(shape: GlyphShape, text: string): number {
    const { advance, parts } = shape;
    const key = `${advance};${parts.map(({ id, matrix }) => `${id},${matrix}`).join(';')};${text}`;
    let code = this.#codes.get(key);
    if (code === undefined) {
      code = this.#glyphs.length;
      if (code >= MAX_CODES) throw new Error('A glyph run uses more codes than a font has.');
      const width = Math.round((advance * 1e7) / this.source.unitsPerEm) / 1e4;
      this.#codes.set(key, code);
      this.#glyphs.push({ ...this.source.glyph(shape), text, width });
    }
    return code;
  }
}
