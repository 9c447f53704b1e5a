// The layers of a template: one schema a type, the common properties spread into each.
//
// Parsing fills in every default, and what comes out parses again to itself: a merged modification relies on it.
// Property names are CSS's in camelCase wherever CSS has one; lengths are canvas px.

import { z } from 'zod';
import { parsePathData } from '../path-data.ts';
import {
  Blend,
  Border,
  ColorString,
  Coordinate,
  CornerRadii,
  Dimension,
  EdgeLengths,
  Fill,
  Filters,
  Href,
  MAX_BLUR,
  MAX_FONT_SIZE,
  NonNegative,
  Shadows,
} from './style.ts';

/** Names that a signed URL's query keeps for itself (spec: signed render URL). */
export const RESERVED_NAMES: readonly string[] = ['sig', 'scale', 'q'];

/** Longest text of one layer, in UTF-16 code units. */
export const MAX_TEXT_LENGTH = 100_000;
/** The most columns, and the most rows, that a grid may name. */
const MAX_TRACKS = 100;
/** Longest image source: a `data:` URI of 15 MiB, base64. */
const MAX_SOURCE_LENGTH = 21_000_000;

export const LayerName = z
  .string()
  .min(1, 'must not be empty')
  .max(100, 'must be at most 100 characters')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not hold control characters')
  .refine(
    (name) => !RESERVED_NAMES.includes(name),
    'is reserved: "sig", "scale" and "q" are parameters of signed URLs',
  );

const Point = z.tuple([Coordinate, Coordinate]);
const PathString = z
  .string()
  .max(20_000)
  .superRefine((d, context) => {
    const parsed = parsePathData(d);
    if ('at' in parsed) context.addIssue(`is not SVG path data from character ${parsed.at + 1} on`);
  });

/** An outline by name: what `shape` layers draw and `mask` cuts to. */
const OutlineShape = {
  shape: z.enum(['rect', 'ellipse', 'line', 'polygon', 'star', 'path']).default('rect'),
  borderRadius: CornerRadii.default(0),
  points: z
    .union([z.array(Point).min(2).max(1000), z.int().min(3).max(100)])
    .nullable()
    .default(null)
    .meta({
      description:
        'polygon: its corners as [x, y] in px within the box, or how many sides a regular one has (default 6). star: how many tips (default 5). line: its ends (default: corner to corner of the box).',
    }),
  innerRadius: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .meta({ description: 'star: the inner radius as a fraction of the outer.' }),
  d: PathString.nullable()
    .default(null)
    .meta({ description: 'path: SVG path data, in px within the box or in `viewBox`.' }),
  viewBox: z
    .tuple([Coordinate, Coordinate, NonNegative, NonNegative])
    .nullable()
    .default(null)
    .meta({ description: 'path: the rectangle of `d` that is stretched over the box.' }),
};

export const Mask = z
  .strictObject(OutlineShape)
  .meta({ id: 'Mask', description: 'Cuts the layer to an outline over its box.' });

/** A line or a number of tracks of a grid. */
const GridLine = z.int().min(1).max(MAX_TRACKS);

const common = {
  name: LayerName.meta({ description: 'Unique in the template; the API parameter of this layer.' }),
  x: Coordinate.default(0).meta({
    description: 'From the left edge of the canvas or of the frame; ignored for a child that its frame lays out.',
  }),
  y: Coordinate.default(0),
  rotation: z.number().min(-36_000).max(36_000).default(0).meta({ description: 'Degrees clockwise about the centre.' }),
  opacity: z.number().min(0).max(1).default(1),
  visible: z.boolean().default(true),
  blendMode: Blend.default('normal'),
  shadow: Shadows.nullable()
    .default(null)
    .meta({ description: 'CSS box-shadow of boxes and shapes, drop-shadow of text and images.' }),
  blur: z
    .number()
    .min(0)
    .max(MAX_BLUR)
    .default(0)
    .meta({ description: 'Blurs the whole layer; standard deviation, px.' }),
  mask: Mask.nullable().default(null),
  link: Href.nullable().default(null).meta({ description: 'A hyperlink over the layer, in PDF.' }),
  position: z
    .enum(['static', 'absolute'])
    .default('static')
    .meta({ description: 'absolute: taken out of its frame’s flow and placed by x and y.' }),
  minWidth: NonNegative.nullable().default(null),
  maxWidth: NonNegative.nullable().default(null),
  minHeight: NonNegative.nullable().default(null),
  maxHeight: NonNegative.nullable().default(null),
  aspectRatio: z.number().min(0.001).max(1000).nullable().default(null).meta({ description: 'width / height' }),
  flexGrow: z.number().min(0).max(1000).default(0),
  flexShrink: z
    .number()
    .min(0)
    .max(1000)
    .nullable()
    .default(null)
    .meta({ description: 'CSS; null = 1 for text and for frames that hug their width, 0 for all else.' }),
  flexBasis: Dimension.nullable().default(null),
  alignSelf: z.enum(['auto', 'start', 'center', 'end', 'stretch', 'baseline']).default('auto'),
  justifySelf: z
    .enum(['auto', 'start', 'center', 'end', 'stretch'])
    .default('auto')
    .meta({ description: 'Within its columns of a grid.' }),
  gridColumn: GridLine.nullable()
    .default(null)
    .meta({ description: 'The first column, from 1; null = the next free.' }),
  gridRow: GridLine.nullable().default(null),
  columnSpan: GridLine.default(1).meta({ description: 'How many columns of a grid it takes.' }),
  rowSpan: GridLine.default(1),
  margin: EdgeLengths.default(0),
};

