// Reads from a font face what embedding needs, in the face's own units.
//
// Outlines are those that the raster back end draws, so static TrueType, CFF and any instance of a variable font are
// treated alike.

import type { Matrix } from '#core/geometry.ts';
import { type PathData, pathBounds, transformPath } from '#core/path.ts';
import type { FontFace, FontFile } from '#core/text/font-face.ts';
import { charstring } from './charstring.ts';
import { type QuadraticGlyph, quadraticGlyph } from './quadratic-glyph.ts';

/** What one character code shows: positioned glyphs of a face, font units, y up. */
export interface GlyphShape {
  /** Empty = blank. The matrix maps a glyph's own coordinates to the shape's. */
  readonly parts: readonly { readonly id: number; readonly matrix: Matrix }[];
  readonly advance: number;
}

/** A shape in the form of either font program, CFF or TrueType. */
export class EmbeddableGlyph {
  readonly advance: number;
  /** Left, bottom, right, top in font units; null when it is blank. */
  readonly extents: readonly [number, number, number, number] | null;
  /** The `glyf` entry for a TrueType font; null where the outline cannot be one. */
  readonly quadratic: QuadraticGlyph | null;
  readonly #outline: () => PathData;
  #charstring: Uint8Array | undefined;

  /** @param outline read again where it is needed, as thousands of outlines take far more memory than their bytes */
  constructor(advance: number, outline: () => PathData) {
    const path = outline();
    const bounds = pathBounds(path);
    this.advance = advance;
    this.extents = bounds && [bounds.x, bounds.y, bounds.x + bounds.width, bounds.y + bounds.height];
    this.quadratic = quadraticGlyph(path);
    this.#outline = outline;
    if (!this.quadratic) this.#charstring = charstring(advance, path);
  }

  /** The charstring for a CFF font. */
  get charstring(): Uint8Array {
    this.#charstring ??= charstring(this.advance, this.#outline());
    return this.#charstring;
  }
}

export interface FontSource {
  /** Without the subset tag; letters, digits and hyphens. */
  readonly postScriptName: string;
  readonly italic: boolean;
  readonly unitsPerEm: number;
  /** Fractions of the font size, all positive. */
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  /** A glyph of the face, unchanged. */
  plain(id: number): EmbeddableGlyph;
  glyph(shape: GlyphShape): EmbeddableGlyph;
}

/** A font with blank glyphs, for text that something else draws. */
export const UNDRAWN_FONT: FontSource = {
  postScriptName: 'Invisible',
  italic: false,
  unitsPerEm: 1000,
  ascent: 0.8,
  descent: 0.2,
  capHeight: 0.7,
  plain: () => new EmbeddableGlyph(0, () => []),
  glyph: ({ advance }) => new EmbeddableGlyph(advance, () => []),
};

/** Faces outlive documents, so their encoded glyphs are kept between documents. */
const KEPT = new WeakMap<FontFace, FontSource>();

export function sourceOf(face: FontFace): FontSource {
  let source = KEPT.get(face);
  if (!source) {
    source = fromFace(face);
    KEPT.set(face, source);
  }
  return source;
}

function fromFace(face: FontFace): FontSource {
  const { metrics, unitsPerEm } = face;
  const kept = new Map<number, EmbeddableGlyph>();
  return {
    postScriptName: postScriptName(face.file),
    italic: face.file.style === 'italic',
    unitsPerEm,
    ascent: metrics.ascent,
    descent: metrics.descent,
    capHeight: metrics.capHeight,
    plain: (id) => {
      let glyph = kept.get(id);
      if (!glyph) {
        glyph = new EmbeddableGlyph(face.advance(id), () => face.outlineOnce(id));
        kept.set(id, glyph);
      }
      return glyph;
    },
    glyph: ({ parts, advance }) =>
      new EmbeddableGlyph(advance, () =>
        parts.flatMap(({ id, matrix }) => transformPath(face.outlineOnce(id), matrix)),
      ),
  };
}

const STYLE_NAMES: Readonly<Record<number, string>> = {
  100: 'Thin',
  200: 'ExtraLight',
  300: 'Light',
  400: 'Regular',
  500: 'Medium',
  600: 'SemiBold',
  700: 'Bold',
  800: 'ExtraBold',
  900: 'Black',
};

/** The PostScript name in the usual pattern of foundries, `SourceSerif4-BoldItalic`. */
function postScriptName({ family, weight, style }: FontFile): string {
  const base = family.replace(/[^A-Za-z0-9]/g, '').slice(0, 60) || 'Font';
  const upright = STYLE_NAMES[weight] ?? String(Math.round(weight));
  if (style === 'normal') return `${base}-${upright}`;
  return `${base}-${upright === 'Regular' ? '' : upright}Italic`;
}
