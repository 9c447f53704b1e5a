// The schemas of a template's layers: one for each type, with the common properties spread into it.
//
// Parsing fills in every default, and parsing the result again returns the same: merged modifications rely on it.
// Property names are CSS's in camelCase wherever CSS has one; lengths are canvas px.

import { z } from 'zod';
import { ChartLayer } from './chart-layer.ts';
import { ValueSpan } from './format.ts';
import { isFixedTrack, MAX_TRACKS, parseAreas, parseTrack, parseTracks } from './grid-syntax.ts';
import {
  ALIGNED,
  Alt,
  BARCODE_FORMATS,
  common,
  HideWhenEmpty,
  ImageFit,
  OutlineShape,
  Source,
  size,
} from './layer-properties.ts';
import { pagedFrame } from './page.ts';
import { Repeat } from './repeat.ts';
import {
  Border,
  CornerRadii,
  Dimension,
  Fill,
  GapLength,
  LENGTHS,
  LineWidth,
  NonNegative,
  Padding,
  sideBorders,
} from './style.ts';
import { TableLayer } from './table-layer.ts';
import { TextLayer } from './text-layer.ts';

export const ImageLayer = z
  .strictObject({
    ...common,
    type: z.literal('image'),
    ...size('hug'),
    alt: Alt,
    src: Source.default('').meta({
      description:
        'An http:, https: or data: URL, `screenshot:` and the URL of a page, or the id of an uploaded image.',
    }),
    fallback: Source.nullable().default(null).meta({ description: 'Tried when `src` cannot be loaded.' }),
    optional: z.boolean().default(false).meta({ description: 'Left out, with a warning, when it cannot be loaded.' }),
    pdfPage: z.int().min(1).max(2_000).default(1).meta({
      description: 'Of a PDF: which page of it. Outputs that are no PDF show `fallback` instead.',
    }),
    fit: ImageFit.default('cover').meta({ description: 'CSS object-fit.' }),
    focus: z
      .union([
        z.strictObject({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) }),
        z.enum(['attention', 'entropy']),
      ])
      .default({ x: 0.5, y: 0.5 })
      .meta({
        description: 'What `cover` keeps and where `contain` rests: a point (0 to 1), or found in the picture.',
      }),
    zoom: z.number().min(1).max(20).default(1).meta({
      description:
        'How much larger than `fit` makes it the picture is drawn; the box cuts it, and `focus` decides where.',
    }),
    imageRendering: z.enum(['auto', 'pixelated']).default('auto').meta({
      description: 'CSS image-rendering: `pixelated` keeps the pixels of an enlarged picture hard, as pixel art wants.',
    }),
    borderRadius: CornerRadii.default(0),
    border: Border.nullable().default(null),
    ...sideBorders(),
  })
  .meta({ id: 'ImageLayer' });

export const ShapeLayer = z
  .strictObject({
    ...common,
    type: z.literal('shape'),
    ...size(100),
    alt: Alt,
    ...OutlineShape,
    fill: Fill.nullable().default('#000000').meta({ description: 'null = not filled; a line is only stroked.' }),
    fillRule: z.enum(['nonzero', 'evenodd']).default('nonzero'),
    stroke: Fill.nullable().default(null),
    strokeWidth: LineWidth.default(1),
    strokeDash: z.array(NonNegative).max(16).default([]),
    strokeCap: z.enum(['butt', 'round', 'square']).default('butt'),
    strokeJoin: z.enum(['miter', 'round', 'bevel']).default('miter'),
  })
  .meta({ id: 'ShapeLayer' });

/** What a code holds, made of texts and values. */
const CodeSpans = z.array(ValueSpan).min(1).max(100).nullable().default(null).meta({
  description:
    'Instead of `value`: texts and values, one after the other; setting `value` removes them. Numbers are written with a point, as machines read them: [{"text": "EUR"}, {"name": "total"}].',
});

export const QrLayer = z
  .strictObject({
    ...common,
    type: z.literal('qr'),
    ...size(100),
    alt: Alt.describe('Read instead of its value.'),
    value: z.string().min(1).max(2_900).default('https://example.com'),
    spans: CodeSpans,
    color: Fill.default('#000000'),
    background: Fill.nullable().default('#ffffff'),
    errorCorrection: z.enum(['L', 'M', 'Q', 'H']).default('M'),
    quietZone: z.int().min(0).max(20).default(4).meta({ description: 'Modules of margin; ISO/IEC 18004 asks for 4.' }),
  })
  .meta({ id: 'QrLayer' });

export const BarcodeLayer = z
  .strictObject({
    ...common,
    type: z.literal('barcode'),
    width: Dimension.default(200),
    height: Dimension.default(80),
    alt: Alt.describe('Read instead of its value.'),
    value: z.string().min(1).max(1_000).default('0'),
    spans: CodeSpans,
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
    showText: z.boolean().default(false).meta({
      description:
        'Prints the value under the bars, with its check digit; digits of EAN and UPC where GS1 places them.',
    }),
  })
  .meta({ id: 'BarcodeLayer' });