const HideWhenEmpty = z.boolean().default(false);

const size = (initial: 'hug' | number) => ({
  width: Dimension.default(initial),
  height: Dimension.default(initial),
});

const FamilyName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9 _-]+$/, 'may hold letters, digits, space, "-" and "_"');

const DECORATION_LINES = ['underline', 'line-through', 'overline'] as const;

/** What a span may say for itself; the layer says it for all. */
const characterStyle = {
  fontFamily: z.union([FamilyName, z.array(FamilyName).min(1).max(8)], 'must be a family name or a list of at most 8'),
  fontWeight: z.int().min(1).max(1000),
  fontStyle: z.enum(['normal', 'italic']),
  fontSize: z.number().min(1).max(MAX_FONT_SIZE),
  lineHeight: z
    .number()
    .min(0)
    .max(10)
    .meta({ description: 'A multiple of the font size; no line is lower than the layer’s own asks for.' }),
  letterSpacing: z.number().min(-200).max(1000).meta({ description: 'px' }),
  wordSpacing: z.number().min(-200).max(1000).meta({ description: 'px, added to each space' }),
  textTransform: z.enum(['none', 'uppercase', 'lowercase', 'capitalize']),
  textDecoration: z.union(
    [z.enum(['none', ...DECORATION_LINES]), z.array(z.enum(DECORATION_LINES)).max(3)],
    'must be "none", "underline", "line-through", "overline" or a list of these',
  ),
  textDecorationColor: Fill.nullable().meta({ description: 'null = as the letters are filled.' }),
  textDecorationThickness: NonNegative.max(200).nullable().meta({ description: 'px; null = as the font says.' }),
  fontVariantPosition: z.enum(['normal', 'super', 'sub']).meta({
    description:
      'Superscript or subscript, scaled and shifted by the font’s own metrics; the line keeps its height. For the glyphs that a font draws for it: `fontFeatures` {"sups": 1} or {"subs": 1}.',
  }),
  fontFeatures: z
    .record(z.string().regex(/^[ -~]{4}$/), z.int().min(0).max(65_535))
    .meta({ description: 'OpenType features, tag → value: {"tnum": 1}.' }),
  fontVariations: z
    .record(z.string().regex(/^[ -~]{4}$/), z.number().min(-10_000).max(10_000))
    .meta({ description: 'Axes of a variable font.' }),
  color: Fill,
  stroke: Fill.nullable().meta({ description: 'Outlines the letters, under their fill.' }),
  strokeWidth: NonNegative.max(200),
  lang: z
    .string()
    .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/)
    .nullable()
    .meta({ description: 'BCP 47: local forms, case rules, line breaks.' }),
};

const Source = z.string().max(MAX_SOURCE_LENGTH);

const InlineImage = z
  .strictObject({
    src: Source.meta({ description: 'As of an image layer.' }),
    fallback: Source.nullable().default(null),
    optional: z.boolean().default(false).meta({ description: 'Left out, with a warning, when it cannot be loaded.' }),
    width: NonNegative.nullable().default(null).meta({ description: 'px; null = by the picture’s proportions.' }),
    height: NonNegative.nullable()
      .default(null)
      .meta({ description: 'px; null = by the picture’s proportions, or else as high as the font size.' }),
    verticalAlign: z.enum(['baseline', 'middle']).default('baseline').meta({ description: 'CSS vertical-align.' }),
  })
  .meta({ id: 'InlineImage', description: 'A picture in a line of text; `autoFit` shrinks it with the words.' });
export type InlineImage = z.infer<typeof InlineImage>;

