// Decimal arithmetic without rounding, for sums of money: 0.1 + 0.2 is 0.3.

/** `digits` / 10 ^ `scale`. */
export interface Decimal {
  readonly digits: bigint;
  /** Digits after the point, at least 0. */
  readonly scale: number;
}

export const ZERO: Decimal = { digits: 0n, scale: 0 };

/** Longest number that is parsed, in characters. */
export const LONGEST_NUMBER = 60;
const NUMBER = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))$/;

/** Parses digits with a sign and a decimal point, such as `-12.50`; null if a text is anything else. */
export function parseDecimal(text: string): Decimal | null {
  const [, sign = '', whole = '', after, alone] = NUMBER.exec(text.length > LONGEST_NUMBER ? '' : text.trim()) ?? [];
  const fraction = after ?? alone ?? '';
  if (whole === '' && fraction === '') return null;
  const digits = BigInt(whole + fraction);
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length };
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: digitsAt(a, scale) + digitsAt(b, scale), scale };
}

export const multiplyDecimals = (a: Decimal, b: Decimal): Decimal => ({
  digits: a.digits * b.digits,
  scale: a.scale + b.scale,
});

export const negated = ({ digits, scale }: Decimal): Decimal => ({ digits: -digits, scale });

/** What becomes of a half: `half-up` goes away from zero, as invoices round; `half-even` to the even digit, as banks do. */
export const ROUNDINGS = ['half-up', 'half-even'] as const;
export type Rounding = (typeof ROUNDINGS)[number];

/** The number with `places` digits after the point. */
export function roundDecimal(a: Decimal, places: number, rounding: Rounding): Decimal {
  if (a.scale <= places) return { digits: digitsAt(a, places), scale: places };
  const unit = 10n ** BigInt(a.scale - places);
  const size = a.digits < 0n ? -a.digits : a.digits;
  const [whole, twice] = [size / unit, 2n * (size % unit)];
  const goesUp = twice > unit || (twice === unit && (rounding === 'half-up' || whole % 2n === 1n));
  const rounded = goesUp ? whole + 1n : whole;
  return { digits: a.digits < 0n ? -rounded : rounded, scale: places };
}

/** Divides by a whole number, to `places` more digits than `a` has; the last one is rounded half away from zero. */
export function divideDecimal(a: Decimal, by: number, places: number): Decimal {
  const scale = a.scale + places;
  const scaled = digitsAt(a, scale);
  const twice = (2n * (scaled < 0n ? -scaled : scaled)) / BigInt(by);
  const rounded = (twice + 1n) / 2n;
  return { digits: scaled < 0n ? -rounded : rounded, scale };
}

/** Digits of an average beyond those of its sum: more than any format shows. */
const AVERAGE_PLACES = 20;

/** A sum divided by how many values it has, without zeros at the end; null = of none. */
export const averageOf = (sum: Decimal, count: number): Decimal | null =>
  count === 0 ? null : shortest(divideDecimal(sum, count, AVERAGE_PLACES));

/** The same number without zeros at its end, so that equal ones have equal digits. */
export function shortest({ digits, scale }: Decimal): Decimal {
  let [left, places] = [digits, scale];
  while (places > 0 && left % 10n === 0n) [left, places] = [left / 10n, places - 1];
  return { digits: left, scale: places };
}

/** Digits with a decimal point, which `parseDecimal` reads. */
export function decimalText({ digits, scale }: Decimal): string {
  const plain = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const point = plain.length - scale;
  const text = scale === 0 ? plain : `${plain.slice(0, point)}.${plain.slice(point)}`;
  return digits < 0n ? `-${text}` : text;
}

function digitsAt({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}
