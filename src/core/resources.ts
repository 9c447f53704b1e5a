// The external resources of a render: requested once (resolve/needs.ts), loaded once and held in memory.
//
// Plain data but for three: a FontFace has its parsed font, and charts and hyphenation bring their programs, which are loaded
// only for scenes that have them.

import type { Color, GradientStop } from './color.ts';
import type { Point, Rect, Size } from './geometry.ts';
import type { PathData } from './path.ts';
import type { CharacterStyle, ChartNode, CodeModules, NumberStyle, TextSpan } from './resolve/scene.ts';
import type { FontSet } from './text/font-set.ts';
import type { GlyphRun } from './text/glyph-run.ts';
import type { Hyphenators } from './text/hyphenation.ts';
import type { Paragraph } from './text/paragraph.ts';

/** An SVG file as usvg simplifies it, with marked paths in place of its texts (svg/read-svg.ts). */
export interface SimplifiedSvg {
  readonly svg: string;
  /** By the id of a path, the letters that it stands for. */
  readonly texts: ReadonlyMap<string, { readonly run: GlyphRun; readonly origin: Point }>;
  /** Has the faces of these letters. */
  readonly fonts: FontSet;
}

/** How a drawing fits into a box of other proportions; `none` = it goes on in it. */
export type OwnFit = 'contain' | 'cover' | 'none';

/** An image whose header was read and is within the limits; its pixels stay encoded. */
export interface ImageResource extends Size {
  /** The key by which the scene and the display list name it. */
  readonly key: string;
  /**
   * `svg` and `pdf` are vector and have no pixel grid of their own; `width` and `height` are then the intrinsic size. A
   * `pdf` can be drawn in a PDF alone.
   */
  readonly format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'svg' | 'pdf';
  /** The file's bytes, never changed; an SVG's as they were sanitised on loading. */
  readonly bytes: Uint8Array;
  /** False when every pixel is opaque. */
  readonly hasAlpha: boolean;
  /** True of an SVG that states only its aspect ratio: as a CSS background it fills its area. */
  readonly hasNoSize?: true;
  /** How an SVG of a page fits into a box of other proportions; absent = it is stretched. */
  readonly ownFit?: OwnFit;
  /** The point of interest, 0..1 on each axis, when the scene asked for `attention` or `entropy`; else null. */
  readonly focus: Point | null;
  /** Of a PDF, the page that is shown, from 1. */
  readonly page?: number | undefined;
  /** Of an SVG, where a PDF is wanted; absent if it is drawn as pixels. */
  readonly simplified?: SimplifiedSvg;
}

/** What a chart is made of. */
export type ChartMark =
  | {
      readonly kind: 'fill';
      readonly path: PathData;
      readonly brush:
        | { readonly kind: 'solid'; readonly color: Color }
        | {
            readonly kind: 'linear';
            readonly from: Point;
            readonly to: Point;
            readonly stops: readonly GradientStop[];
          };
      /** It is cut to this path; null = it is whole. */
      readonly clip: PathData | null;
    }
  /** With round ends and corners; the width in px. */
  | { readonly kind: 'stroke'; readonly path: PathData; readonly color: Color; readonly width: number }
  | {
      readonly kind: 'label';
      /** Of one line. */
      readonly paragraph: Paragraph;
      readonly span: TextSpan;
      /** The corner of the paragraph. */
      readonly origin: Point;
      readonly area: Rect;
    };

/** What a chart measures its labels with; passed to it, so that it can be loaded by itself. */
export interface ChartTools {
  /** One line of text; one that is longer than `most` px ends with an ellipsis. */
  readonly layOut: (text: string, style: CharacterStyle, most: number | null) => Paragraph;
  /** Height of a capital letter, px. */
  readonly capitalOf: (style: CharacterStyle) => number;
  readonly numberText: (value: number, style: NumberStyle) => string;
}

/** The marks of a chart in its box, back to front. */
export type DrawChart = (node: ChartNode, box: Rect, tools: ChartTools) => readonly ChartMark[];

export interface Resources {
  readonly fonts: FontSet;
  readonly images: ReadonlyMap<string, ImageResource>;
  /** By the keys of `Needs.codes`; those of a table's cells are encoded when they are asked for. */
  readonly codes: Pick<ReadonlyMap<string, CodeModules>, 'get'>;
  /** For the languages of text with automatic hyphenation. */
  readonly hyphenators: Hyphenators;
  /** From chart/draw-chart.ts, where the scene needs it; without it, charts are blank. */
  readonly drawChart?: DrawChart;
}
