// Shaped text, as text layout makes it and every back end draws it.
//
// Glyph positions are final: SVG turns the glyphs into outlines, PDF embeds them, and neither moves one.

/** One glyph of a face, placed relative to its run's origin. */
export interface Glyph {
  /** Glyph index in the face (OpenType glyph ID). */
  readonly id: number;
  /** UTF-16 offset into `GlyphRun.text` of the first character of this glyph's cluster. */
  readonly cluster: number;
  /** The glyph's origin (that of horizontal text), px from the run's; letter spacing and kerning included. */
  readonly x: number;
  readonly y: number;
  /** How far the pen moves along the run, px, letter spacing included. */
  readonly advance: number;
}

/**
 * Text shaped with one face, at one size, in one direction.
 *
 * `text` stays attached so that PDF output can be searched and copied.
 */
export interface GlyphRun {
  /** Key into `Resources.faces`; keeps the run plain JSON. */
  readonly face: string;
  /** px, > 0. */
  readonly fontSize: number;
  /** `ttb`, `btt`: upright letters, one below the other; the run's origin is the top of its middle line. */
  readonly direction: 'ltr' | 'rtl' | 'ttb' | 'btt';
  /** Horizontal shear of a synthesised oblique, x' = x + slant · (−y); 0 for a real face. */
  readonly slant: number;
  /** True if paint must embolden the outlines, since the family has no bold face. */
  readonly embolden?: true;
  /** The source text, in logical order, exactly the slice that the glyphs were shaped from. */
  readonly text: string;
  /**
   * Where white space hangs with which a line ends that others follow: it is not in the text and has no glyph, but parts
   * words. A line to the left has it on both sides, for readers who put it on the other side of the next one.
   */
  readonly hangs?: 'before' | 'after' | 'around';
  /** In drawing order: left to right also for `rtl`, down also for `btt`. */
  readonly glyphs: readonly Glyph[];
  /** Sum of the advances, px; for upright letters, their height. */
  readonly width: number;
}
