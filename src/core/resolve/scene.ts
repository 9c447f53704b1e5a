// The scene: a resolved template, with nothing left to look up.
//
// No optionals, no defaults, no units: colours are parsed, hidden layers are gone, edges and corners are four numbers.
// Some sizes are left to layout (`hug`, `fill`, percentages), and fills need a box. Everything here is plain data.

import type { BlendMode } from '../blend-mode.ts';
import type { Color, ColorSpace, GradientStop, HueArc } from '../color.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Corners, Edges, Matrix, Point, Rect, Size } from '../geometry.ts';
import type { List } from '../packed-list.ts';
import type { FillRule, PathData } from '../path.ts';
import type { ListStyle } from '../role.ts';
import type { ChartLayer } from '../template/chart-layer.ts';
import type { DocumentProperties } from '../template/document-properties.ts';
import type { Format } from '../template/format.ts';
import type { GridLines, GridTrack, NamedArea, TrackRepeat } from '../template/grid-syntax.ts';
import type { BarcodeLayer, QrLayer } from '../template/layer.ts';
import type { Counter, Page } from '../template/page.ts';
import type { CharacterProperty, TextLayer } from '../template/text-layer.ts';
import type { FontQuery } from '../text/font-set.ts';

export type { GridTrack, TrackRepeat };

/** What fills an area, relative to a box that only layout knows. */
export type Fill =
  | { readonly kind: 'solid'; readonly color: Color }
  | {
      readonly kind: 'linear';
      readonly angle: number;
      readonly stops: readonly GradientStop[];
      readonly inBox?: BoxGradient;
    }
  | {
      readonly kind: 'radial';
      readonly shape: 'ellipse' | 'circle';
      readonly center: Point;
      /** Fraction of half the box; null = CSS farthest-corner. */
      readonly radius: number | null;
      readonly stops: readonly GradientStop[];
      readonly inBox?: BoxGradient;
    }
  | {
      readonly kind: 'conic';
      readonly angle: number;
      readonly center: Point;
      readonly stops: readonly GradientStop[];
      readonly inBox?: BoxGradient;
    };

/** What of a gradient lengths say (CSS Images 4, 3), which are known in its box: instead of its places, sizes and offsets. */
export interface BoxGradient {
  readonly stops: readonly { readonly at: Length | null; readonly color: Color; readonly hint: Length | null }[];
  readonly repeats: boolean;
  readonly space: ColorSpace;
  readonly hue: HueArc;
  /** Of a linear one: the corner that it runs to, -1 or 1 on each axis; null = by its angle. */
  readonly corner: Point | null;
  readonly center: BoxPoint | null;
  /** Of a radial one: across and down. */
  readonly size: `${'closest' | 'farthest'}-${'side' | 'corner'}` | readonly [x: Length, y: Length];
}

/** How a picture or a gradient lies behind a box (CSS Backgrounds 3, 3.4 to 3.7), of which only layout knows the size. */
export interface Tiles {
  /** How far inside its box the area begins that they are placed in, px, or outside if negative; absent = it is the box. */
  readonly area?: Sides<number> | undefined;
  /** null = by its proportions, or its own. */
  readonly size: 'cover' | 'contain' | readonly [width: Length | null, height: Length | null];
  /** Of what is left of the box beside one of them. */
  readonly position: readonly [x: Length, y: Length];
  readonly repeat: readonly [x: TileRepeat, y: TileRepeat];
}

export type TileRepeat = 'repeat' | 'no-repeat' | 'space' | 'round';

export type Dimension =
  | { readonly kind: 'px'; readonly value: number }
  /** Of the parent's content box, 50 = half, and so many px more (`calc()`). */
  | { readonly kind: 'percent'; readonly value: number; readonly plus?: number }
  | { readonly kind: 'hug' }
  | { readonly kind: 'fill' };

export interface Shadow {
  readonly x: number;
  readonly y: number;
  /** Standard deviation, px: half of CSS's blur radius. */
  readonly sigma: number;
  readonly spread: number;
  readonly color: Color;
  readonly inset: boolean;
  /** As opaque as itself however translucent the letters are (CSS Text Decoration 3 §4). */
  readonly ofLetters?: boolean;
}

export interface Border {
  /** px, > 0. */
  readonly width: number;
  readonly color: Color;
  /** `double` is of html. */
  readonly style: 'solid' | 'dashed' | 'dotted' | 'double';
  /** Of html, and as browsers draw thin lines: longer dashes, and dots that are squares. */
  readonly isThin?: true | undefined;
}

/** An outline relative to a box. */
export type Outline =
  | { readonly kind: 'rect'; readonly radii: Corners }
  | { readonly kind: 'ellipse' }
  /** In px from the box's top left; null = from corner to corner. */
  | { readonly kind: 'line'; readonly points: readonly Point[] | null }
  | { readonly kind: 'polygon'; readonly points: readonly Point[] }
  | { readonly kind: 'regular-polygon'; readonly sides: number }
  | { readonly kind: 'star'; readonly tips: number; readonly innerRadius: number }
  /** `viewBox` is stretched over the box; null = px from its top left. */
  | { readonly kind: 'path'; readonly path: PathData; readonly viewBox: Rect | null };

