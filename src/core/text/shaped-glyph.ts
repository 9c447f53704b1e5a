// What shaping takes and gives, in HarfBuzz's terms.

/** A shaped glyph in font units, y up, before any spacing (HarfBuzz's own terms). */
export interface ShapedGlyph {
  readonly id: number;
  /** UTF-16 offset into the shaped string of the first character of the glyph's cluster. */
  readonly cluster: number;
  readonly xAdvance: number;
  readonly yAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
  /** True where a line that starts or ends before this cluster must be shaped anew. */
  readonly unsafeToBreak: boolean;
}

export type ShapingDirection = 'ltr' | 'rtl' | 'ttb' | 'btt';

export interface ShapeOptions {
  /** `ttb`: upright letters in a vertical line, with their vertical forms and advances; `btt` ends at the top. */
  readonly direction: ShapingDirection;
  /** ISO 15924, such as `Latn`. */
  readonly script: string;
  /** BCP 47, or null. */
  readonly language: string | null;
  /** OpenType feature tag → value, for the whole text. */
  readonly features: Readonly<Record<string, number>>;
  /** The text on either side, so that letters join across the ends; HarfBuzz reads five characters of it. */
  readonly before?: string;
  readonly after?: string;
}
