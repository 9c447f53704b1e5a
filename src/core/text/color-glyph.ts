// A glyph that carries its own colours (OpenType COLR), as plain data: a tree of fills, clips and groups.
//
// In font units, y up; only gradients still have a transform.

import type { BlendMode } from '../blend-mode.ts';
import type { Color } from '../color.ts';
import type { Matrix, Point } from '../geometry.ts';
import type { PathData } from '../path.ts';

/** Null stands for the colour of the text, whose alpha is then multiplied by `alpha`. */
export interface GlyphColor {
  readonly color: Color | null;
  /** 0..1; of a given colour it is already in `color.a`. */
  readonly alpha: number;
}

export interface GlyphStop extends GlyphColor {
  /** 0..1, never decreasing. */
  readonly offset: number;
}

/** What a gradient does beyond its ends: holds the last colour, starts again, or turns back. */
export type GradientExtend = 'pad' | 'repeat' | 'reflect';

/** Geometry is in the gradient's own coordinates; `transform` maps those to font units of the glyph. */
interface GradientBrush {
  readonly extend: GradientExtend;
  readonly stops: readonly GlyphStop[];
  readonly transform: Matrix;
}

export type GlyphBrush =
  | ({ readonly kind: 'solid' } & GlyphColor)
  /** The colour is constant across the line `from`–`to`, as in SVG. */
  | ({ readonly kind: 'linear'; readonly from: Point; readonly to: Point } & GradientBrush)
  /** From one circle to another, as SVG's focal circle to its end circle. */
  | ({
      readonly kind: 'radial';
      readonly start: Point & { readonly radius: number };
      readonly end: Point & { readonly radius: number };
    } & GradientBrush)
  /** Counter-clockwise from `startAngle` to `endAngle`, radians, 0 along the x axis. */
  | ({
      readonly kind: 'sweep';
      readonly center: Point;
      readonly startAngle: number;
      readonly endAngle: number;
    } & GradientBrush);

/** How a group is composited with what lies below: a CSS blend mode or a Porter–Duff operator. */
export type GlyphComposite =
  | BlendMode
  | 'clear'
  | 'src'
  | 'dest'
  | 'dest-over'
  | 'src-in'
  | 'dest-in'
  | 'src-out'
  | 'dest-out'
  | 'src-atop'
  | 'dest-atop'
  | 'xor'
  | 'plus';

export type ColorGlyphOp =
  | { readonly kind: 'fill'; readonly path: PathData; readonly brush: GlyphBrush }
  /** `path` is filled by the nonzero rule. */
  | { readonly kind: 'clip'; readonly path: PathData; readonly ops: readonly ColorGlyphOp[] }
  | { readonly kind: 'group'; readonly composite: GlyphComposite; readonly ops: readonly ColorGlyphOp[] };

/** Back to front. */
export type ColorGlyph = readonly ColorGlyphOp[];

/** Path segments and colour stops of a glyph, each outline once, however many operations share it. */
export function sizeOf(glyph: ColorGlyph): number {
  const outlines = new Set<PathData>();
  let size = 0;
  const visit = (ops: readonly ColorGlyphOp[]) => {
    for (const op of ops) {
      size++;
      if (op.kind !== 'group') outlines.add(op.path);
      if (op.kind !== 'fill') visit(op.ops);
      else if (op.brush.kind !== 'solid') size += op.brush.stops.length;
    }
  };
  visit(glyph);
  for (const outline of outlines) size += outline.length;
  return size;
}

/** The segments that are drawn of these operations at least: each fill and clip has an outline of its own. */
export function segmentsIn(ops: readonly ColorGlyphOp[]): number {
  let count = 0;
  for (const op of ops) {
    if (op.kind !== 'group') count += op.path.length;
    if (op.kind !== 'fill') count += segmentsIn(op.ops);
  }
  return count;
}