/** CSS filter functions as plain factors; null in a node when all are neutral. */
export interface Filters {
  readonly brightness: number;
  readonly contrast: number;
  readonly saturate: number;
  readonly grayscale: number;
  readonly sepia: number;
  /** Degrees. */
  readonly hueRotate: number;
  readonly invert: number;
  /** What black and white become. */
  readonly duotone: readonly [dark: Color, light: Color] | null;
  /** Standard deviation, px. */
  readonly blur: number;
}

export interface Sides<Value> {
  readonly top: Value;
  readonly right: Value;
  readonly bottom: Value;
  readonly left: Value;
}

export type Length =
  | { readonly kind: 'px'; readonly value: number }
  /** Of the containing block, 50 = half, and so many px more (`calc()`). */
  | { readonly kind: 'percent'; readonly value: number; readonly plus?: number };

/** Distances from the sides of the containing block; null = CSS `auto`. */
export type Inset = Sides<Length | null>;

/** A size that the content decides. */
export interface Intrinsic {
  readonly kind: 'min-content' | 'max-content' | 'fit-content';
}

/**
 * What layout replaces by px once the containing block is known. Until then, as CSS has it where it is not known,
 * margins and padding are 0, minimums and maximums are absent, and sizes hug. Percentages of edges are of the width.
 */
export interface RelativeSizes {
  readonly margin: Sides<number | null> | null;
  readonly padding: Sides<number | null> | null;
  /** Whether given sizes do not have this padding in them: `content-box`. */
  readonly isOutside?: boolean;
  readonly width: Intrinsic | null;
  readonly height: Intrinsic | null;
  readonly flexBasis: Intrinsic | null;
  readonly minWidth: Length | Intrinsic | null;
  readonly maxWidth: Length | Intrinsic | null;
  readonly minHeight: Length | null;
  readonly maxHeight: Length | null;
}

/** Percentages of a frame's content box between its rows and columns; null = px. */
interface PercentGaps {
  readonly row: number | null;
  readonly column: number | null;
}

/** The properties by which a node takes part in its parent's layout, in CSS's terms. */
export interface Placement {
  readonly x: number;
  readonly y: number;
  readonly width: Dimension;
  readonly height: Dimension;
  readonly absolute: boolean;
  /** Of an absolutely placed node instead of x and y; of others, how far it is moved. null = neither. */
  readonly inset: Inset | null;
  /** The sides whose margin takes the free space; null = none. */
  readonly autoMargins: Sides<boolean> | null;
  /** What is relative to the surroundings or the content; null = nothing. */
  readonly relative: RelativeSizes | null;
  readonly minWidth: number | null;
  readonly maxWidth: number | null;
  readonly minHeight: number | null;
  readonly maxHeight: number | null;
  readonly aspectRatio: number | null;
  readonly flexGrow: number;
  readonly flexShrink: number;
  readonly flexBasis: Dimension | null;
  readonly alignSelf: 'auto' | SafeAlignment | 'stretch' | 'baseline';
  readonly justifySelf: 'auto' | SafeAlignment | 'stretch';
  /** The tracks of a grid, counted from 0; null = the next that are free. */
  readonly grid: {
    readonly column: number | null;
    readonly row: number | null;
    readonly columnSpan: number;
    readonly rowSpan: number;
    /** What only the grid itself can turn into tracks: lines counted from its end, and the name of an area. */
    readonly lines: GridLines | null;
  };
  readonly margin: Edges;
  /** To which side of a block it floats (CSS 2, 9.5); absent = it does not. */
  readonly float?: 'left' | 'right' | undefined;
  /** The floats that it stays below. */
  readonly clear?: 'left' | 'right' | 'both' | undefined;
  /** Of a frame: whether absolutely placed nodes in it that are `isFar` are placed in it, too; `fixed` = fixed ones as well. */
  readonly isContaining?: 'positioned' | 'fixed' | undefined;
  /** Of an absolutely placed node whose block is not the frame that it is in: the nearest of those around that contain such. */
  readonly isFar?: 'positioned' | 'fixed' | undefined;
  /** How high a frame that `isContaining` is for what is placed in it, px; absent = as high as it is. */
  readonly containingHeight?: number | undefined;
  /** Of a box of a page that is not painted in the flow; `background` = it is a part of its frame's background. */
  readonly layer?: StackingLevel | 'background' | undefined;
  /** Whether it stands beside the first line of its frame: the marker of a list. */
  readonly isMarker?: true | undefined;
  /** Of a box in the flow: how far it stays within what scrolls it, as far as its block has room (CSS `sticky`). */
  readonly sticky?: Inset | undefined;
  /** How far it is moved once its size is known, which percentages are of (CSS Transforms 1, `translate()`). */
  readonly translate?: { readonly x: Length; readonly y: Length } | undefined;
}

/** Where a box is painted in the stacking context that it is in (CSS 2, appendix E). */
export interface StackingLevel {
  /** `z-index`. */
  readonly level: number;
  /** In the order of the page's elements. */
  readonly order: number;
  /** Whether it is a stacking context, in which all is painted that is raised in it. */
  readonly isContext: boolean;
}

/** How a node takes part in the pages of a document (CSS Fragmentation 3). */
export type WhichPages = 'all' | 'first' | 'not-first' | 'last' | 'not-last' | 'odd' | 'even';

