// The schemas of the values of layer properties: colours, fills, lengths, shadows, filters.
//
// They define what a caller may write and the message for anything else. Names are CSS's.

import { z } from 'zod';
import { BLEND_MODES } from '../blend-mode.ts';
import { COLOR_SPACES, parseColor } from '../color.ts';
import { type LengthSchema, pixelsBetween } from './page-setup.ts';

/** The limit of coordinates and lengths, ±px: far more than any canvas, small enough for float32. */
const MAX_COORDINATE = 100_000;
/** The largest font size, px. */
export const MAX_FONT_SIZE = 2_000;
/** The largest blur (standard deviation), px; the cost of a Gaussian grows with it. */
const MAX_BLUR = 100;

/**
 * Which values grow with their layer, as it does in a size that is larger, and how (design/scale-layer.ts). `px`: a number.
 * `tracks`, `column`: texts with lengths too. `viewBox`: the box, where the path data has none. `patches`: modifications by
 * name.
 */
export const LENGTHS = z.registry<
  | { readonly scale: 'px'; readonly min: number; readonly max: number }
  | { readonly scale: 'tracks' | 'column' | 'viewBox' | 'patches' }
>();

/** A length within these limits, px, which grows with its layer. */
export function lengthBetween(min: number, max: number): LengthSchema {
  return pixelsBetween(min, max).register(LENGTHS, { scale: 'px', min, max });
}

const named = (id: string, min: number, max: number) => lengthBetween(min, max).meta({ id });

export const Coordinate = named('Coordinate', -MAX_COORDINATE, MAX_COORDINATE);
export const NonNegative = named('Length', 0, MAX_COORDINATE);
/** As a font size: letters below 1 px are none. */
export const FontSize = named('FontSize', 1, MAX_FONT_SIZE);
/** Of a Gaussian: its standard deviation, px. */
export const Blur = named('Blur', 0, MAX_BLUR);
/** A width that lines and borders have. */
export const LineWidth = named('LineWidth', 0, 1_000);

export const ColorString = z
  .string()
  .max(200)
  .refine(
    (css) => parseColor(css) !== null,
    'must be a CSS colour, such as "#1d4ed8", "rgb(29 78 216 / 50%)" or "teal"',
  )
  .meta({ description: 'Any CSS colour.' });

const Stop = z.strictObject({
  color: ColorString,
  offset: z.number().min(0).max(1).optional().meta({ description: '0 to 1; spread evenly where absent, as in CSS.' }),
  hint: z.number().min(0).max(1).optional().meta({
    description: 'CSS’s colour hint: where, on the way to the next stop, both colours are mixed equally; as `offset`.',
  }),
});
const Stops = z.array(Stop).min(2).max(32);
/** How colours between two stops are mixed. */
const mixing = {
  colorSpace: z
    .enum(COLOR_SPACES)
    .default('srgb')
    .meta({ description: 'CSS `in oklch`: the colour space in which the stops are mixed.' }),
  hue: z
    .enum(['shorter', 'longer', 'increasing', 'decreasing'])
    .default('shorter')
    .meta({ description: 'The way round the circle of hues, in oklch and hsl.' }),
};
const UnitPoint = z.strictObject({ x: z.number().min(-2).max(3), y: z.number().min(-2).max(3) });

export const Gradient = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('linear'),
      angle: z
        .number()
        .min(-3600)
        .max(3600)
        .default(180)
        .meta({ description: 'CSS degrees: 0 up, 90 right, 180 down.' }),
      stops: Stops,
      ...mixing,
    }),
    z.strictObject({
      type: z.literal('radial'),
      shape: z.enum(['ellipse', 'circle']).default('ellipse'),
      center: UnitPoint.default({ x: 0.5, y: 0.5 }).meta({ description: '0 to 1 of the box on each axis.' }),
      radius: z.number().min(0).max(10).nullable().default(null).meta({
        description:
          'The 100 % radius as a fraction of half the box (of its longer side for a circle); null = farthest corner.',
      }),
      stops: Stops,
      ...mixing,
    }),
    z.strictObject({
      type: z.literal('conic'),
      angle: z
        .number()
        .min(-3600)
        .max(3600)
        .default(0)
        .meta({ description: 'Where the first stop lies, CSS degrees.' }),
      center: UnitPoint.default({ x: 0.5, y: 0.5 }),
      stops: Stops,
      ...mixing,
    }),
  ])
  .meta({ id: 'Gradient', description: 'A CSS gradient over the box of the layer.' });

/** What fills an area. */
export const Fill = z.union([ColorString, Gradient], 'must be a CSS colour or a gradient object').meta({ id: 'Fill' });

/** CSS's shorthand as a string: two to four lengths. */
const SHORTHAND = /^\d{1,6}(\.\d{1,4})?(px|mm|cm|in|pt)?(\s+\d{1,6}(\.\d{1,4})?(px|mm|cm|in|pt)?){1,3}$/;

/** A message, and what to write instead of a shorthand such as "10px 20px". */
function orFour(message: string) {
  return ({ input }: { readonly input?: unknown }): string => {
    if (typeof input !== 'string' || !SHORTHAND.test(input.trim())) return message;
    const lengths = input.trim().split(/\s+/);
    const [a, b = a, c = a, d = b] = lengths.map((one) =>
      /[a-z]$/.test(one.replace('px', '')) ? `"${one}"` : Number.parseFloat(one),
    );
    return `${message}; write [${[a, b, c, d].join(', ')}]`;
  };
}

/** One length, or CSS's four in the order top, right, bottom, left. */
export const EdgeLengths = z
  .union([Coordinate, z.tuple([Coordinate, Coordinate, Coordinate, Coordinate])], {
    error: orFour('must be a length, or four: [top, right, bottom, left]'),
  })
  .meta({ id: 'EdgeLengths' });

