// Resolves a chart: its entries, colours and number format, and the letters that its labels may need.

import { parseColor } from '../color.ts';
import { ValidationError } from '../diagnostics.ts';
import type { ChartLayer } from '../template/chart-layer.ts';
import { chartRows } from '../template/chart-rows.ts';
import { formatOptions, NO_CURRENCY, needsCurrency } from '../template/format.ts';
import { FALLBACK, type Locale, numberText } from './format-value.ts';
import type { NeedsSink } from './needs.ts';
import type { PLAIN_NODE } from './plain-node.ts';
import { PLAIN_STYLE } from './plain-text.ts';
import type { ChartNode, NumberStyle } from './scene.ts';

interface Context {
  readonly needs: NeedsSink;
  readonly locale: Locale;
  /** That of the frames around it; null = none of them has one. */
  readonly direction: 'ltr' | 'rtl' | null;
}

type Specifics = Omit<ChartNode, keyof typeof PLAIN_NODE | 'name'>;

/** A number of each length that a scale may have, so that all signs and abbreviations are among the letters. */
const SAMPLES = [-1234567.89, 0, 0.5, 1e3, 1e6, 1e9, 1e12];
/** Numbers with all abbreviations that languages have: thousands, ten thousands and so on. */
const LARGE = Array.from({ length: 14 }, (_, i) => 10 ** (i + 3));
/** The least sum of values whose scale, which ends above them, may have numbers that are written short. */
const LONG = 100;

export function resolveChart({ needs, locale, direction }: Context, layer: ChartLayer): Specifics {
  const { chart, stacked, horizontal, smooth, dots, axes, grid, legend, legendValues, showValues, series } = layer;
  const { min, max, gap, borderRadius, innerRadius, strokeWidth } = layer;
  const entries = chartRows(layer.data).map((row, i) => ({
    ...row,
    label: row.label || (layer.labels[i] ?? ''),
    color: row.color === null ? null : colorOf(row.color),
  }));
  const color = colorOf(layer.color);
  const style = {
    ...PLAIN_STYLE,
    font: {
      families: [layer.fontFamily].flat(),
      weight: layer.fontWeight,
      style: 'normal',
      variations: {},
      lang: locale.lang ?? null,
    },
    fontSize: layer.fontSize,
    features: { tnum: 1 },
    fill: { kind: 'solid', color },
    lang: locale.lang ?? null,
  } as const;
  const numbers = numbersOf(layer, locale);
  const values = entries.flatMap(({ values }) => values.filter((value) => value !== null));
  const shown = [...values, ...SAMPLES].map((value) => numberText(value, numbers));
  const most = [...values, min ?? 0, max ?? 0].reduce((sum, value) => sum + Math.abs(value), 0);
  if (most >= LONG) {
    const short = { ...numbers, format: { ...numbers.format, notation: 'compact' } } as const;
    shown.push(...[...values, ...LARGE].map((value) => numberText(value, short)));
  }
  needs.addChart();
  needs.addText(layer.name, {
    text: [...series, ...entries.map(({ label }) => label), ...shown, '%…+'].join(' '),
    style,
  });
  return {
    ...{
      type: 'chart',
      chart,
      stacked,
      horizontal,
      smooth,
      dots,
      axes,
      grid,
      legend,
      legendValues,
      showValues,
      series,
    },
    ...{ min, max, gap, borderRadius, innerRadius, strokeWidth },
    entries,
    colors: layer.colors.map(colorOf),
    track: layer.track === null ? null : colorOf(layer.track),
    color,
    style,
    numbers,
    direction: layer.direction ?? direction ?? 'auto',
  };
}

/** A progress up to the usual 100 is written as a percentage. */
function numbersOf({ chart, format, max }: ChartLayer, { lang = FALLBACK, currency }: Locale): NumberStyle {
  const options = formatOptions(format ?? 'number');
  if (options.type === 'date' || options.type === 'list')
    throw new Error('The schema let a format of no numbers through.');
  const isShare = chart === 'progress' && format === null && max === null;
  const unit = isShare ? ({ ...options, type: 'unit', unit: 'percent', unitDisplay: 'short' } as const) : options;
  return { format: unit, language: lang, currency };
}

/** @throws ValidationError when a currency is missing */
export function checkChart(layer: ChartLayer, locale: Locale, pathOf: (layer: ChartLayer) => string): void {
  if (locale.currency === undefined && needsCurrency(layer.format)) {
    throw new ValidationError(`${pathOf(layer)}.format`, NO_CURRENCY);
  }
}

function colorOf(css: string) {
  const color = parseColor(css);
  if (!color) throw new Error(`The schema let the colour ${JSON.stringify(css)} through.`);
  return color;
}