export interface Fragmentation {
  /** Of a list, all have to hold. */
  readonly pages: WhichPages | readonly WhichPages[];
  /**
   * The sheets on which a child of what flows stands, and then what flows of them; null = those of the document. Of what does
   * not flow, of html alone: the sheets that it is on, '' = those without a name; null = any.
   */
  readonly page: string | null;
  /** Whether it goes on over the pages. */
  readonly isFlow: boolean;
  /** `column` breaks columns alone, and `page` these too. */
  readonly before: 'auto' | 'page' | 'column' | 'avoid';
  readonly after: 'auto' | 'page' | 'column' | 'avoid';
  readonly avoidsInside: boolean;
  /** Whether it stands over all columns of the block around it. */
  readonly spansColumns?: true | undefined;
  /** Where it is shown again on each page that its frame goes on to; null = nowhere. */
  readonly repeatAt: 'top' | 'bottom' | null;
  /** The fewest lines before and after a break. */
  readonly orphans: number;
  readonly widows: number;
  /** Whether it has its border and padding at a break, too. */
  readonly clones: boolean;
  /** 1 to 6; null = it is no heading. */
  readonly heading: number | null;
  /** What it says of the named strings of its page and of those after it (CSS GCPM 3, 1.1, `string-set`). */
  readonly strings?: Readonly<Record<string, string>> | undefined;
}

/** What shows of a node: what lies within an outline over its box, faded. */
export interface Mask {
  readonly outline: Outline;
  readonly fade: Fade | null;
}

/** What makes a node translucent from place to place: its opacity, or its light. */
export type Fade =
  | { readonly kind: 'gradient'; readonly fill: Fill; readonly mode: 'alpha' | 'luminance' }
  | {
      readonly kind: 'image';
      /** Key into `Resources.images`, from `needs`. */
      readonly image: string;
      readonly fit: ImageNode['fit'];
      readonly mode: 'alpha' | 'luminance';
    }
  | {
      readonly kind: 'layers';
      /** Painted over the box, in this order, as what is behind boxes is. */
      readonly nodes: readonly SceneNode[];
      /** Whether only what all of them let through shows, and not what any does. */
      readonly isIntersection: boolean;
      readonly mode: 'alpha' | 'luminance';
    };

/** A point of a box. */
export interface BoxPoint {
  readonly x: Length;
  readonly y: Length;
}

/** One function of `transform`; lengths are of the border box. */
export type TransformStep = { readonly matrix: Matrix } | { readonly move: BoxPoint };

/** CSS Shapes 1, 3.1, over the border box. */
export type BasicShape =
  | { readonly kind: 'inset'; readonly inset: Sides<Length>; readonly radii: Corners }
  | {
      readonly kind: 'circle' | 'ellipse';
      readonly center: BoxPoint;
      readonly radii: readonly (Length | 'closest-side' | 'farthest-side')[];
    }
  | { readonly kind: 'polygon'; readonly points: readonly BoxPoint[]; readonly rule: FillRule };

/** What boxes of pages have and layers do not, but for the shadows. */
export interface CssEffects {
  /** CSS Transforms 1, instead of `rotation`: of all that the node paints, about `origin`. */
  readonly transform: { readonly steps: readonly TransformStep[]; readonly origin: BoxPoint } | null;
  /** CSS UI 4, 3: round the border box, `offset` px outside. */
  readonly outline: (Border & { readonly offset: number }) | null;
  readonly clip: BasicShape | null;
  /** Of what the node paints, as it is. */
  readonly dropShadows: readonly Shadow[];
}

export interface NodeBase {
  /** The layer's name. */
  readonly name: string;
  readonly placement: Placement;
  /** Degrees clockwise about the box's centre. */
  readonly rotation: number;
  /** Mirrored about the box's centre before it is rotated: left and right, top and bottom. Absent = neither. */
  readonly flip?: 'x' | 'y' | 'xy' | undefined;
  readonly opacity: number;
  readonly blend: BlendMode;
  readonly shadows: readonly Shadow[];
  /** Standard deviation, px; 0 = none. */
  readonly blur: number;
  /** Of all that the node paints; of an image node, of the picture alone. */
  readonly filters: Filters | null;
  /** Of what lies behind the node. */
  readonly backdropFilters: Filters | null;
  readonly mask: Mask | null;
  readonly link: string | null;
  /** What a picture, code, chart or shape shows, for who does not see it; '' = it is decoration, null = not said. */
  readonly alt: string | null;
  /** null = `WHOLE`, or the scene has no pages. */
  readonly fragmentation: Fragmentation | null;
  /** Absent = none. */
  readonly css?: CssEffects | undefined;
}

/** A decoration line of text. */
export interface TextDecoration {
  readonly line: 'underline' | 'overline' | 'line-through';
  /** null = the fill of the letters. */
  readonly fill: Fill | null;
  /** px; null = from the face's metrics. */
  readonly thickness: number | null;
  /**
   * px from the baseline down to the upper edge of an underline; it and the other lines are then on whole px, where Chromium
   * has them. Absent = by the face's metrics.
   */
  readonly offset?: number;
  /** How far above the baseline of its line the element's own is that has it, px; absent = not. */
  readonly raise?: number;
}

