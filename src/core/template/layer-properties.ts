// The properties of layers of every type, and schemas that several types share.
//
// They are spread into the schema of each type, so that a stored layer is flat.

import { z } from 'zod';
import { parsePathData } from '../path-data.ts';
import { Condition } from './condition.ts';
import { Constraints } from './constraints.ts';
import {
  Blend,
  Coordinate,
  CornerRadii,
  Dimension,
  EdgeLengths,
  Href,
  MAX_BLUR,
  NonNegative,
  Shadows,
} from './style.ts';

/** Names that are parameters in the query of a signed URL. */
const RESERVED_NAMES: readonly string[] = ['sig', 'scale', 'q'];

/** The most columns, and the most rows, that a grid may define. */
export const MAX_TRACKS = 100;
/** Longest image source: a `data:` URI of 15 MiB, base64. */
const MAX_SOURCE_LENGTH = 21_000_000;

const LayerName = z
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
    .nullable()
    .default(null)
    .meta({ description: 'path: the rectangle of `d` that is stretched over the box.' }),
};

const Mask = z
  .strictObject(OutlineShape)
  .meta({ id: 'Mask', description: 'Cuts the layer to an outline over its box.' });

/** A line or a number of tracks of a grid. */
const GridLine = z.int().min(1).max(MAX_TRACKS);

export const common = {
  name: LayerName.meta({ description: 'Unique in the template; the API parameter of this layer.' }),
  x: Coordinate.default(0).meta({
    description: 'From the left edge of the canvas or of the frame; ignored for a child that its frame lays out.',
  }),
  y: Coordinate.default(0),
  rotation: z.number().min(-36_000).max(36_000).default(0).meta({ description: 'Degrees clockwise about the centre.' }),
  opacity: z.number().min(0).max(1).default(1),
  visible: z.boolean().default(true),
  when: Condition,
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
  constraints: Constraints.optional(),
  locked: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the studio’s canvas leaves it alone. Renders do not mind.' }),
};

export const HideWhenEmpty = z.boolean().default(false);

export const size = (initial: 'hug' | number) => ({
  width: Dimension.default(initial),
  height: Dimension.default(initial),
});

/** The source of an image. */
export const Source = z.string().max(MAX_SOURCE_LENGTH);
