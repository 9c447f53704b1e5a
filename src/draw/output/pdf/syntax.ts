// Writes values as PDF tokens: numbers, matrices, paths and strings of content streams (ISO 32000-1, 7.3).
//
// Numbers never use exponent form, which PDF does not have, and are never NaN: a bad coordinate is a bug and throws.

import type { Matrix, Rect } from '#core/geometry.ts';
import type { PathData, PathSegment } from '#core/path.ts';

const POWERS = { 0: 1, 1: 10, 2: 1e2, 4: 1e4, 6: 1e6 } as const;

/** A real number with up to `decimals` places; the default keeps a path exact to 1/10,000 px. */
export function num(value: number, decimals: keyof typeof POWERS = 4): string {
  return String(rounded(value, decimals));
}

/** The number that `num` writes. */
export function rounded(value: number, decimals: keyof typeof POWERS): number {
  if (!Number.isFinite(value)) throw new Error(`${value} cannot be written in a PDF.`);
  // Readers store coordinates as single-precision floats; nothing beyond this is visible anyway.
  const bounded = Math.min(1e9, Math.max(-1e9, value));
  const power = POWERS[decimals];
  return Math.round(bounded * power) / power + 0;
}

export function nums(values: readonly number[]): string {
  return values.map((value) => num(value)).join(' ');
}

/** The six numbers of `cm`. Scales get more decimals than offsets, because lengths are multiplied by them. */
export function matrix(m: Matrix): string {
  const scales = m.slice(0, 4).map((value) => num(value, 6));
  return `${scales.join(' ')} ${num(m[4])} ${num(m[5])}`;
}

export function rectOperators(r: Rect): string {
  return `${nums([r.x, r.y, r.width, r.height])} re`;
}

/** The path of an unchanged layer is the same object in every render. */
const KEPT = new WeakMap<PathData, string>();
/**
 * Segments up to which a path is written anew: V8 keeps the values of a WeakMap until it collects the whole heap, and a
 * long table has two rules a row.
 */
const SHORT = 10;

/** Path construction operators (8.5.2). */
export function pathOperators(path: PathData): string {
  if (path.length <= SHORT) return operatorsOf(path).join('\n');
  let operators = KEPT.get(path);
  if (operators === undefined) {
    operators = operatorsOf(path).join('\n');
    KEPT.set(path, operators);
  }
  return operators;
}

function operatorsOf(path: PathData): readonly string[] {
  const operators: string[] = [];
  for (let i = 0; i < path.length; i += 1) {
    const rect = rectAt(path, i);
    if (rect) {
      operators.push(rectOperators(rect));
      i += 4;
    } else operators.push(segmentOperator(path[i] as PathSegment));
  }
  return operators;
}

/** The rectangle that five segments draw as `re` would: a table has two such rules a row. */
function rectAt(path: PathData, start: number): Rect | null {
  const [from, across, down] = [path[start], path[start + 1], path[start + 2]];
  const [back, close] = [path[start + 3], path[start + 4]];
  if (from?.[0] !== 'M' || across?.[0] !== 'L' || down?.[0] !== 'L' || back?.[0] !== 'L' || close?.[0] !== 'Z')
    return null;
  const [, x, y] = from;
  const [, right, bottom] = down;
  const isRect = across[1] === right && across[2] === y && back[1] === x && back[2] === bottom;
  return isRect ? { x, y, width: right - x, height: bottom - y } : null;
}

function segmentOperator(segment: PathSegment): string {
  switch (segment[0]) {
    case 'M':
      return `${num(segment[1])} ${num(segment[2])} m`;
    case 'L':
      return `${num(segment[1])} ${num(segment[2])} l`;
    case 'C': {
      const [, x1, y1, x2, y2, x, y] = segment;
      return `${nums([x1, y1, x2, y2, x, y])} c`;
    }
    case 'Z':
      return 'h';
  }
}

/** UTF-16BE in hexadecimal, without a byte order mark; lone surrogates become U+FFFD. */
export function utf16Hex(text: string): string {
  const wellFormed = text.toWellFormed();
  let hex = '';
  for (let i = 0; i < wellFormed.length; i++) hex += wellFormed.charCodeAt(i).toString(16).padStart(4, '0');
  return hex;
}

/** The bytes of a text of hexadecimal digits, two each. */
export function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}
