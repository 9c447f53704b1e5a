// Encodes a value as the modules of a QR code, with uqr, or of a barcode, with the injected encoder.
//
// QR follows ISO/IEC 18004; the other symbologies are as BWIPP encodes them. The quiet zone is part of the result.

import { encode } from 'uqr';
import { ValidationError } from '../diagnostics.ts';
import type { BarcodeLayer, QrLayer } from '../template/layer.ts';
import { codeNamed, qrTooLong } from './check-code.ts';
import { isGs1 } from './printed-digits.ts';
import type { CodeModules, CodeNeed } from './scene.ts';

/** The result of bwip-js's `raw`: alternating widths of bars and spaces, or modules row by row. */
type RawSymbol =
  | { readonly sbs: readonly number[] }
  | { readonly pixs: readonly number[]; readonly pixx: number; readonly pixy: number };

/**
 * bwip-js's `raw`, handed in because it is by far the largest library of a render (930 KB).
 *
 * @throws Error whose message says, after a colon, why the value cannot be encoded
 */
export type EncodeSymbol = (options: { readonly bcid: string; readonly text: string }) => readonly RawSymbol[];

/** Modules of margin on each side: GS1 General Specifications, ISO/IEC 15438, 16022 and 24778. */
const QUIET_ZONE: Readonly<Partial<Record<BarcodeLayer['format'], number>>> = {
  datamatrix: 1,
  'gs1-qr': 4,
  azteccode: 0,
  pdf417: 2,
};

/**
 * @param encodeSymbol for barcodes; never called for QR codes
 * @throws ValidationError at the need's path when the format cannot hold the value
 */
export function encodeCode(
  { format, value, errorCorrection, quietZone, path }: CodeNeed,
  encodeSymbol: EncodeSymbol,
): CodeModules {
  if (format === 'qr') return encodeQr(value, errorCorrection ?? 'M', quietZone ?? 0, path);
  const symbol = rawSymbol(encodeSymbol, value, format, path);
  const modules = 'sbs' in symbol ? barsOf(symbol) : matrixOf(symbol);
  const margin = quietZone ?? QUIET_ZONE[format] ?? 10;
  return surround(modules, margin, modules.rows === 1 ? 0 : margin);
}

function encodeQr(
  value: string,
  errorCorrection: QrLayer['errorCorrection'],
  quietZone: number,
  path: string,
): CodeModules {
  try {
    const { data, size } = encode(value, { ecc: errorCorrection, border: 0 });
    return surround({ columns: size, rows: size, dark: data.flat() }, quietZone, quietZone);
  } catch (cause) {
    throw withCause(qrTooLong(path, errorCorrection), cause);
  }
}

/** Alternating bar and space widths, a bar first. */
function barsOf({ sbs }: Extract<RawSymbol, { sbs: unknown }>): CodeModules {
  const dark = sbs.flatMap((width, i) => new Array<boolean>(width).fill(i % 2 === 0));
  return { columns: dark.length, rows: 1, dark };
}

/**
 * BWIPP returns each row of a stacked symbol once, and their total height in modules: a row of PDF417 is three high.
 */
function matrixOf({ pixs, pixx: columns, pixy: rows }: Extract<RawSymbol, { pixs: unknown }>): CodeModules {
  const rowHeight = (rows * columns) / pixs.length;
  const dark = Array.from({ length: rows * columns }, (_, module) => {
    const row = Math.floor(Math.floor(module / columns) / rowHeight);
    return pixs[row * columns + (module % columns)] === 1;
  });
  return { columns, rows, dark };
}

function rawSymbol(encode: EncodeSymbol, value: string, format: BarcodeLayer['format'], path: string): RawSymbol {
  try {
    // GS1 elements begin with FNC1, as in GS1-128, and their brackets are not encoded.
    const bcid = format === 'gs1-qr' ? 'gs1qrcode' : format === 'datamatrix' && isGs1(value) ? 'gs1datamatrix' : format;
    const [symbol] = encode({ bcid, text: value });
    if (!symbol) throw new Error('bwipp#0: nothing was encoded');
    return symbol;
  } catch (cause) {
    // "bwipp.ean13badLength#6878: EAN-13 must be 12 or 13 digits" → the sentence after the colon.
    const message = cause instanceof Error ? cause.message : 'cannot be encoded';
    const [, name = '', sentence = ''] = /^([^:]*):(.*)$/s.exec(message) ?? [];
    const reason = /bwipp/i.test(name) ? sentence.trimStart() : message;
    throw withCause(new ValidationError(path, `cannot be ${codeNamed(format)}: ${reason}`), cause);
  }
}

function withCause(error: ValidationError, cause: unknown): ValidationError {
  error.cause = cause;
  return error;
}

function surround(inner: CodeModules, x: number, y: number): CodeModules {
  if (x === 0 && y === 0) return inner;
  const columns = inner.columns + 2 * x;
  const rows = inner.rows + 2 * y;
  const dark = new Array<boolean>(columns * rows).fill(false);
  for (let row = 0; row < inner.rows; row++) {
    for (let column = 0; column < inner.columns; column++) {
      dark[(row + y) * columns + column + x] = inner.dark[row * inner.columns + column] === true;
    }
  }
  return { columns, rows, dark };
}
