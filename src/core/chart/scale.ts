// The scale of a chart: from values to positions, with ticks at round numbers.
//
// Ticks are Heckbert's ("Nice numbers for graph labels", Graphics Gems, 1990), with 2.5 among the round numbers.

export interface Scale {
  readonly min: number;
  readonly max: number;
  /** Within the scale, ascending. */
  readonly ticks: readonly number[];
  /** Between two ticks. */
  readonly step: number;
}

const ROUND = [1, 2, 2.5, 5, 10];

/**
 * @param values what it must contain
 * @param count about how many ticks it may have
 * @param given its ends, where they are fixed
 */
export function niceScale(
  values: readonly number[],
  count: number,
  given: { readonly min: number | null; readonly max: number | null },
): Scale {
  const low = given.min ?? Math.min(...values, ...(given.max === null ? [] : [given.max]));
  const least = Number.isFinite(low) ? low : 0;
  const high = given.max ?? Math.max(...values, least);
  const size = Math.max(Math.abs(least), Math.abs(high));
  // Without an extent that numbers can tell, it is as long as its value is large.
  const top = high - least > size * TOLERANCE && size > TINY ? high : least + (size > TINY ? Math.abs(least) : 1);
  const step = roundStep((top - least) / Math.max(1, count));
  const min = given.min ?? Math.floor(least / step + TOLERANCE) * step;
  const max = given.max !== null && given.max > min ? given.max : Math.ceil(top / step - TOLERANCE) * step;
  const first = Math.ceil(min / step - TOLERANCE);
  const last = Math.floor(max / step + TOLERANCE);
  const ticks = Array.from({ length: Math.min(MAX_TICKS, last - first + 1) }, (_, i) => tidy((first + i) * step));
  return { min: tidy(min), max: tidy(max), ticks, step };
}

const TOLERANCE = 1e-9;
const TINY = 1e-100;
const MAX_TICKS = 50;

/** The smallest round number that is at least as large. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = ROUND.find((round) => round * power >= least * (1 - TOLERANCE)) ?? 10;
  return tidy(factor * power);
}

/** Without the error of binary fractions. */
const tidy = (value: number): number => Number(value.toPrecision(12));

/** Whether all ticks are exact with three digits after the point if thousands, millions and so on are abbreviated. */
export function isShortExact({ min, max, step }: Scale): boolean {
  const most = Math.max(Math.abs(min), Math.abs(max));
  return fractionDigits(step / 10 ** Math.floor(Math.log10(most))) <= 3;
}

/** How many digits a multiple of a step has after the point. */
export function fractionDigits(step: number): number {
  const digits = Math.max(0, -Math.floor(Math.log10(step) + TOLERANCE));
  return Number((step * 10 ** digits).toPrecision(12)) % 1 === 0 ? digits : digits + 1;
}
