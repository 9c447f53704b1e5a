// The display list: all that a back end draws, with nothing left to compute.
//
// Produced by paint.ts from the laid-out boxes; read by svg/, output/ and tests.
// It is a tree, not a push/pop list, so a group cannot be unbalanced.
//
// Invariants:
// - No text is laid out, no unit is converted and no resource is loaded after this point.
// - Plain data: JSON.stringify(list) is the stage's golden format. Fonts and images are keys into Resources.
// - Every number is finite. A group that only clips or transforms contains nothing that blends with its backdrop.

import type { BlendMode } from '../blend-mode.ts';
import type { Color, GradientStop } from '../color.ts';
import type { Matrix, Point, Rect } from '../geometry.ts';
import type { FillRule, PathData } from '../path.ts';
import type { Role } from '../role.ts';
import type { DocumentProperties } from '../template/document-properties.ts';
import type { GlyphRun } from '../text/glyph-run.ts';

/**
 * What fills a region. Coordinates are those of the group that contains the operation.
 *
 * Between stops, sRGB colour and alpha are interpolated separately, not premultiplied; beyond the ends they are
 * constant.
 */
export type Brush =
  | { readonly kind: 'solid'; readonly color: Color }
  | { readonly kind: 'linear'; readonly from: Point; readonly to: Point; readonly stops: readonly GradientStop[] }
  /** Concentric ellipses; `transform` maps the unit circle about (0, 0) to the 100 % ellipse. */
  | { readonly kind: 'radial'; readonly transform: Matrix; readonly stops: readonly GradientStop[] }
  /** CSS `conic-gradient`: stops run clockwise from `angle` (degrees, 0 = up) about `centre`. */
  | { readonly kind: 'conic'; readonly centre: Point; readonly angle: number; readonly stops: readonly GradientStop[] };
export type GradientBrush = Exclude<Brush, { kind: 'solid' }>;

export interface Stroke {
  /** px, > 0, centred on the path. */
  readonly width: number;
  readonly cap: 'butt' | 'round' | 'square';
  readonly join: 'miter' | 'round' | 'bevel';
  readonly miterLimit: number;
  /** Alternating dash and gap lengths in px; empty = solid. */
  readonly dash: readonly number[];
}

export interface Clip {
  readonly path: PathData;
  readonly rule: FillRule;
}

/** Applied in order to a group's pixels, in sRGB, as CSS `filter` is. */
export type Filter =
  /** Gaussian blur, standard deviation in px. */
  | { readonly kind: 'blur'; readonly sigma: number }
  /** `feColorMatrix`: 4 rows of 5 on straight (not premultiplied) RGBA in 0..1. */
  | { readonly kind: 'color-matrix'; readonly values: readonly number[] };

interface Tagged {
  /** What it is in a document, with all that is in a group; absent = decoration, or, of a group, what its parts say. */
  readonly role?: Role | undefined;
}

export type PaintOp = (
  | { readonly kind: 'fill'; readonly path: PathData; readonly rule: FillRule; readonly brush: Brush }
  | { readonly kind: 'stroke'; readonly path: PathData; readonly stroke: Stroke; readonly brush: Brush }
  /** `brush: null` draws nothing: text under colour glyphs or effects, kept so that a PDF can be searched. */
  | {
      readonly kind: 'glyphs';
      readonly run: GlyphRun;
      readonly origin: Point;
      readonly brush: Brush | null;
      /** Outline of the letters, drawn under the fill as CSS `paint-order: stroke` does. */
      readonly outline: { readonly brush: Brush; readonly stroke: Stroke } | null;
    }
  /** Shows the `source` part (image px, orientation applied) of image `image` in `dest`. */
  | {
      readonly kind: 'image';
      readonly image: string;
      readonly source: Rect;
      readonly dest: Rect;
      /** Scaled to the nearest pixel; absent = smoothly. */
      readonly isPixelated?: true;
    }
  /** A hyperlink over an area: an annotation in PDF, nothing in pixels. */
  | {
      readonly kind: 'link';
      readonly rect: Rect;
      readonly href: string;
      /** That stand there; absent = none that are known. */
      readonly words?: string | undefined;
    }
  | GroupOp
) &
  Tagged;

/**
 * Operations drawn as one: transform, then filters, then clip and mask, then opacity and blend onto what lies below.
 *
 * A group without a mask whose opacity is 1, blend normal and filters empty is only a coordinate system and a clip: a back end may
 * draw its children directly, without a surface.
 */
export interface GroupOp extends Tagged {
  readonly kind: 'group';
  /** From the group's coordinates to its parent's. */
  readonly transform: Matrix;
  /** 0..1. */
  readonly opacity: number;
  readonly blend: BlendMode;
  /** In the group's own coordinates; applied after the filters, so that a blurred photo keeps a hard edge. */
  readonly clip: Clip | null;
  readonly filters: readonly Filter[];
  /**
   * Tones of grey, painted on black in the group's own coordinates: the light at a point is the opacity of the group
   * there (CSS Masking 1 §6, luminance). Applied with the clip; absent = none.
   */
  readonly mask?: readonly PaintOp[];
  /** The text of the group's glyphs, in logical order, if these are too scattered to be read as text; else null. */
  readonly text: string | null;
  readonly ops: readonly PaintOp[];
}

/** Where a heading begins, for the outline of a PDF. */
export interface Heading {
  /** 1 to 6. */
  readonly level: number;
  readonly text: string;
  /** Its top, px on its page. */
  readonly top: number;
  /** The name of its layer, if it is of one. */
  readonly layer?: string | undefined;
}

export interface DisplayList {
  /** Canvas size in px; integers, except for sheets of a document. */
  readonly width: number;
  readonly height: number;
  /** How far its operations go on beyond the canvas, px; absent = not at all. */
  readonly bleed?: number | undefined;
  /** The metadata of a PDF; absent = none. */
  readonly document?: DocumentProperties | undefined;
  /** Whether nothing says what its words are, as of html: they are one paragraph. */
  readonly isPlain?: true | undefined;
  /** The headings on a page of a document, from top to bottom; absent = none. */
  readonly headings?: readonly Heading[] | undefined;
  /** What its words and pictures are, in the order in which they are read; absent = that of the operations. */
  readonly reading?: readonly Role[] | undefined;
  /** Back to front. The canvas starts transparent. */
  readonly ops: readonly PaintOp[];
}