const SpanStyle = z.strictObject(characterStyle).partial();
export const Span = z
  .strictObject({
    text: z.string().max(MAX_TEXT_LENGTH).default(''),
    image: InlineImage.nullable().optional().meta({ description: 'A picture instead of `text`.' }),
    ...SpanStyle.shape,
    link: Href.nullable().optional(),
  })
  .meta({ id: 'Span', description: 'A run of text with its own style; what it leaves out is the layer’s.' });

const LineBackground = z.strictObject({
  color: Fill,
  padding: EdgeLengths.default(0),
  borderRadius: CornerRadii.default(0),
});

export const TextLayer = z
  .strictObject({
    ...common,
    type: z.literal('text'),
    ...size('hug'),
    text: z.string().max(MAX_TEXT_LENGTH).default(''),
    spans: z
      .array(Span)
      .max(500)
      .nullable()
      .default(null)
      .meta({ description: 'Instead of `text`; setting `text` removes them.' }),
    markup: z.enum(['none', 'markdown']).default('none').meta({
      description:
        'markdown: `text` (not `spans`) is read as inline CommonMark: **strong**, *emphasis*, `code`, [link](https://…), \\escapes, and ~~strikethrough~~; and [words]{color=red}, as Pandoc has spans.',
    }),
    fontFamily: characterStyle.fontFamily.default('Inter'),
    fontWeight: characterStyle.fontWeight.default(400),
    fontStyle: characterStyle.fontStyle.default('normal'),
    fontSize: characterStyle.fontSize.default(16),
    lineHeight: characterStyle.lineHeight.default(1.2),
    letterSpacing: characterStyle.letterSpacing.default(0),
    wordSpacing: characterStyle.wordSpacing.default(0),
    textTransform: characterStyle.textTransform.default('none'),
    textDecoration: characterStyle.textDecoration.default('none'),
    textDecorationColor: characterStyle.textDecorationColor.default(null),
    textDecorationThickness: characterStyle.textDecorationThickness.default(null),
    fontVariantPosition: characterStyle.fontVariantPosition.default('normal'),
    fontFeatures: characterStyle.fontFeatures.default({}),
    fontVariations: characterStyle.fontVariations.default({}),
    color: characterStyle.color.default('#000000'),
    stroke: characterStyle.stroke.default(null),
    strokeWidth: characterStyle.strokeWidth.default(1),
    lang: characterStyle.lang.default(null),
    align: z.enum(['start', 'end', 'left', 'right', 'center', 'justify']).default('start'),
    verticalAlign: z.enum(['top', 'middle', 'bottom']).default('top'),
    direction: z.enum(['auto', 'ltr', 'rtl']).default('auto'),
    writingMode: z.enum(['horizontal-tb', 'vertical-rl', 'vertical-lr']).default('horizontal-tb').meta({
      description:
        'CSS writing-mode. In vertical text `align` is along the lines, from the top, and `verticalAlign` across them: `top` is where the first line stands, the right of vertical-rl. A text on a `textPath` is never vertical.',
    }),
    textOrientation: z.enum(['mixed', 'upright', 'sideways']).default('mixed').meta({
      description:
        'CSS text-orientation, of vertical lines. mixed: Han, kana, Hangul and emoji stand upright, other letters are turned. upright: all stand. sideways: all are turned.',
    }),
    textPath: z
      .strictObject({
        type: z.literal('arc'),
        radius: NonNegative.min(1).meta({ description: 'px, of the first line’s baseline.' }),
        angle: z.number().min(-3600).max(3600).default(0).meta({
          description: 'Where `align` has its place: degrees clockwise from the top; inside, from the bottom.',
        }),
        side: z
          .enum(['outside', 'inside'])
          .default('outside')
          .meta({ description: 'outside: heads outwards. inside: heads towards the centre.' }),
      })
      .nullable()
      .default(null)
      .meta({
        description: 'Sets the text on a circle about the middle of its box, which hugs the circle. Lines do not wrap.',
      }),
    textWrap: z.enum(['wrap', 'balance', 'pretty']).default('wrap').meta({
      description:
        'balance: the lines of a paragraph (of up to 50) about as long as one another. pretty: no single word on the last line. Never more lines than `wrap` makes.',
    }),
    hyphens: z.enum(['none', 'manual', 'auto']).default('manual').meta({
      description:
        'manual: a line may end at a soft hyphen (U+00AD), which is then shown. auto: also where the patterns of `lang` allow it.',
    }),
    background: z
      .union([ColorString, LineBackground])
      .nullable()
      .default(null)
      .meta({ description: 'Behind each line of text.' }),
    maxLines: z.int().min(1).max(10_000).nullable().default(null),
    overflow: z.enum(['visible', 'clip', 'ellipsis']).default('visible').meta({
      description:
        'What becomes of text beyond `maxLines` or a fixed height; of vertical text, a fixed width. An ellipsis has the layer’s own style, whatever the spans before it.',
    }),
    hideWhenEmpty: HideWhenEmpty.meta({ description: 'Takes no room when its text is empty or all white space.' }),
    autoFit: z
      .strictObject({ min: z.number().min(1).max(MAX_FONT_SIZE).default(8) })
      .nullable()
      .default(null)
      .meta({ description: 'Shrinks the font until the text fits its box and `maxLines`, down to `min`.' }),
  })
  .meta({ id: 'TextLayer' });