/** One length, or CSS's four in the order top left, top right, bottom right, bottom left. */
export const CornerRadii = z
  .union([NonNegative, z.tuple([NonNegative, NonNegative, NonNegative, NonNegative])], {
    error: orFour('must be a length, or four: [topLeft, topRight, bottomRight, bottomLeft]'),
  })
  .meta({ id: 'CornerRadii' });

const PERCENT = /^\d{1,4}(\.\d{1,4})?%$/;
const Percent = z.string().regex(PERCENT, { abort: true });
const SignedPercent = z.string().regex(/^-?\d{1,4}(\.\d{1,4})?%$/, { abort: true });
export const INTRINSIC = ['min-content', 'max-content', 'fit-content'] as const;

/** One of four lengths, or all. */
function sides<Side extends z.ZodType>(side: Side, message: string) {
  return z.union([side, z.tuple([side, side, side, side])], { error: orFour(message) });
}

/** Px or a percentage of the frame's width; one, or CSS's four in the order top, right, bottom, left. */
export const Padding = sides(
  z.union([Coordinate, Percent]),
  'must be a number or a percentage such as "5%", or four of them: [top, right, bottom, left]',
).meta({ id: 'Padding', description: 'Px or a percentage of the width of the frame around; one, or four sides.' });

/** As `Padding`, also below zero, and `auto`. */
export const Margin = sides(
  z.union([Coordinate, SignedPercent, z.literal('auto')]),
  'must be a number, a percentage or "auto", or four of them: [top, right, bottom, left]',
).meta({
  id: 'Margin',
  description:
    'Px, a percentage of the width of the frame around, or `auto`, which takes the space that is left; one, or four sides.',
});

/** The distance from a side of the containing block. */
export const Inset = z
  .union([Coordinate, SignedPercent, z.literal('auto')], 'must be a number, a percentage such as "50%", or "auto"')
  .meta({ id: 'Inset' });

/** A minimum or maximum of a width. */
export const WidthLimit = z
  .union([NonNegative, Percent, z.enum(INTRINSIC)], 'must be a length in px, a percentage or "min-content"')
  .meta({ id: 'WidthLimit', description: 'Px, a percentage of the frame around, or a size by content.' });
export const HeightLimit = z
  .union([NonNegative, Percent], 'must be a length in px or a percentage such as "50%"')
  .meta({ id: 'HeightLimit' });

/** The space between rows or columns. */
export const GapLength = z.union([NonNegative, Percent]);

/** Px, a percentage of the parent, `hug` (as large as the content), `fill` (the parent's remaining space) or CSS's sizes by content. */
export const Dimension = z
  .union(
    // Aborted, as otherwise the message would be that of the percentage alone.
    [NonNegative, Percent, z.enum(['hug', 'fill', ...INTRINSIC])],
    'must be a length in px, a percentage such as "50%", "hug" or "fill"',
  )
  .meta({
    id: 'Dimension',
    description:
      'Px, a percentage, `hug`: as large as the content, or `fill`: what the frame has left. CSS’s words: `min-content`, `max-content`, and `fit-content`, which is `hug` that is never stretched.',
  });

const Shadow = z
  .strictObject({
    x: Coordinate.default(0),
    y: Coordinate.default(0),
    blur: lengthBetween(0, 2 * MAX_BLUR)
      .default(0)
      .meta({ description: 'CSS blur radius: twice the standard deviation.' }),
    spread: lengthBetween(-1000, 1000)
      .default(0)
      .meta({ description: 'Grows the silhouette; of boxes and shapes only.' }),
    color: ColorString.default('rgba(0, 0, 0, 0.5)'),
    inset: z
      .boolean()
      .default(false)
      .meta({ description: 'Inside the box or shape, the letters of a text, or what is drawn of a picture.' }),
  })
  .meta({ id: 'Shadow' });
export const Shadows = z.union([Shadow, z.array(Shadow).max(8)], 'must be a shadow object or a list of at most 8');

export const Border = z
  .strictObject({
    width: LineWidth,
    color: ColorString,
    style: z.enum(['solid', 'dashed', 'dotted']).default('solid'),
  })
  .meta({ id: 'Border' });

/** Borders of single sides, each instead of `border` on its side. */
export const sideBorders = () => ({
  borderTop: Border.nullable().default(null).meta({ description: 'Instead of `border` on this side; null = as it.' }),
  borderRight: Border.nullable().default(null),
  borderBottom: Border.nullable().default(null),
  borderLeft: Border.nullable().default(null),
});

export const Blend = z.enum(BLEND_MODES);

/** CSS filter functions, in the order in which they are applied, and a duotone; each default changes nothing. */
export const Filters = z
  .strictObject({
    brightness: z.number().min(0).max(10).default(1),
    contrast: z.number().min(0).max(10).default(1),
    saturate: z.number().min(0).max(10).default(1),
    grayscale: z.number().min(0).max(1).default(0),
    sepia: z.number().min(0).max(1).default(0),
    hueRotate: z.number().min(-3600).max(3600).default(0).meta({ description: 'Degrees.' }),
    invert: z.number().min(0).max(1).default(0),
    duotone: z
      .tuple([ColorString, ColorString])
      .nullable()
      .default(null)
      .meta({ description: 'The colours that black and white become; what lies between is mixed by lightness.' }),
    blur: Blur.default(0).meta({ description: 'Standard deviation, px.' }),
  })
  .meta({ id: 'Filters' });

/** A hyperlink's target; no other scheme may become an annotation in a PDF. */
export const Href = z
  .string()
  .max(2048)
  .regex(/^(https?:\/\/|mailto:)[^\s\\]+$/i, 'must be an http:, https: or mailto: address');
