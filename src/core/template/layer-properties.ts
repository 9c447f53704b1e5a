// The properties of layers of every type, and schemas that several types share.
//
// They are spread into the schema of each type, so that a stored layer is flat.

import { z } from 'zod';
import { parsePathData } from '../path-data.ts';
import { Condition } from './condition.ts';
import { Constraints } from './constraints.ts';
import { AREA_NAME, MAX_TRACKS, parseLines } from './grid-syntax.ts';
import { paged } from './page.ts';
import {
  Blend,
  Blur,
  Coordinate,
  CornerRadii,
  Dimension,
  Filters,
  Gradient,
  HeightLimit,
  Href,
  Inset,
  LENGTHS,
  Margin,
  NonNegative,
  Shadows,
  WidthLimit,
} from './style.ts';

/** What a picture shows, in words. */
export const Alt = z.string().max(2_000).nullable().default(null).meta({
  description:
    'What it shows, for who does not see it: readers of a PDF speak it. "" = it is decoration; null = it is not said, which UA-1 and UA-2 refuse for pictures and charts.',
});

/** Parameters of signed URLs, which no layer outside lists can be named as. */
export const RESERVED_NAMES: readonly string[] = ['sig', 'scale', 'q'];

/** Longest image source: a `data:` URI of 15 MiB, base64. */
const MAX_SOURCE_LENGTH = 21_000_000;

export const LayerName = z
  .string()
  .min(1, 'must not be empty')
  .max(100, 'must be at most 100 characters')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not hold control characters');

/** CSS Box Alignment's positions; `safe`: at the start where there is too little space. */
export const ALIGNED = ['start', 'center', 'end', 'safe center', 'safe end'] as const;

/** The source of an image. */
export const Source = z.string().max(MAX_SOURCE_LENGTH);

/** The symbologies, by bwip-js's names. */
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
  'gs1-qr',
  'pdf417',
  'azteccode',
] as const;

/** CSS object-fit. */
export const ImageFit = z.enum(['cover', 'contain', 'fill', 'none', 'scale-down']);

const Point = z.tuple([Coordinate, Coordinate]);
const PathString = z
  .string()
  .max(20_000)
  .superRefine((d, context) => {
    const parsed = parsePathData(d);
    if ('at' in parsed) context.addIssue(`is not SVG path data from character ${parsed.at + 1} on`);
  });

/** An outline by name, as `shape` layers draw it and `mask` clips to it. */
export const OutlineShape = {
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
    .register(LENGTHS, { scale: 'viewBox' })
    .nullable()
    .default(null)
    .meta({ description: 'path: the rectangle of `d` that is stretched over the box.' }),
};

const Mask = z
  .strictObject({
    ...OutlineShape,
    gradient: Gradient.nullable()
      .default(null)
      .meta({ description: 'A gradient over the box: its opacity is that of the layer.' }),
    src: Source.nullable()
      .default(null)
      .meta({ description: 'A picture instead of a gradient; as `src` of an image.' }),
    fit: ImageFit.default('cover').meta({ description: 'How the picture of `src` lies in the box; CSS object-fit.' }),
    mode: z.enum(['alpha', 'luminance']).default('alpha').meta({
      description: 'CSS mask-mode: whether the opacity of the gradient or picture counts, or its light.',
    }),
  })
  .refine(({ gradient, src }) => gradient === null || src === null, {
    path: ['src'],
    error: 'must be null where the mask has a gradient',
  })
  .meta({
    id: 'Mask',
    description:
      'CSS mask: cuts the layer to an outline over its box, and fades it by a gradient or a picture. Shadows fall from what is left.',
  });

/** A line or a number of tracks of a grid. */
const TrackNumber = z.int().min(1).max(MAX_TRACKS);