export const ImageLayer = z
  .strictObject({
    ...common,
    type: z.literal('image'),
    ...size('hug'),
    src: Source.default('').meta({ description: 'An http:, https: or data: URL, or the id of an uploaded image.' }),
    fallback: Source.nullable().default(null).meta({ description: 'Tried when `src` cannot be loaded.' }),
    optional: z.boolean().default(false).meta({ description: 'Left out, with a warning, when it cannot be loaded.' }),
    fit: z
      .enum(['cover', 'contain', 'fill', 'none', 'scale-down'])
      .default('cover')
      .meta({ description: 'CSS object-fit.' }),
    focus: z
      .union([
        z.strictObject({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) }),
        z.enum(['attention', 'entropy']),
      ])
      .default({ x: 0.5, y: 0.5 })
      .meta({
        description: 'What `cover` keeps and where `contain` rests: a point (0 to 1), or found in the picture.',
      }),
    borderRadius: CornerRadii.default(0),
    border: Border.nullable().default(null),
    filters: Filters.nullable().default(null),
  })
  .meta({ id: 'ImageLayer' });

export const ShapeLayer = z
  .strictObject({
    ...common,
    type: z.literal('shape'),
    ...size(100),
    ...OutlineShape,
    fill: Fill.nullable().default('#000000').meta({ description: 'null = not filled; a line is only stroked.' }),
    fillRule: z.enum(['nonzero', 'evenodd']).default('nonzero'),
    stroke: Fill.nullable().default(null),
    strokeWidth: NonNegative.max(1000).default(1),
    strokeDash: z.array(NonNegative).max(16).default([]),
    strokeCap: z.enum(['butt', 'round', 'square']).default('butt'),
    strokeJoin: z.enum(['miter', 'round', 'bevel']).default('miter'),
  })
  .meta({ id: 'ShapeLayer' });

export const QrLayer = z
  .strictObject({
    ...common,
    type: z.literal('qr'),
    ...size(100),
    value: z.string().min(1).max(2_900).default('https://example.com'),
    color: Fill.default('#000000'),
    background: Fill.nullable().default('#ffffff'),
    errorCorrection: z.enum(['L', 'M', 'Q', 'H']).default('M'),
    quietZone: z.int().min(0).max(20).default(4).meta({ description: 'Modules of margin; ISO/IEC 18004 asks for 4.' }),
  })
  .meta({ id: 'QrLayer' });

export const BARCODE_FORMATS = [
  'code128',
  'code39',
  'ean13',
  'ean8',
  'upca',
  'upce',
  'itf14',
  'gs1-128',
  'datamatrix',
  'pdf417',
  'azteccode',
] as const;

export const BarcodeLayer = z
  .strictObject({
    ...common,
    type: z.literal('barcode'),
    width: Dimension.default(200),
    height: Dimension.default(80),
    value: z.string().min(1).max(1_000).default('0'),
    format: z.enum(BARCODE_FORMATS).default('code128'),
    color: Fill.default('#000000'),
    background: Fill.nullable().default('#ffffff'),
    quietZone: z
      .int()
      .min(0)
      .max(50)
      .nullable()
      .default(null)
      .meta({ description: 'Modules of margin; null = what the symbology asks for.' }),
    showText: z.boolean().default(false).meta({ description: 'Prints the value under the bars.' }),
  })
  .meta({ id: 'BarcodeLayer' });

const Gap = z.union(
  [NonNegative, z.tuple([NonNegative, NonNegative])],
  'must be a number, or two: [row gap, column gap]',
);

const FlexLayout = z
  .strictObject({
    type: z.literal('flex').default('flex'),
    direction: z.enum(['row', 'column', 'row-reverse', 'column-reverse']).default('column'),
    wrap: z.enum(['nowrap', 'wrap', 'wrap-reverse']).default('nowrap'),
    gap: Gap.default(0),
    justify: z.enum(['start', 'center', 'end', 'space-between', 'space-around', 'space-evenly']).default('start'),
    align: z.enum(['start', 'center', 'end', 'stretch', 'baseline']).default('stretch'),
    alignContent: z
      .enum(['start', 'center', 'end', 'stretch', 'space-between', 'space-around', 'space-evenly'])
      .default('start'),
  })
  .meta({
    id: 'FlexLayout',
    description: 'CSS flexbox: flex-direction, flex-wrap, gap, justify-content, align-items, align-content.',
  });

