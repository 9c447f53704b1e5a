// Evaluates the words of a calculation, in decimal arithmetic.

import {
  addDecimals,
  averageOf,
  type Decimal,
  decimalText,
  LONGEST_NUMBER,
  multiplyDecimals,
  negated,
  parseDecimal,
  roundDecimal,
  ZERO,
} from '../decimal.ts';
import { ValidationError } from '../diagnostics.ts';
import type { Calculation, CellCalculation, Term, Terms } from '../template/calculation.ts';
import { decimal } from './modify-layer.ts';

/** Of values, and how many they are. */
export interface Sum {
  readonly sum: Decimal;
  readonly count: number;
}

export const NOTHING: Sum = { sum: ZERO, count: 0 };

/** What the names of a calculation stand for; null = there is nothing by this name. */
export interface Operands {
  /** What is added for a name: of many entries, their sum. */
  readonly addend: (name: string) => Decimal | null;
  /** One value. */
  readonly factor: (name: string) => Decimal | null;
  readonly average: (name: string) => Sum;
}

/** Digits of a result: more than any sum has, few enough for calculations that take each other's results. */
const MOST_DIGITS = 300;
const TOO_LARGE = 10n ** BigInt(MOST_DIGITS);

type Words = Exclude<CellCalculation, 'count'> | Exclude<Calculation, { count: string }>;

/**
 * @param pathOf where the calculation is, for messages
 * @returns null if a factor is missing, or an average has no values
 * @throws ValidationError when the number is very long
 */
export function evaluate(calculation: Words, operands: Operands, pathOf: () => string): Decimal | null {
  const exact = unrounded(calculation, operands);
  const { round, rounding } = calculation;
  const value = exact === null || round === undefined ? exact : roundDecimal(exact, round, rounding);
  if (value && (value.digits >= TOO_LARGE || value.digits <= -TOO_LARGE || value.scale > MOST_DIGITS)) {
    throw new ValidationError(
      pathOf(),
      `is calculated as a number of more than ${MOST_DIGITS} digits; give it "round"`,
    );
  }
  return value;
}

/** The digits of a result. @throws ValidationError when a format could not read it */
export function resultText(value: Decimal | null, pathOf: () => string): string {
  const text = value === null ? '' : decimalText(value);
  if (text.length <= LONGEST_NUMBER) return text;
  throw new ValidationError(pathOf(), `is calculated as a number of ${text.length} digits; give it "round"`);
}

function unrounded(calculation: Words, operands: Operands): Decimal | null {
  if ('multiply' in calculation) return product(calculation.multiply, operands);
  if ('average' in calculation) {
    const { sum, count } = operands.average(calculation.average);
    return averageOf(sum, count);
  }
  const [terms, start] =
    'running' in calculation ? [calculation.running, calculation.start ?? 0] : [calculation.sum, 0];
  const begin = numberOf(start, operands.factor) ?? ZERO;
  const sum = addDecimals(begin, added(terms, operands));
  const left = calculation.less === undefined ? sum : addDecimals(sum, negated(added(calculation.less, operands)));
  if (!('times' in calculation) || calculation.times === undefined) return left;
  const factor = product(calculation.times, operands);
  return factor && multiplyDecimals(left, factor);
}

const listed = (terms: Terms): readonly Term[] => [terms].flat() as readonly Term[];

const numberOf = (term: Term, of: (name: string) => Decimal | null): Decimal | null =>
  typeof term === 'number' ? parseDecimal(decimal(term)) : of(term);

const added = (terms: Terms, { addend }: Operands): Decimal =>
  listed(terms).reduce<Decimal>((sum, term) => addDecimals(sum, numberOf(term, addend) ?? ZERO), ZERO);

function product(factors: Terms, { factor }: Operands): Decimal | null {
  let all: Decimal = { digits: 1n, scale: 0 };
  for (const each of listed(factors)) {
    const value = numberOf(each, factor);
    if (value === null) return null;
    all = multiplyDecimals(all, value);
  }
  return all;
}
