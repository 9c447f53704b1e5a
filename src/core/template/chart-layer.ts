// The schema of the chart layer: bars, lines, areas, pies, sparklines, progress and stars, drawn from a list of values.

import { z } from 'zod';
import { chartRows, MOST_VALUE, numbersIn } from './chart-rows.ts';
import { Format, formatOptions } from './format.ts';
import { Alt, common, size } from './layer-properties.ts';
import { ColorString, LineWidth, NonNegative } from './style.ts';
import { SpanStyle } from './text-layer.ts';

/** Entries of a chart, values of an entry, and values of all entries. */
export const MAX_ENTRIES = 500;
const MAX_SERIES = 20;
const MAX_VALUES = 2_000;
const MAX_LABEL = 200;
/** Characters of a text of values. */
const MAX_TEXT = 20_000;

const BEYOND = `must be between -${MOST_VALUE} and ${MOST_VALUE}`;
const Value = z
  .number('must be a number, or null where there is none')
  .min(-MOST_VALUE, BEYOND)
  .max(MOST_VALUE, BEYOND)
  .nullable();

const Entry = z
  .union(
    [
      Value,
      z.strictObject({
        label: z.string().max(MAX_LABEL).default(''),
        value: z.union([Value, z.array(Value).max(MAX_SERIES)], 'must be a number, or a list of one for each series'),
        color: ColorString.optional().meta({ description: 'Of this bar or slice, instead of one of `colors`.' }),
      }),
    ],
    'must be a number, or an object such as {"label": "May", "value": 12}',
  )
  .meta({ id: 'ChartEntry' });

const Data = z
  .union(
    [Value, z.string().max(MAX_TEXT), z.array(Entry)],
    'must be numbers such as [3, 5, 8], or objects: [{"label": "May", "value": 12}]',
  )
  .superRefine((data, context) => {
    // A text that is too long is refused without being read.
    if (typeof data === 'string' && data.length > MAX_TEXT) return;
    const numbers = typeof data === 'string' ? numbersIn(data) : null;
    if (typeof data === 'string' && numbers === null) {
      context.addIssue('must be numbers with commas between them, such as "3, 5, 8"');
      return;
    }
    const rows = numbers ?? chartRows(data);
    if (rows.length > MAX_ENTRIES) context.addIssue(`must have at most ${MAX_ENTRIES} entries`);
    const values = numbers?.length ?? chartRows(data).reduce((sum, row) => sum + row.values.length, 0);
    if (values > MAX_VALUES) context.addIssue(`must have at most ${MAX_VALUES} values`);
  });

/** Blue, teal, amber, rose, violet, slate: apart from each other also for those who confuse red and green. */
const COLORS = ['#2563eb', '#14b8a6', '#f59e0b', '#e11d48', '#8b5cf6', '#64748b'];

export const ChartLayer = z
  .strictObject({
    ...common,
    type: z.literal('chart'),
    width: size(320).width,
    height: size(200).height,
    alt: Alt,
    chart: z.enum(['bar', 'line', 'area', 'pie', 'sparkline', 'progress', 'stars']).default('bar').meta({
      description:
        'sparkline: a line without axes. progress: a bar that fills up to `max`, or a ring with `innerRadius`. stars: as many as `max`, filled up to the value.',
    }),
    data: Data.default([]).meta({
      description:
        'The values: [3, 5, 8], "3, 5, 8", or [{"label": "May", "value": 12}]; with several series, `value` is a list. null = a gap.',
    }),
    from: z
      .strictObject({
        table: z.string().min(1).max(100).meta({ description: 'The name of a table.' }),
        label: z.string().min(1).max(100).nullable().default(null).meta({
          description: 'The value of its entries that names them.',
        }),
        values: z.union([z.string().min(1).max(100), z.array(z.string().min(1).max(100)).min(1).max(MAX_SERIES)]).meta({
          description: 'The values of its entries, or what its cells calculate by a name: one, or one for each series.',
        }),
      })
      .nullable()
      .default(null)
      .meta({ description: 'The rows of a table instead of `data`, unless a request gives `data`.' }),
    labels: z.array(z.string().max(MAX_LABEL)).max(MAX_ENTRIES).default([]).meta({
      description: 'Of entries without a label of their own, so that callers need only send numbers.',
    }),
    series: z.array(z.string().max(MAX_LABEL)).max(MAX_SERIES).default([]).meta({
      description: 'The names of the series, for the legend.',
    }),
    colors: z.array(ColorString).min(1).max(MAX_SERIES).default(COLORS).meta({
      description: 'Of the series, or of the slices of a pie, in turn.',
    }),
    stacked: z.boolean().default(false).meta({ description: 'Adds the series of bars and areas up.' }),
    horizontal: z.boolean().default(false).meta({ description: 'Bars from left to right.' }),
    smooth: z.boolean().default(false).meta({ description: 'Curves, which stay between the values.' }),
    dots: z.boolean().default(false).meta({ description: 'A dot at each value of a line.' }),
    axes: z.boolean().default(true).meta({ description: 'Labels and numbers beside the chart.' }),
    grid: z.boolean().default(true).meta({ description: 'Lines behind it.' }),
    legend: z.boolean().default(true).meta({ description: 'The names of series; for a pie, of its slices.' }),
    legendValues: z.boolean().default(false).meta({
      description: 'Writes the values of a pie in its legend, where thin slices have them, too.',
    }),
    showValues: z.boolean().default(false).meta({ description: 'Writes the values beside bars, dots and slices.' }),
    format: Format.refine((format) => !/^(date|list)$/.test(formatOptions(format).type), 'must be a format of numbers')
      .nullable()
      .default(null)
      .meta({
        description:
          'How numbers are written: `currency`, `percent`, or an object. Those that leave the chart no room are short: 1.2M.',
      }),
    direction: z.enum(['ltr', 'rtl']).nullable().default(null).meta({
      description:
        'rtl: entries run from the right, numbers stand there; null = as the frame around it, else as the language of the template.',
    }),
    min: Value.default(null).meta({
      description: 'Where the scale begins; null = at 0, or near the least value of a line.',
    }),
    max: Value.default(null).meta({ description: 'Where it ends; null = above the highest. progress: 100. stars: 5.' }),
    gap: z
      .number()
      .min(0)
      .max(0.95)
      .default(0.35)
      .meta({ description: 'Between bars, as a share of the room of each.' }),
    borderRadius: NonNegative.default(4).meta({ description: 'Of the ends of bars.' }),
    innerRadius: z
      .number()
      .min(0)
      .max(0.95)
      .default(0)
      .meta({ description: 'The hole of a pie, as a share of its radius.' }),
    strokeWidth: LineWidth.default(2.5).meta({ description: 'Of lines.' }),
    track: ColorString.nullable().default(null).meta({
      description: 'Behind bars, a progress and stars; null = faint, and none behind bars.',
    }),
    color: ColorString.default('#475569').meta({ description: 'Of labels; lines behind the chart are fainter.' }),
    fontFamily: SpanStyle.shape.fontFamily.unwrap().default('Inter'),
    fontSize: SpanStyle.shape.fontSize.unwrap().default(12),
    fontWeight: SpanStyle.shape.fontWeight.unwrap().default(400),
  })
  .meta({ id: 'ChartLayer', description: 'A chart of a list of values.' });
export type ChartLayer = z.infer<typeof ChartLayer>;