const Track = z
  .union(
    [NonNegative, z.string().regex(/^(\d{1,4}(\.\d{1,4})?%|\d{1,3}(\.\d{1,4})?fr)$/), z.literal('hug')],
    'must be a length in px, a percentage such as "50%", a share such as "1fr", or "hug"',
  )
  .meta({ id: 'Track', description: 'Px, a percentage, a share of what is left (`1fr`), or `hug`: CSS `auto`.' });

const GridLayout = z
  .strictObject({
    type: z.literal('grid'),
    columns: z.array(Track).min(1).max(MAX_TRACKS).meta({ description: 'All the columns there are.' }),
    rows: z.array(Track).max(MAX_TRACKS).default([]).meta({ description: 'Rows beyond these hug.' }),
    gap: Gap.default(0),
    justifyItems: z.enum(['start', 'center', 'end', 'stretch']).default('stretch'),
    align: z.enum(['start', 'center', 'end', 'stretch']).default('stretch').meta({ description: 'CSS align-items.' }),
  })
  .meta({
    id: 'GridLayout',
    description:
      'CSS grid: children go to the cells that they name (`gridColumn`, `gridRow`, spans), the others to the next free ones, row by row.',
  });

const FrameLayout = z.discriminatedUnion('type', [FlexLayout, GridLayout], {
  error: (issue) => (issue.code === 'invalid_union' ? 'must have the type "flex" or "grid"' : undefined),
});

const FrameProperties = z.strictObject({
  ...common,
  type: z.literal('frame'),
  ...size('hug'),
  layout: FrameLayout.nullable()
    .default(null)
    .meta({ description: 'null = children are placed by their x and y, and an unsized frame fills its parent.' }),
  direction: z.enum(['ltr', 'rtl']).nullable().default(null).meta({
    description: 'CSS: rtl starts rows at the right and aligns columns there; null = as the frame around it.',
  }),
  padding: EdgeLengths.default(0),
  hideWhenEmpty: HideWhenEmpty.meta({ description: 'Disappears when everything in it is hidden or left out.' }),
  clip: z.boolean().default(false).meta({ description: 'Cuts children at the (rounded) padding box.' }),
  background: Fill.nullable().default(null),
  border: Border.nullable().default(null),
  borderRadius: CornerRadii.default(0),
});

/** Written out, because a schema that holds itself cannot infer its own type. */
export interface FrameLayer extends z.infer<typeof FrameProperties> {
  children: Layer[];
}

export const FrameLayer = z
  .strictObject({
    ...FrameProperties.shape,
    get children(): z.ZodType<Layer[]> {
      return z.array(Layer).max(2_000).default([]);
    },
  })
  .meta({ id: 'FrameLayer' });

export const Layer = z
  .discriminatedUnion('type', [TextLayer, ImageLayer, ShapeLayer, FrameLayer, QrLayer, BarcodeLayer], {
    error: (issue) =>
      issue.code === 'invalid_union' ? 'must be "text", "image", "shape", "frame", "qr" or "barcode"' : undefined,
  })
  .meta({ id: 'Layer' });

export type TextLayer = z.infer<typeof TextLayer>;
export type ImageLayer = z.infer<typeof ImageLayer>;
export type ShapeLayer = z.infer<typeof ShapeLayer>;
export type QrLayer = z.infer<typeof QrLayer>;
export type BarcodeLayer = z.infer<typeof BarcodeLayer>;
export type Layer = TextLayer | ImageLayer | ShapeLayer | FrameLayer | QrLayer | BarcodeLayer;
export type LayerType = Layer['type'];

/** The property that a string modification sets (product: modifications); a frame has none. */
export const PRIMARY_PROPERTY = {
  text: 'text',
  image: 'src',
  shape: 'fill',
  qr: 'value',
  barcode: 'value',
  frame: null,
} as const satisfies Record<LayerType, string | null>;

/** The schema of each type, for a merged modification and for the reference documentation. */
export const LAYER_SCHEMAS = {
  text: TextLayer,
  image: ImageLayer,
  shape: ShapeLayer,
  frame: FrameLayer,
  qr: QrLayer,
  barcode: BarcodeLayer,
} as const satisfies Record<LayerType, z.ZodObject>;