export interface CharacterStyle {
  readonly font: FontQuery;
  /** px */
  readonly fontSize: number;
  /** A multiple of the font size; null = what the face asks for (CSS `normal`). */
  readonly lineHeight: number | null;
  readonly letterSpacing: number;
  readonly wordSpacing: number;
  readonly textTransform: 'none' | 'uppercase' | 'lowercase' | 'capitalize';
  readonly decorations: readonly TextDecoration[];
  /** Raised or lowered, and smaller, by the face's metrics; the line box is that of the full size. */
  readonly position: 'normal' | 'super' | 'sub';
  readonly features: Readonly<Record<string, number>>;
  readonly fill: Fill;
  /** `isOver`: over the letters instead of below them. */
  readonly stroke: { readonly fill: Fill; readonly width: number; readonly isOver?: boolean } | null;
  /** BCP 47, or null. */
  readonly lang: string | null;
}

/** An inline image, placed in a line like a letter. */
export interface InlineImage {
  /** Key into `Resources.images`, from `needs`. */
  readonly image: string;
  /** px; null = by the picture's proportions; if both are null, as high as the font size. */
  readonly width: number | null;
  readonly height: number | null;
  /** Bottom edge on the baseline, or centred half an x-height above it. */
  readonly align: 'baseline' | 'middle';
  /** As of a node; absent = not said. */
  readonly alt?: string | null;
}

export interface TextSpan {
  readonly text: string;
  readonly style: CharacterStyle;
  readonly link: string | null;
  /** What it counts instead of its text; only in documents. */
  readonly counter: PageCounter | PageOf | NamedString | null;
  /** Instead of `link`, the name of a layer of the document that it links to. */
  readonly linksTo?: string | undefined;
  /** Instead of text: `text` is then one object replacement character (U+FFFC). */
  readonly image: InlineImage | null;
  /** Of which the text is the mark, a number that is known once all of them are; absent = none. */
  readonly footnote?: Footnote | undefined;
  /** Likewise. */
  readonly atom?: InlineAtom | undefined;
  /** The boxes around it in its line, outer ones first. */
  readonly within?: readonly InlineBox[] | undefined;
  /** How far its baseline is raised, px, with that of its line box (CSS 2, 10.8.1, `vertical-align`). */
  readonly raise?: number | undefined;
  /** Of the elements around it that have other lines (CSS 2, 10.8.1). */
  readonly struts?: readonly Pick<InlineBox, 'style' | 'raise'>[] | undefined;
  /** Whether a line may not end in it. */
  readonly noWrap?: true | undefined;
}

/** A note at the foot of the page that has its mark. */
export interface Footnote {
  /** From 1; 0 = not known yet. */
  readonly number: number;
  readonly text: string;
  readonly style: CharacterStyle;
  /** That has the mark. */
  readonly layer: string;
}

/** What stands in a line like a letter (CSS Inline 3: an atomic inline), or where the ends of a box around words are. */
export type InlineAtom =
  | {
      readonly kind: 'box';
      readonly node: SceneNode;
      readonly align: 'baseline' | 'middle' | 'top' | 'bottom' | 'text-top' | 'text-bottom';
      /** With its margins, once its line's width is known, px; null = not yet. */
      readonly size: { readonly width: number; readonly above: number; readonly below: number } | null;
    }
  /** A float of the block that the text is in, from this line on. */
  | { readonly kind: 'float'; readonly node: SceneNode }
  /** What is placed absolutely where it would be in the line. */
  | { readonly kind: 'aside'; readonly node: SceneNode }
  /** The margin, border and padding at one end of a box, px. */
  | { readonly kind: 'edge'; readonly side: 'start' | 'end'; readonly box: InlineBox; readonly length: number };

/** A box around words, in each of their lines: its background, border and padding; its size is that of the words. */
export interface InlineBox {
  readonly frame: FrameNode;
  readonly style: CharacterStyle;
  readonly raise: number;
}

/** Its text is empty; only of layers on the pages, not in what flows. */
export type PageCounter = Exclude<Counter, 'row'>;

/** The page on which a layer begins. Its text is as wide as any number of a page. */
interface PageOf {
  readonly pageOf: string;
}

/** A running head: what elements of the page, or of those before it, set as the string of this name (CSS GCPM 3, 1.1). Its text is empty. */
export interface NamedString {
  readonly stringOf: string;
  /** Of the page: its first, or what held at its start, or its last; `first-except`: nothing where it has a first. */
  readonly which: 'first' | 'start' | 'last' | 'first-except';
}

/** A circle about the middle of a text's box, along which its lines run. */
export interface TextArc {
  /** Radius of the first line's baseline, px, > 0. */
  readonly radius: number;
  /** The alignment point of `align` on the circle: degrees clockwise from the top; for `inside`, from the bottom. */
  readonly angle: number;
  /** `outside`: clockwise, tops of letters outwards. `inside`: counterclockwise, tops towards the centre. */
  readonly side: 'outside' | 'inside';
}

export interface TextList {
  readonly style: ListStyle;
  readonly indent: number;
}

