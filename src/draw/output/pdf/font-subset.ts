// Assigns character codes to the glyph shapes of one font subset as they come into use.
//
// A code stands for a shape *and* the text that it shows there, so ToUnicode is never ambiguous: a glyph that is used
// for two characters gets two codes.

import type { Resource } from './content-stream.ts';
import { type EmbeddableGlyph, type FontSource, type GlyphShape, UNDRAWN_FONT } from './font-source.ts';

/** CIDs are 16-bit. */
export const MAX_CODES = 65_535;

/** A code of a subset, its shape and its text. */
export interface EncodedGlyph {
  readonly shape: EmbeddableGlyph;
  /** Two bytes in hexadecimal. */
  readonly code: string;
  /** The text that search and copy get; '' for `.notdef`. */
  readonly text: string;
  /** Advance in thousandths of the font size, exactly as written in the file. */
  readonly width: number;
}

export class FontSubset {
  readonly source: FontSource;
  readonly resource: Resource;
  /** By everything that distinguishes a code. */
  readonly #byKey = new Map<string, EncodedGlyph>();
  /** The latest code of each unchanged glyph: in running text, the next use nearly always needs the same one. */
  readonly #latest = new Map<number, EncodedGlyph>();
  readonly #glyphs: EncodedGlyph[] = [];

  constructor(source: FontSource, resource: Resource) {
    this.source = source;
    this.resource = resource;
    this.#add(UNDRAWN_FONT.plain(0), '');
  }

  /** By code. The first is `.notdef`, which no text uses. */
  get glyphs(): readonly EncodedGlyph[] {
    return this.#glyphs;
  }

  /** The code of an unchanged glyph of the font where it shows `text`. */
  plain(id: number, text: string): EncodedGlyph {
    const latest = this.#latest.get(id);
    if (latest?.text === text) return latest;
    const glyph = this.#encode(`${id} ${text}`, text, () => this.source.plain(id));
    this.#latest.set(id, glyph);
    return glyph;
  }

  /** The code of a shape where it shows `text`. */
  shape(shape: GlyphShape, text: string): EncodedGlyph {
    const { advance, parts } = shape;
    const key = `${advance};${parts.map(({ id, matrix }) => `${id},${matrix}`).join(';')};${text}`;
    return this.#encode(key, text, () => this.source.glyph(shape));
  }

  #encode(key: string, text: string, make: () => EmbeddableGlyph): EncodedGlyph {
    let glyph = this.#byKey.get(key);
    if (!glyph) {
      glyph = this.#add(make(), text);
      this.#byKey.set(key, glyph);
    }
    return glyph;
  }

  #add(shape: EmbeddableGlyph, text: string): EncodedGlyph {
    const number = this.#glyphs.length;
    if (number >= MAX_CODES) throw new Error('A glyph run uses more codes than a font has.');
    const code = number.toString(16).padStart(4, '0');
    const width = Math.round((shape.advance * 1e7) / this.source.unitsPerEm) / 1e4;
    const glyph = { shape, code, text, width };
    this.#glyphs.push(glyph);
    return glyph;
  }
}
