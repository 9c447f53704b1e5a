// Checks that a QR code or barcode can hold its value, and estimates its modules, without encoding it.
//
// Encoding takes up to 200 ms (an Aztec code of 1,000 characters), so it is left to the drawing thread; this takes
// microseconds. A value that passes here may still be refused there: one close to the capacity, or a GS1 application
// identifier that does not exist.

import { ValidationError } from '../diagnostics.ts';
import type { BarcodeLayer, QrLayer } from '../template/layer.ts';
import { checkDigit, isGs1 } from './printed-digits.ts';

/** The size of a code: characters to encode, and modules to paint (an estimate that is seldom too small). */
export interface CodeSize {
  readonly characters: number;
  readonly modules: number;
}

/** @throws ValidationError at `path` when the format cannot hold the value */
export function checkCode(layer: CheckedQr | CheckedBarcode, path: string): CodeSize {
  return layer.type === 'qr' ? checkQr(layer, path) : checkBarcode(layer, path);
}

type CheckedQr = Pick<QrLayer, 'type' | 'value' | 'errorCorrection'> & { readonly quietZone: number | null };
type CheckedBarcode = Pick<BarcodeLayer, 'type' | 'value' | 'format' | 'quietZone'>;

export const qrTooLong = (path: string, level: QrLayer['errorCorrection']) =>
  new ValidationError(path, `is too long for a QR code with error correction ${level}; shorten it or use "L"`);

/** Characters that the largest symbol holds (ISO/IEC 18004, table 7), and the share of its codewords that is data. */
const QR: Readonly<
  Record<QrLayer['errorCorrection'], Readonly<Record<'digits' | 'letters' | 'bytes' | 'share', number>>>
> = {
  L: { digits: 7_089, letters: 4_296, bytes: 2_953, share: 0.79 },
  M: { digits: 5_596, letters: 3_391, bytes: 2_331, share: 0.62 },
  Q: { digits: 3_993, letters: 2_420, bytes: 1_663, share: 0.45 },
  H: { digits: 3_057, letters: 1_852, bytes: 1_273, share: 0.34 },
};
/** Finders, timing, format and alignment: modules that hold no data. */
const QR_PATTERNS = 250;
const QR_QUIET_ZONE = 4;

function checkQr({ value, errorCorrection, quietZone }: CheckedQr, path: string): CodeSize {
  if (isGs1(value)) {
    const problem =
      'cannot be GS1 elements in brackets, which a QR code would hold as they are; use a barcode with the format "gs1-qr", or a GS1 Digital Link such as "https://id.gs1.org/01/04012345123456"';
    throw new ValidationError(path, problem);
  }
  const level = QR[errorCorrection];
  const [length, capacity, bits] = /^\d*$/.test(value)
    ? [value.length, level.digits, 10 / 3]
    : /^[0-9A-Z $%*+./:-]*$/.test(value)
      ? [value.length, level.letters, 11 / 2]
      : [utf8Length(value), level.bytes, 8];
  if (length > capacity) throw qrTooLong(path, errorCorrection);
  // A tenth more, since the next larger version is used.
  const side = Math.sqrt(QR_PATTERNS + (1.1 * (length * bits + 20)) / level.share) + 2 * (quietZone ?? QR_QUIET_ZONE);
  return { characters: value.length, modules: Math.ceil(side ** 2) };
}

interface Format {
  readonly pattern?: RegExp;
  /** The rule of `pattern` as a sentence about the value. */
  readonly holds?: string;
  /** The largest number of bytes (UTF-8) that a symbol holds; it may hold more digits or ASCII characters. */
  readonly bytes?: number;
  /** The number of digits of which the last is a check digit. */
  readonly checked?: number;
  /** Whether a space and two or five more digits may follow those. */
  readonly hasAddOn?: true;
  /** Modules per byte, including error correction. */
  readonly modules: number;
}