export interface TextNode extends NodeBase {
  readonly type: 'text';
  /** At least one; empty text is one empty span, which still has a line's height. */
  readonly spans: readonly TextSpan[];
  /** The layer's own style, whose line height is the minimum of every line (CSS 2 §10.8.1, strut). */
  readonly strut: CharacterStyle;
  /** Whether a line without letters is no higher than what is in it (Quirks, 3.4, of old pages); absent = it is. */
  readonly ignoresStrut?: true | undefined;
  /** Whether what `letterSpacing` adds stands behind the last letter of a line, too, as in browsers; absent = it does not. */
  readonly keepsSpacing?: true | undefined;
  /** Of html: other styles of its spans, and of its strut, in its first line (CSS Pseudo-Elements 4, 2.1). */
  readonly firstLine?: { readonly styles: readonly CharacterStyle[]; readonly strut: CharacterStyle } | undefined;
  /** Along the lines; `left` is the top of vertical lines. */
  readonly align: 'start' | 'end' | 'left' | 'right' | 'center' | 'justify';
  /** Of html: of the last line, and of those before a forced break; absent = as the others, and not justified. */
  readonly alignLast?: TextNode['align'] | undefined;
  /** Across the lines: `top` is the side of the first line, for vertical lines the left or right one. */
  readonly verticalAlign: 'top' | 'middle' | 'bottom';
  readonly direction: 'auto' | 'ltr' | 'rtl';
  /** Never vertical if the text is on an arc. */
  readonly writingMode: 'horizontal-tb' | 'vertical-rl' | 'vertical-lr';
  /** Orientation of the letters in vertical lines. */
  readonly textOrientation: 'mixed' | 'upright' | 'sideways';
  /** null: lines are straight. */
  readonly arc: TextArc | null;
  readonly textWrap: 'wrap' | 'balance' | 'pretty';
  /** `manual`: lines may end at soft hyphens; `auto`: also where the language's patterns allow it. */
  readonly hyphens: 'none' | 'manual' | 'auto';
  /** Of the first line, from its start; px. 0 on an arc. */
  readonly textIndent: number;
  /** CSS `tab-size`: spaces, or px; absent = 8 spaces. */
  readonly tabSize?: { readonly kind: 'spaces' | 'px'; readonly value: number } | undefined;
  /** Before each paragraph but the first, px. 0 on an arc. */
  readonly paragraphSpacing: number;
  /** Whose items its paragraphs are; `indent` is that of their lines, px. null: it is no list, such as on an arc. */
  readonly list: TextList | null;
  readonly lineBreak: 'auto' | 'loose' | 'normal' | 'strict';
  readonly wordBreak: 'normal' | 'break-all' | 'keep-all';
  /** Of a word that is wider than the line; `anywhere`: it is no wider than its widest cluster when sizes are found. */
  readonly overflowWrap: 'normal' | 'break-word' | 'anywhere';
  /** Of a table's cell: a number that is wider than the line is not broken, whatever `overflowWrap` is. Absent = it is. */
  readonly keepsNumbers?: true;
  readonly lineBackground: { readonly fill: Fill; readonly padding: Edges; readonly radii: Corners } | null;
  readonly maxLines: number | null;
  readonly overflow: 'visible' | 'clip' | 'ellipsis';
  /** The smallest size to which the largest span may shrink, px; null = never shrunk. */
  readonly autoFitMin: number | null;
  /** The largest size to which it may grow in a box of known width, px; null = never grown. */
  readonly autoFitMax: number | null;
}

export interface ImageNode extends NodeBase {
  readonly type: 'image';
  /** Key into `Resources.images`, from `needs`. */
  readonly image: string;
  readonly fit: 'cover' | 'contain' | 'fill' | 'none' | 'scale-down';
  /** Instead of `fit`, `zoom` and `focus`; absent = it is there once. */
  readonly tiles?: Tiles | undefined;
  /** Multiplies the size that `fit` gives; at least 1. */
  readonly zoom: number;
  /** A point as fractions of the image, or `auto`: the resource's own `focus`. */
  readonly focus: Point | 'auto';
  /** How far it is moved in its box after that, px. */
  readonly shift?: Point | undefined;
  /** Scaled to the nearest pixel, not smoothly. */
  readonly isPixelated: boolean;
  /** Whether it is one of a page, where a drawing that states its proportions alone is as wide as its block, and fits as it says. */
  readonly isReplaced?: true | undefined;
  readonly radii: Corners;
  readonly border: Border | null;
  /** Instead of `border`, which is then null, where sides differ. */
  readonly sideBorders: Sides<Border | null> | null;
}

export interface ShapeNode extends NodeBase {
  readonly type: 'shape';
  readonly outline: Outline;
  readonly fill: Fill | null;
  readonly fillRule: FillRule;
  readonly stroke: {
    readonly fill: Fill;
    readonly width: number;
    readonly dash: readonly number[];
    readonly cap: 'butt' | 'round' | 'square';
    readonly join: 'miter' | 'round' | 'bevel';
  } | null;
}

/** How a chart writes its numbers. */
export interface NumberStyle {
  readonly format: Exclude<Format, { readonly type: 'date' | 'list' }> & { readonly notation?: 'standard' | 'compact' };
  /** BCP 47 */
  readonly language: string;
  /** ISO 4217, for a format of a currency that names none. */
  readonly currency: string | undefined;
}

/** An entry of a chart: its label, and a value for each series. */
export interface ChartEntry {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** null = one of the chart's. */
  readonly color: Color | null;
}

export interface ChartNode
  extends NodeBase,
    Pick<
      ChartLayer,
      | (
          | 'chart'
          | 'stacked'
          | 'horizontal'
          | 'smooth'
          | 'dots'
          | 'axes'
          | 'grid'
          | 'legend'
          | 'legendValues'
          | 'showValues'
        )
      | ('min' | 'max' | 'gap' | 'borderRadius' | 'innerRadius' | 'strokeWidth')
    > {
  readonly type: 'chart';
  readonly entries: readonly ChartEntry[];
  /** Their names; those beyond have none. */
  readonly series: readonly string[];
  /** At least one; used in turn. */
  readonly colors: readonly Color[];
  readonly track: Color | null;
  /** Of labels. */
  readonly color: Color;
  readonly style: CharacterStyle;
  readonly numbers: NumberStyle;
  /** From which side entries, numbers and the legend begin; `auto`: from that of the language of its numbers. */
  readonly direction: 'auto' | 'ltr' | 'rtl';
}

