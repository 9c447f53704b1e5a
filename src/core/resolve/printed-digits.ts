// What is printed below a barcode: the number that it holds, with its check digit, and where the digits of EAN and UPC
// stand (GS1 General Specifications, section 5.2.5: human readable interpretation).

import type { BarcodeLayer } from '../template/layer.ts';
import { PLAIN_STYLE } from './plain-text.ts';
import { resolveFill } from './resolve-style.ts';
import type { DigitPlaces, TextSpan } from './scene.ts';

type Format = BarcodeLayer['format'];

/** GS1 General Specifications, 7.9: weights of 3 and 1 from the right, up to a multiple of ten. */
export function checkDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

/** Digits of a number with its check digit. */
const LENGTHS: Partial<Record<Format, number>> = { ean13: 13, ean8: 8, upca: 12, itf14: 14 };

/** The value of a code as it is printed. @param value that the format can hold */
export function printedValue(format: Format, value: string): string {
  const [, number = '', addOn = ''] = /^([\d ]*?\d)( \d{2}(?:\d{3})?)?$/.exec(value) ?? [];
  const length = LENGTHS[format];
  if (format === 'itf14') return whole(value.replaceAll(' ', ''), 14);
  if (format === 'upce') return zeroSuppressed(number) + addOn;
  return length === undefined || number === '' ? value : whole(number, length) + addOn;
}

const whole = (number: string, length: number) => (number.length < length ? number + checkDigit(number) : number);

/** UPC-E of its own digits, or of those of the UPC-A that it is short for (section 5.2.2.4). */
function zeroSuppressed(number: string): string {
  if (number.length <= 8) return number.length === 8 ? number : number + checkDigit(expanded(number));
  const system = number.slice(0, 1);
  const short = number
    .slice(1, 11)
    .replace(/^(..)([012])0000(...)$/, '$1$3$2')
    .replace(/^(...)00000(..)$/, '$1$23');
  const six = short.replace(/^(....)00000(.)$/, '$1$24').replace(/^(.{5})0000([5-9])$/, '$1$2');
  return system + six + checkDigit(number.slice(0, 11));
}

function expanded(number: string): string {
  const [system = '', a = '', b = '', c = '', d = '', e = '', last = ''] = number;
  if (last < '3') return `${system}${a}${b}${last}0000${c}${d}${e}`;
  if (last === '3') return `${system}${a}${b}${c}00000${d}${e}`;
  return last === '4' ? `${system}${a}${b}${c}${d}00000${e}` : `${system}${a}${b}${c}${d}${e}0000${last}`;
}

/** Where the digits of a printed value stand; null = all below the bars, in the middle. */
export function digitPlaces(format: Format, text: string): DigitPlaces | null {
  if (!/^\d+$/.test(text)) return null;
  const group = (from: number, to: number, start: number, end: number) => ({ from, to, text: text.slice(start, end) });
  const before = group(-8, -1, 0, 1);
  const after = (columns: number) => group(columns + 1, columns + 8, text.length - 1, text.length);
  switch (format) {
    case 'ean13':
      return places(
        95,
        [
          [0, 3],
          [45, 50],
          [92, 95],
        ],
        [before],
        [group(3, 45, 1, 7), group(50, 92, 7, 13)],
      );
    case 'ean8':
      return places(
        67,
        [
          [0, 3],
          [31, 36],
          [64, 67],
        ],
        [],
        [group(3, 31, 0, 4), group(36, 64, 4, 8)],
      );
    case 'upca':
      return places(
        95,
        [
          [0, 10],
          [45, 50],
          [85, 95],
        ],
        [before, after(95)],
        [group(10, 45, 1, 6), group(50, 85, 6, 11)],
        0.8,
      );
    case 'upce':
      return places(
        51,
        [
          [0, 3],
          [45, 51],
        ],
        [before, after(51)],
        [group(3, 45, 1, 7)],
        0.8,
      );
    default:
      return null;
  }
}

function places(
  columns: number,
  guards: DigitPlaces['guards'],
  outer: DigitPlaces['inner'],
  inner: DigitPlaces['inner'],
  outerSize = 1,
): DigitPlaces {
  return { columns, guards, inner, outer, outerSize };
}

/** A string of GS1 elements, each an application identifier in brackets with its value, as GS1-128 takes them. */
const GS1 = /^(\(\d{2,4}\)[!"%&'*+,\-./0-9:;<=>?A-Z_a-z]+)+$/;

/** A number of a shipping unit or of a trade item. */
const UNIT = /^\((00\)\d{18}|0[12]\)\d{14})/;

/** Whether a value can only be meant as GS1 elements: it begins with a number of a trade item or of a unit, or has several. */
export const isGs1 = (value: string): boolean => GS1.test(value) && (UNIT.test(value) || value.includes('(', 1));

/** Symbologies whose modules must stay square. */
export const SQUARE: readonly string[] = ['datamatrix', 'gs1-qr', 'azteccode'];

/** The human-readable line under a barcode: a sixth of its height, in the code's own colour. */
export function captionOf(layer: Pick<BarcodeLayer, 'format' | 'value' | 'color' | 'height'>): TextSpan {
  const height = typeof layer.height === 'number' ? layer.height : 80;
  return {
    text: printedValue(layer.format, layer.value),
    style: {
      ...PLAIN_STYLE,
      font: { families: ['Inter'], weight: 500, style: 'normal', variations: {}, lang: null },
      fontSize: Math.min(48, Math.max(8, height / 6)),
      features: { tnum: 1 },
      fill: resolveFill(layer.color),
    },
    link: null,
    counter: null,
    image: null,
  };
}