const GridLines = z
  .union(
    [
      TrackNumber,
      z
        .string()
        .max(40)
        .refine((css) => parseLines(css) !== null, { abort: true }),
    ],
    `must be a number from 1 to ${MAX_TRACKS}, or lines of a grid such as "1 / -1", "2 / 4" or "span 2"`,
  )
  .meta({ id: 'GridLines', description: 'CSS grid-column and grid-row: a track from 1, or lines as CSS writes them.' });

export const common = {
  name: LayerName.meta({ description: 'Unique in the template; the API parameter of this layer.' }),
  x: Coordinate.default(0).meta({
    description: 'From the left edge of the canvas or of the frame; ignored for a child that its frame lays out.',
  }),
  y: Coordinate.default(0),
  rotation: z.number().min(-36_000).max(36_000).default(0).meta({ description: 'Degrees clockwise about the centre.' }),
  flip: z.enum(['none', 'x', 'y', 'xy']).default('none').meta({
    description:
      'Mirrors the layer, with all that is in it, about its middle: x, left and right; y, top and bottom. `rotation` turns what is mirrored.',
  }),
  opacity: z.number().min(0).max(1).default(1),
  visible: z.boolean().default(true),
  when: Condition,
  blendMode: Blend.default('normal'),
  shadow: Shadows.nullable()
    .default(null)
    .meta({ description: 'CSS box-shadow of boxes and shapes, drop-shadow of text and images.' }),
  blur: Blur.default(0).meta({ description: 'Blurs the whole layer; standard deviation, px.' }),
  filters: Filters.nullable().default(null).meta({
    description: 'CSS filter, of all that the layer paints with its shadows; of an image, of the picture alone.',
  }),
  backdropFilters: Filters.nullable().default(null).meta({
    description: 'CSS backdrop-filter: of what lies behind the layer, within its outline; of at most 16 layers.',
  }),
  mask: Mask.nullable().default(null),
  link: Href.nullable().default(null).meta({ description: 'A hyperlink over the layer, in PDF.' }),
  position: z.enum(['static', 'relative', 'absolute']).default('static').meta({
    description:
      'absolute: taken out of its frame’s flow and placed by x and y, or by `top`, `right`, `bottom`, `left`. relative: moved by these from its place in the flow.',
  }),
  top: Inset.nullable().default(null).meta({
    description:
      'The distance from the frame’s top, px or a percentage. If `top` and `bottom` are null, `y` counts; if both are "auto", the layer is where its frame would lay it out.',
  }),
  right: Inset.nullable().default(null),
  bottom: Inset.nullable().default(null),
  left: Inset.nullable().default(null),
  minWidth: WidthLimit.nullable().default(null),
  maxWidth: WidthLimit.nullable().default(null),
  minHeight: HeightLimit.nullable().default(null),
  maxHeight: HeightLimit.nullable().default(null),
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
  alignSelf: z.enum(['auto', ...ALIGNED, 'stretch', 'baseline']).default('auto'),
  justifySelf: z
    .enum(['auto', ...ALIGNED, 'stretch'])
    .default('auto')
    .meta({ description: 'Within its columns of a grid.' }),
  gridColumn: GridLines.nullable().default(null).meta({
    description: 'The first column, from 1, or lines such as "1 / -1"; null = the next free.',
  }),
  gridRow: GridLines.nullable().default(null),
  columnSpan: TrackNumber.default(1).meta({ description: 'How many columns of a grid it takes.' }),
  rowSpan: TrackNumber.default(1),
  gridArea: z
    .string()
    .regex(AREA_NAME, 'must be a name of `gridTemplateAreas`')
    .nullable()
    .default(null)
    .meta({ description: 'An area that its grid names in `gridTemplateAreas`, instead of a column and a row.' }),
  margin: Margin.default(0),
  ...paged,
  constraints: Constraints.optional(),
  locked: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the studio’s canvas leaves it alone. Has no effect on rendering.' }),
};

export const HideWhenEmpty = z.boolean().default(false);

export const size = (initial: 'hug' | number) => ({
  width: Dimension.default(initial),
  height: Dimension.default(initial),
});