const Gap = z.union(
  [GapLength, z.tuple([GapLength, GapLength])],
  'must be a number or a percentage such as "5%", or two: [row gap, column gap]',
);

const CONTENT_ALIGNED = [...ALIGNED, 'stretch', 'space-between', 'space-around', 'space-evenly'] as const;

const FlexLayout = z
  .strictObject({
    type: z.literal('flex').default('flex'),
    direction: z.enum(['row', 'column', 'row-reverse', 'column-reverse']).default('column'),
    wrap: z.enum(['nowrap', 'wrap', 'wrap-reverse']).default('nowrap'),
    gap: Gap.default(0),
    justify: z.enum([...ALIGNED, 'space-between', 'space-around', 'space-evenly']).default('start'),
    align: z.enum([...ALIGNED, 'stretch', 'baseline']).default('stretch'),
    alignContent: z.enum(CONTENT_ALIGNED).default('start'),
  })
  .meta({
    id: 'FlexLayout',
    description: 'CSS flexbox: flex-direction, flex-wrap, gap, justify-content, align-items, align-content.',
  });

const TRACK_MESSAGE =
  'must be a length in px, a percentage such as "50%", a share such as "1fr", "hug", or CSS such as "minmax(120px, 1fr)"';

const Track = z
  .union(
    [
      NonNegative,
      z
        .string()
        .max(100)
        .refine((css) => parseTrack(css) !== null, { abort: true }),
    ],
    TRACK_MESSAGE,
  )
  .register(LENGTHS, { scale: 'tracks' })
  .meta({
    id: 'Track',
    description:
      'Px, a percentage, a share of what is left (`1fr`), `min-content`, `max-content`, `fit-content(200px)`, `minmax(120px, 1fr)`, or `hug`: CSS `auto`, as large as what lies in it; `hug` tracks share what no `fr` takes.',
  });

const Tracks = z
  .array(
    z
      .union(
        [
          NonNegative,
          z
            .string()
            .max(1000)
            .refine((css) => parseTracks(css) !== null, { abort: true }),
        ],
        TRACK_MESSAGE,
      )
      .register(LENGTHS, { scale: 'tracks' })
      .meta({
        id: 'Tracks',
        description:
          'A `Track`, or several: `repeat(3, 1fr)`; `repeat(auto-fill, minmax(120px, 1fr))`, as many as there is room for; `auto-fit`, the same without those that stay empty.',
      }),
  )
  .max(MAX_TRACKS)
  .superRefine((entries, context) => {
    const tracks = entries.flatMap((entry) => (typeof entry === 'number' ? [] : (parseTracks(entry) ?? [])));
    const counted = entries.filter((entry) => typeof entry === 'number').length + tracks.length;
    if (counted > MAX_TRACKS) context.addIssue(`must have at most ${MAX_TRACKS} tracks`);
    const repeats = tracks.filter((track) => track.kind === 'repeat');
    if (repeats.length > 1) context.addIssue('must have at most one auto-fill or auto-fit');
    if (repeats.length !== 1) return;
    const all = tracks.flatMap((track) => (track.kind === 'repeat' ? track.tracks : [track]));
    if (!all.every(isFixedTrack)) context.addIssue('must have tracks in px or percent beside auto-fill or auto-fit');
  });

export const GridLayout = z
  .strictObject({
    type: z.literal('grid'),
    columns: Tracks.default([]).meta({
      description: 'All the columns there are, unless `gridAutoColumns` or a flow by columns adds some.',
    }),
    rows: Tracks.default([]).meta({ description: 'Rows beyond these are as `gridAutoRows` says.' }),
    gridTemplateAreas: z
      .array(z.string().max(10_100))
      .min(1)
      .max(MAX_TRACKS)
      .superRefine((rows, context) => {
        const areas = parseAreas(rows);
        if (typeof areas === 'string') context.addIssue(areas);
      })
      .nullable()
      .default(null)
      .meta({ description: 'Names of cells, one text per row: ["head head", "side main"]; "." = no name.' }),
    gridAutoFlow: z.enum(['row', 'column', 'row dense', 'column dense']).default('row').meta({
      description: 'Whether the next free cell is looked for by rows or by columns; dense: earlier holes are filled.',
    }),
    gridAutoColumns: z
      .array(Track)
      .min(1)
      .max(MAX_TRACKS)
      .nullable()
      .default(null)
      .meta({ description: 'Sizes of the columns beyond `columns`, in turn.' }),
    gridAutoRows: z
      .array(Track)
      .min(1)
      .max(MAX_TRACKS)
      .nullable()
      .default(null)
      .meta({ description: 'Sizes of the rows beyond `rows`, in turn; null = they hug.' }),
    gap: Gap.default(0),
    justifyContent: z
      .enum(CONTENT_ALIGNED)
      .default('stretch')
      .meta({ description: 'Where the columns lie when they are narrower than the frame.' }),
    alignContent: z.enum(CONTENT_ALIGNED).default('stretch').meta({ description: 'The same for the rows.' }),
    justifyItems: z.enum([...ALIGNED, 'stretch']).default('stretch'),
    align: z
      .enum([...ALIGNED, 'stretch', 'baseline'])
      .default('stretch')
      .meta({ description: 'CSS align-items.' }),
  })
  .meta({
    id: 'GridLayout',
    description:
      'CSS grid: children go to the cells that they name (`gridColumn`, `gridRow`, spans, `gridArea`), the others to the next free ones.',
  });