/** Modules of a two-dimensional code, or bars of a one-dimensional one (then one row tall). */
export interface CodeModules {
  readonly columns: number;
  readonly rows: number;
  /** Row by row, `rows × columns`; true = dark. Includes the quiet zone. */
  readonly dark: readonly boolean[];
}

/** Where the digits of a barcode stand, in modules from its first bar. */
export interface DigitPlaces {
  /** Modules without the quiet zone. */
  readonly columns: number;
  /** Bars that go on down between the digits: from the first module to before the last. */
  readonly guards: readonly (readonly [number, number])[];
  /** Below the bars. */
  readonly inner: readonly DigitGroup[];
  /** In the quiet zone, `outerSize` times as large. */
  readonly outer: readonly DigitGroup[];
  readonly outerSize: number;
}

/** Digits in the middle between two modules. */
export interface DigitGroup {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface CodeNode extends NodeBase {
  readonly type: 'code';
  /** The key of its modules in Resources. */
  readonly code: string;
  /** True for codes whose modules must stay square; bars stretch to the box. */
  readonly square: boolean;
  readonly fill: Fill;
  readonly background: Fill | null;
  /** The value as text under the bars; null = not printed. */
  readonly caption: TextSpan | null;
  /** Of the caption's digits; null = it is in the middle. */
  readonly digits: DigitPlaces | null;
}

/** A cell of a table. */
export interface TableCell {
  /** Its style, as a text of one empty span: what it shows differs from row to row. */
  readonly text: TextNode;
  /** `left` is its start, as of the borders: the right in a table from right to left. */
  readonly padding: Edges;
  readonly background: Fill | null;
  /** Its own borders, before they collapse; null = none. */
  readonly borders: Sides<Border | null> | null;
  /** Columns, from `column` on. */
  readonly column: number;
  readonly span: number;
  /** Lines of its row, from `line` on. */
  readonly line: number;
  readonly lineSpan: number;
  /** Repeated from the end of its text to its end; null = nothing is. */
  readonly leader: string | null;
  /** The total of an e-invoice that it shows; null = none. */
  readonly total: string | null;
  /** After its text, where the header of a group is shown again; null = nothing. */
  readonly continued: string | null;
  /**
   * What its text in a row stands for, where that is no plain text. `spans`: the texts of these, one after the other, each
   * with the address of its link if that is a value, between separators. `markdown`: marked words, of this style. `image`
   * and `code`: the key of a picture, or the value of a code, in a node of this kind.
   */
  readonly content:
    | { readonly kind: 'spans'; readonly spans: readonly CellSpan[] }
    | { readonly kind: 'markdown'; readonly style: Pick<TextLayer, CharacterProperty> }
    | {
        readonly kind: 'image';
        readonly node: ImageNode;
        readonly width: number | null;
        readonly height: number | null;
      }
    | {
        readonly kind: 'code';
        readonly node: CodeNode;
        readonly need: Omit<CodeNeed, 'key' | 'value'>;
        readonly size: Size;
      }
    | null;
  /** The decimal sign at which the texts of its column are aligned; null = they are not. */
  readonly decimal: string | null;
}

/** A span of a cell, whose text differs from row to row. */
interface CellSpan extends TextSpan {
  /** Whether its address does, too. */
  readonly isLinked: boolean;
}

/** A heading of a document, in a table of its contents. */
export interface ListedHeading {
  /** 1 to 6. */
  readonly level: number;
  readonly text: string;
}

export type TableRowKind = 'head' | 'group-head' | 'body' | 'group-foot' | 'foot';

/** A row of a header or footer, or an entry of the body with its lines, which stay together. */
export interface TableRow {
  readonly kind: TableRowKind;
  /** Line by line; rows alike have the same list. */
  readonly cells: readonly TableCell[];
  /** At least 1. */
  readonly lines: number;
  /** Of its cells, in their order. */
  readonly texts: readonly string[];
  readonly isStriped: boolean;
  /** Whether a page has to begin with it, or should not. */
  readonly before: 'auto' | 'page' | 'avoid';
  /** Whether a page should not end with it. */
  readonly after: 'auto' | 'avoid';
  /** The first row of its group; null = it is in none. */
  readonly group: number | null;
  /** Its number in the table, from 0. */
  readonly index: number;
  /** The heading that it lists, and which of its cells show the page of it, once that is known; null = none. */
  readonly lists: { readonly heading: ListedHeading; readonly cells: readonly number[] } | null;
}

/** What rows have in common that differ in their texts and places. */
export type RowLook = Omit<TableRow, 'texts' | 'index' | 'group'>;

/** Rows from top to bottom. Of a long table, a row that is read again is another object. */
export interface RowList extends List<TableRow> {
  /** Each once, in the order of the first rows that have them. */
  readonly looks: readonly RowLook[];
  /** That of a row costs less to read than the row with its texts. */
  look(index: number): RowLook | undefined;
  /** The first row of a row's group; null = it is in none. */
  group(index: number): number | null;
}

/** Rows that are on a page where the table goes on from it, or to it. */
export interface CarriedRow {
  readonly cells: readonly TableCell[];
  readonly lines: number;
  /** The texts of the cells for each row of the table that the next page may begin with; none = it is left out there. */
  readonly texts: List<readonly string[]>;
}

export type ColumnWidth = { readonly kind: 'px' | 'percent' | 'fr'; readonly value: number } | { readonly kind: 'hug' };

export interface TableNode extends NodeBase {
  readonly type: 'table';
  readonly columns: readonly ColumnWidth[];
  /** From top to bottom. */
  readonly rows: RowList;
  readonly carryHead: CarriedRow | null;
  readonly carryFoot: CarriedRow | null;
  /** Of rows that are striped. */
  readonly zebra: Fill | null;
  readonly rule: Border | null;
  readonly headRule: Border | null;
  readonly footRule: Border | null;
  readonly columnRule: Border | null;
  readonly border: Border | null;
  readonly radii: Corners;
  readonly background: Fill | null;
  /** Whether cells have borders: all borders collapse then (CSS 2.2, section 17.6.2). */
  readonly collapses: boolean;
  /** Whether the first column is at the right. */
  readonly isRtl: boolean;
  readonly hideWhenEmpty: boolean;
  readonly repeatsHead: boolean;
  readonly repeatsGroupHead: boolean;
  readonly repeatsFoot: boolean;
  readonly splitsRows: boolean;
  /**
   * What becomes of it where its words need more than its width: it is shrunk to a font size, px, or its columns are
   * divided, each part with so many of the first ones; null = nothing.
   */
  readonly wide: { readonly shrinkTo: number } | { readonly keyColumns: number } | null;
  /** Of a part of its columns; absent = it has all of them. */
  readonly part?: TablePart | undefined;
}

/** Some columns of a table. */
interface TablePart {
  /** From 1. */
  readonly number: number;
  /** The height that each row has in the part where it is highest, px. */
  readonly heights: Float64Array;
}

/** Blocks below each other, with margins that collapse, beside floats (CSS 2, 9.4.1). */
export interface BlockLayout {
  readonly type: 'block';
  /** Whether it is a formatting context of its own: margins and floats stay in it. */
  readonly isRoot: boolean;
  /** Whether it is the box around a table and its captions, which is as wide as the table. */
  readonly isCaptioned?: true | undefined;
  /** Of a row of columns, which its one child is divided into. */
  readonly columns?: Columns | undefined;
}

/** Columns beside each other (CSS Multi-column Layout 1). */
export interface Columns {
  /** null = as many as have room. */
  readonly count: number | null;
  /** The least of each, px; null = what the count leaves. */
  readonly width: number | null;
  readonly gap: Length;
  readonly rule: Border | null;
  /** Whether they are to be equally high; else one is filled after another. */
  readonly isBalanced: boolean;
}

/** Rows of cells as html has them (CSS 2, 17): its children are rows, and theirs are cells. */
export interface CellsLayout {
  readonly type: 'cells';
  /** By their `<col>`. */
  readonly columns: readonly (Length | null)[];
  readonly isFixed: boolean;
  /** Between cells and at the edges, px. */
  readonly spacing: Size;
}

/** A row of such a table. */
export interface RowLayout {
  readonly type: 'row';
  /** Where the content of its cells stands. */
  readonly cells: readonly {
    readonly column: number;
    readonly span: number;
    readonly rowSpan: number;
    readonly align: 'top' | 'middle' | 'bottom' | 'baseline';
  }[];
}

/** CSS flexbox. */
export interface FlexLayout {
  readonly type: 'flex';
  readonly direction: 'row' | 'column' | 'row-reverse' | 'column-reverse';
  readonly wrap: 'nowrap' | 'wrap' | 'wrap-reverse';
  readonly rowGap: number;
  readonly columnGap: number;
  /** Instead of those; null = both are px. */
  readonly percentGaps: PercentGaps | null;
  readonly justify: Exclude<ContentAlignment, 'stretch'>;
  readonly align: SafeAlignment | 'stretch' | 'baseline';
  readonly alignContent: ContentAlignment;
}

/** How lines, or the tracks of a grid, lie in a frame that they do not fill. */
export type ContentAlignment = SafeAlignment | 'stretch' | 'space-between' | 'space-around' | 'space-evenly';
/** `safe`: at the start if there is too little space. */
type SafeAlignment = 'start' | 'center' | 'end' | 'safe center' | 'safe end';

/** CSS grid. */
export interface GridLayout {
  readonly type: 'grid';
  /** At most one of them is a repeat. */
  readonly columns: readonly (GridTrack | TrackRepeat)[];
  readonly rows: readonly (GridTrack | TrackRepeat)[];
  /** Columns beyond the explicit ones, in turn; null = there are none, and children are cut to the explicit ones. */
  readonly autoColumns: readonly GridTrack[] | null;
  /** Rows beyond the explicit ones, in turn; at least one. */
  readonly autoRows: readonly GridTrack[];
  readonly flow: 'row' | 'column';
  /** Whether later children fill earlier holes. */
  readonly dense: boolean;
  /** null = none; `columns` and `rows` count those that the areas define. */
  readonly areas: {
    readonly columns: number;
    readonly rows: number;
    readonly named: Readonly<Record<string, NamedArea>>;
  } | null;
  readonly rowGap: number;
  readonly columnGap: number;
  /** Instead of those; null = both are px. */
  readonly percentGaps: PercentGaps | null;
  readonly justifyContent: ContentAlignment;
  readonly alignContent: ContentAlignment;
  readonly justifyItems: SafeAlignment | 'stretch';
  readonly align: SafeAlignment | 'stretch' | 'baseline';
}

export interface FrameNode extends NodeBase {
  readonly type: 'frame';
  /** null: children are absolutely placed. */
  readonly layout: FlexLayout | GridLayout | BlockLayout | CellsLayout | RowLayout | null;
  /** CSS `direction`: the side on which rows begin and to which `start` aligns. */
  readonly direction: 'ltr' | 'rtl';
  /** Whether it disappears, with its padding, when it has no children to show. */
  readonly hideWhenEmpty: boolean;
  readonly padding: Edges;
  readonly clip: boolean;
  readonly background: Fill | null;
  /** Of its background; absent = it is as large as the box. */
  readonly tiles?: Tiles | undefined;
  readonly border: Border | null;
  /** Instead of `border`, which is then null, where sides differ. */
  readonly sideBorders: Sides<Border | null> | null;
  /** Of html: what is seen in the place of its border, as wide as that. */
  readonly borderImage?: BorderImage | undefined;
  readonly radii: Corners;
  /** Along its edges, in front of its background: the borders of a table's cell that are drawn once with those beside it. */
  readonly lines?: Sides<EdgeLine | null> | undefined;
  /** Of a row of a long table of html, instead of children; absent = it has children. */
  readonly packed?: PackedCells | undefined;
  readonly children: readonly SceneNode[];
}

/** A gradient over the border box, of which the parts between slices are stretched (CSS Backgrounds 3, 5). */
export interface BorderImage {
  readonly fill: Fill;
  readonly slices: Sides<Length>;
}

/** The cells of a row, which layout makes when it needs them: nodes take thirty times the memory. */
export interface PackedCells {
  /** Of each cell, all but names and words: rows share it. */
  readonly forms: readonly { readonly frame: FrameNode; readonly text: TextNode | null }[];
  /** Of each cell its name, that of its text, and its words, each ended by U+0000. */
  readonly words: string;
}

/** A line of whole px, half of it outside of the edge of a box. */
export interface EdgeLine extends Border {
  /** How much longer than its side it is at the left or top, and at the right or bottom, px; negative = shorter. */
  readonly before: number;
  readonly after: number;
}

export type LeafNode = TextNode | ImageNode | ShapeNode | ChartNode | CodeNode | TableNode;
export type SceneNode = LeafNode | FrameNode;

/** Faces for a style and the text that they must cover. */
export interface FontNeed {
  readonly query: FontQuery;
  /** All text in the style, in no particular order. */
  readonly text: string;
  /** A layer that uses the style, for messages. */
  readonly layer: string;
}

export interface ImageNeed {
  /** `ImageNode.image`. Equal needs share one key. */
  readonly key: string;
  /** Tried in order: the source, then its fallback. */
  readonly sources: readonly string[];
  /** The layer, for messages. */
  readonly layer: string;
  /** Of a source that is a PDF; absent = the first. */
  readonly page?: number | undefined;
  /** True: leave the layer out rather than fail. */
  readonly optional: boolean;
  /** How to find the point of interest, or null; `aspect` is the layer's width / height, null if it is not known. */
  readonly focus: { readonly by: 'attention' | 'entropy'; readonly aspect: number | null } | null;
}

/** A value to encode as a QR code or barcode (encode-code.ts). */
export interface CodeNeed {
  /** `CodeNode.code`. Equal codes share one key, in every scene. */
  readonly key: string;
  readonly format: 'qr' | BarcodeLayer['format'];
  readonly value: string;
  /** Of a QR code; null for other formats. */
  readonly errorCorrection: QrLayer['errorCorrection'] | null;
  /** Modules of margin; null = what the format prescribes. */
  readonly quietZone: number | null;
  /** Where the value stands, for errors. */
  readonly path: string;
}

/** The resources that must be loaded before layout: the only thing that a scene leaves open. */
export interface Needs {
  readonly fonts: readonly FontNeed[];
  readonly images: readonly ImageNeed[];
  /** Language tags whose hyphenation patterns are needed, each once. */
  readonly hyphenation: readonly string[];
  readonly codes: readonly CodeNeed[];
  /** Whether there are charts. */
  readonly charts?: true;
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly background: Fill | null;
  /** What is painted on whole px, as browsers do it: boxes, or the baselines of text too. Absent = nothing. */
  readonly snaps?: 'boxes' | 'all' | undefined;
  readonly nodes: readonly SceneNode[];
  /** Of a document; the scene's size is then exactly that of its sheets. null = the scene is one picture. */
  readonly page: Page | null;
  /** How many times larger its sheets are than those that it is printed on; absent = 1. */
  readonly oversize?: number | undefined;
  /** Of html on paper: the same on larger sheets. */
  readonly onLarger?: ((oversize: number) => Scene) | undefined;
  readonly needs: Needs;
  /** The metadata of a PDF; absent = none. */
  readonly document?: DocumentProperties | undefined;
  readonly diagnostics: readonly Diagnostic[];
}
