// Encodes a value as the modules of a QR code, with uqr, or of a barcode, with the injected encoder.
//
// QR follows ISO/IEC 18004; the other symbologies are as BWIPP encodes them. The quiet zone is part of the result.
// Encoded values are cached: a template draws the same codes again and again.

import { encode } from 'uqr';
import { ValidationError } from '../diagnostics.ts';
import { LruCache } from '../lru-cache.ts';
import type { BarcodeLayer, QrLayer } from '../template/layer.ts';
import { barcodeEncoder, type EncodeSymbol, type RawSymbol } from './barcode-encoder.ts';
import { qrTooLong } from './check-code.ts';
import type { CodeModules } from './scene.ts';

/** Symbols without quiet zones, by format, error correction and value; limited by total modules, of 8 bytes each. */
const encoded = new LruCache<string, CodeModules>(1_000_000);

function encodedOnce(key: string, encode: () => CodeModules): CodeModules {
  let modules = encoded.get(key);
  if (!modules) {
    modules = encode();
    encoded.set(key, modules, modules.dark.length);
  }
  return modules;
}

/** @throws ValidationError at `path` when the value is too long for the error correction level */
export function encodeQr(
  value: string,
  errorCorrection: QrLayer['errorCorrection'],
  quietZone: number,
  path: string,
): CodeModules {
  const modules = encodedOnce(`qr ${errorCorrection} ${value}`, () => {
    try {
      const { data, size } = encode(value, { ecc: errorCorrection, border: 0 });
      return { columns: size, rows: size, dark: data.flat() };
    } catch (cause) {
      throw withCause(qrTooLong(path, errorCorrection), cause);
    }
  });
  return surround(modules, quietZone, quietZone);
}

/** Symbologies whose modules must stay square. */
const SQUARE: readonly BarcodeLayer['format'][] = ['datamatrix', 'azteccode'];

/** Modules of margin on each side: GS1 General Specifications, ISO/IEC 15438, 16022 and 24778. */
const QUIET_ZONE: Readonly<Partial<Record<BarcodeLayer['format'], number>>> = {
  datamatrix: 1,
  azteccode: 0,
  pdf417: 2,
};

/**
 * Returns null while there is no encoder.
 *
 * @throws ValidationError at `path` when the symbology cannot hold the value
 */
export function encodeBarcode(
  value: string,
  format: BarcodeLayer['format'],
  quietZone: number | null,
  path: string,
): { readonly modules: CodeModules; readonly square: boolean } | null {
  const encode = barcodeEncoder();
  if (!encode) return null;
  const margin = quietZone ?? QUIET_ZONE[format] ?? 10;
  const modules = encodedOnce(`${format} ${value}`, () => {
    const symbol = rawSymbol(encode, value, format, path);
    if (!('sbs' in symbol)) return matrixOf(symbol);
    // Alternating bar and space widths, a bar first.
    const dark = symbol.sbs.flatMap((width, i) => new Array<boolean>(width).fill(i % 2 === 0));
    return { columns: dark.length, rows: 1, dark };
  });
  return { modules: surround(modules, margin, modules.rows === 1 ? 0 : margin), square: SQUARE.includes(format) };
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
    const [symbol] = encode({ bcid: format, text: value });
    if (!symbol) throw new Error('bwipp#0: nothing was encoded');
    return symbol;
  } catch (cause) {
    // "bwipp.ean13badLength#6878: EAN-13 must be 12 or 13 digits" → the sentence after the colon.
    const reason = cause instanceof Error ? cause.message.replace(/^[^:]*bwipp[^:]*:\s*/i, '') : 'cannot be encoded';
    throw withCause(new ValidationError(path, `cannot be a ${format} code: ${reason}`), cause);
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