const ContentsLayout = z.strictObject({ type: z.literal('contents') }).meta({
  id: 'ContentsLayout',
  description:
    'CSS display: contents. The frame has no box; its children are laid out as if they stood in its place in the frame around it.',
});

const FrameLayout = z.discriminatedUnion('type', [FlexLayout, GridLayout, ContentsLayout], {
  error: (issue) => (issue.code === 'invalid_union' ? 'must have the type "flex", "grid" or "contents"' : undefined),
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
  padding: Padding.default(0),
  repeat: Repeat,
  hideWhenEmpty: HideWhenEmpty.meta({ description: 'Disappears when everything in it is hidden or left out.' }),
  clip: z.boolean().default(false).meta({ description: 'Cuts children at the (rounded) padding box.' }),
  background: Fill.nullable().default(null),
  border: Border.nullable().default(null),
  ...sideBorders(),
  borderRadius: CornerRadii.default(0),
  shadowType: z.enum(['box', 'drop']).default('box').meta({
    description:
      'box: `shadow` is CSS box-shadow, of the box. drop: CSS drop-shadow, of all that the frame paints; shadows with `inset` stay those of the box, and `spread` counts for nothing.',
  }),
  ...pagedFrame,
});

/** Written out, because a recursive schema cannot infer its own type. */
export interface FrameLayer extends z.infer<typeof FrameProperties> {
  children: Layer[];
}

export const FrameLayer = z
  .strictObject({
    ...FrameProperties.shape,
    get children(): z.ZodType<Layer[], readonly LayerDocument[] | undefined> {
      return z.array(Layer).max(2_000).default([]);
    },
  })
  .meta({ id: 'FrameLayer' });

// Named types here and below: declarations would write all of them out.
export const Layer: z.ZodType<Layer, LayerDocument> = z
  .discriminatedUnion('type', [
    TextLayer,
    ImageLayer,
    ShapeLayer,
    FrameLayer,
    TableLayer,
    ChartLayer,
    QrLayer,
    BarcodeLayer,
  ])
  .meta({ id: 'Layer' });

export type ImageLayer = z.infer<typeof ImageLayer>;
export type ShapeLayer = z.infer<typeof ShapeLayer>;
export type QrLayer = z.infer<typeof QrLayer>;
export type BarcodeLayer = z.infer<typeof BarcodeLayer>;
export type Layer = TextLayer | ImageLayer | ShapeLayer | FrameLayer | TableLayer | ChartLayer | QrLayer | BarcodeLayer;
export type LayerType = Layer['type'];

/** What callers write: nothing of it is changed. */
export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
type Written<S extends z.ZodType> = DeepReadonly<z.input<S>>;

// Interfaces, so that compilers name them in messages instead of listing their properties.
export interface TextDocument extends Written<typeof TextLayer> {}
interface ImageDocument extends Written<typeof ImageLayer> {}
interface ShapeDocument extends Written<typeof ShapeLayer> {}
export interface TableDocument extends Written<typeof TableLayer> {}
export interface ChartDocument extends Written<typeof ChartLayer> {}
interface QrDocument extends Written<typeof QrLayer> {}
interface BarcodeDocument extends Written<typeof BarcodeLayer> {}
interface FrameDocument extends Written<typeof FrameProperties> {
  readonly children?: readonly LayerDocument[] | undefined;
}
/** A layer as callers write it: what has a default may be left out. */
export type LayerDocument =
  | TextDocument
  | ImageDocument
  | ShapeDocument
  | FrameDocument
  | TableDocument
  | ChartDocument
  | QrDocument
  | BarcodeDocument;

/** The schema of each type, for a merged modification and for the reference documentation. */
export const LAYER_SCHEMAS: {
  readonly text: typeof TextLayer;
  readonly image: typeof ImageLayer;
  readonly shape: typeof ShapeLayer;
  readonly frame: typeof FrameLayer;
  readonly table: typeof TableLayer;
  readonly chart: typeof ChartLayer;
  readonly qr: typeof QrLayer;
  readonly barcode: typeof BarcodeLayer;
} = {
  text: TextLayer,
  image: ImageLayer,
  shape: ShapeLayer,
  frame: FrameLayer,
  table: TableLayer,
  chart: ChartLayer,
  qr: QrLayer,
  barcode: BarcodeLayer,
} as const satisfies Record<LayerType, z.ZodObject>;
