// Decimal arithmetic without rounding, for sums of money: 0.1 + 0.2 is 0.3.

import { withoutEnd } from './without-end.ts';

/** `digits` / 10 ^ `scale`. */
export interface Decimal {
  readonly digits: bigint;
  /** Digits after the point, at least 0. */
  readonly scale: number;
}

export const ZERO: Decimal = { digits: 0n, scale: 0 };

/** Longest number that is parsed, in characters. */
const LONGEST = 60;
const NUMBER = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))$/;

/** Parses digits with a sign and a decimal point, such as `-12.50`; null if a text is anything else. */
export function parseDecimal(text: string): Decimal | null {
  const [, sign = '', whole = '', after, alone] = NUMBER.exec(text.length > LONGEST ? '' : text.trim()) ?? [];
  const fraction = after ?? alone ?? '';
  if (whole === '' && fraction === '') return null;
  const digits = BigInt(whole + fraction);
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length };
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: digitsAt(a, scale) + digitsAt(b, scale), scale };
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

/** A sum divided by how many values it has, without zeros at the end; of none, an empty text. */
export function averageText(sum: Decimal, count: number): string {
  if (count === 0) return '';
  return withoutEnd(withoutEnd(decimalText(divideDecimal(sum, count, AVERAGE_PLACES)), /0/), /\./);
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