const GS1_ELEMENTS = /^(\(\d{2,4}\)[^(]+)+$/;
const ADD_ON = '( \\d{2}(\\d{3})?)?';
const FORMATS: Readonly<Record<BarcodeLayer['format'], Format>> = {
  ean13: {
    pattern: new RegExp(`^\\d{12,13}${ADD_ON}$`),
    holds: 'EAN-13 must be 12 or 13 digits',
    checked: 13,
    hasAddOn: true,
    modules: 10,
  },
  ean8: { pattern: /^\d{7,8}$/, holds: 'EAN-8 must be 7 or 8 digits', checked: 8, modules: 10 },
  upca: {
    pattern: new RegExp(`^\\d{11,12}${ADD_ON}$`),
    holds: 'UPC-A must be 11 or 12 digits',
    checked: 12,
    hasAddOn: true,
    modules: 10,
  },
  // Twelve digits may be a UPC-A that can be written as a UPC-E: only the encoder knows.
  upce: {
    pattern: new RegExp(`^(\\d{7,8}|\\d{11,12})${ADD_ON}$`),
    holds: 'UPC-E must be 7 or 8 digits',
    modules: 10,
  },
  itf14: { pattern: /^ *(\d *){13,14}$/, holds: 'ITF-14 must be 13 or 14 digits', checked: 14, modules: 10 },
  code39: {
    pattern: /^[0-9A-Z .$/+%-]{1,500}$/,
    holds: 'Code 39 must be at most 500 digits, capital letters, spaces and the symbols -.$/+%',
    modules: 16,
  },
  code128: { pattern: /^.{1,500}$/s, holds: 'Code 128 must be at most 500 characters', bytes: 500, modules: 22 },
  'gs1-128': {
    pattern: GS1_ELEMENTS,
    holds: 'GS1-128 must be application identifiers in brackets, each with its value, such as "(01)04012345123456"',
    modules: 12,
  },
  datamatrix: { bytes: 1_555, modules: 32 },
  'gs1-qr': {
    pattern: GS1_ELEMENTS,
    holds:
      'a GS1 QR code must be application identifiers in brackets, each with its value, such as "(01)04012345123456"',
    bytes: 1_600,
    modules: 20,
  },
  pdf417: { bytes: 1_110, modules: 130 },
  azteccode: { bytes: 1_914, modules: 30 },
};
/** Modules of a symbol of one character: for PDF417, whose rows are long, and for the others. */
const [SMALLEST_STACKED, SMALLEST] = [2_600, 300];
const QUIET_ZONE = 2;

/** With its article. */
export const codeNamed = (format: string): string => `${/^[aei]/.test(format) ? 'an' : 'a'} ${format} code`;

function checkBarcode({ value, format, quietZone }: CheckedBarcode, path: string): CodeSize {
  const { pattern, holds, bytes: capacity = Number.POSITIVE_INFINITY, checked, hasAddOn, modules } = FORMATS[format];
  const refuse = (reason: string) => new ValidationError(path, `cannot be ${codeNamed(format)}: ${reason}`);
  if (pattern && !pattern.test(value)) throw refuse(holds ?? '');
  const digits = checked && (hasAddOn ? value.replace(/ .*/, '') : value.replaceAll(' ', ''));
  if (digits && digits.length === checked && checkDigit(digits.slice(0, -1)) !== digits.at(-1)) {
    throw refuse('its check digit is wrong');
  }
  if (!['gs1-128', 'gs1-qr', 'datamatrix'].includes(format) && isGs1(value)) {
    throw refuse(
      'it would hold the brackets of GS1 elements as they are; use the format "gs1-128", "gs1-qr" or "datamatrix"',
    );
  }
  const bytes = utf8Length(value);
  if (bytes > value.length && bytes > capacity) throw refuse(`it holds at most ${capacity} bytes of UTF-8`);
  const symbol = (format === 'pdf417' ? SMALLEST_STACKED : SMALLEST) + bytes * modules;
  // Bars have no quiet zone above and below, and are one module high.
  const side = Math.sqrt(symbol) + (pattern && format !== 'gs1-qr' ? 0 : 2 * (quietZone ?? QUIET_ZONE));
  return { characters: value.length, modules: Math.ceil(side ** 2) };
}

function utf8Length(text: string): number {
  let length = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    // Each half of a surrogate pair stands for two of its four bytes.
    length += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  return length;
}
