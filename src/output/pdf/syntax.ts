// Values as PDF tokens: numbers, matrices, paths and strings, as they stand in a content stream (ISO 32000-1, 7.3).
//
// Numbers never come out in exponent form, which PDF does not know, nor as NaN: a bad coordinate is a bug and throws.

import type { Matrix, Rect } from '#core/geometry.ts';
import type { PathData } from '#core/path.ts';

/** A real number with up to `decimals` places, at most 6; the default keeps a path exact to 1/10,000 px. */
export function num(value: number, decimals = 4): string {
  if (!Number.isFinite(value)) throw new Error(`${value} cannot be written in a PDF.`);
  // Readers keep coordinates in single floats; beyond this nothing can be seen anyway.
  const bounded = Math.min(1e9, Math.max(-1e9, value));
  const power = 10 ** decimals;
  return String(Math.round(bounded * power) / power + 0);
}

export function nums(values: readonly number[]): string {
  return values.map((value) => num(value)).join(' ');
}

/** The six numbers of `cm`. Scales get more places than offsets: they are multiplied by whole lengths. */
export function matrix(m: Matrix): string {
  const scales = m.slice(0, 4).map((value) => num(value, 6));
  return `${scales.join(' ')} ${num(m[4])} ${num(m[5])}`;
}

export function rectPath(r: Rect): string {
  return `${nums([r.x, r.y, r.width, r.height])} re`;
}

/** Path construction operators (8.5.2). */
export function pathOperators(path: PathData): string {
  const parts: string[] = [];
  for (const segment of path) {
    switch (segment[0]) {
      case 'M':
        parts.push(`${num(segment[1])} ${num(segment[2])} m`);
        break;
      case 'L':
        parts.push(`${num(segment[1])} ${num(segment[2])} l`);
        break;
      case 'C':
        parts.push(`${nums(segment.slice(1) as unknown as number[])} c`);
        break;
      case 'Z':
        parts.push('h');
        break;
    }
  }
  return parts.join('\n');
}

/** UTF-16BE in hexadecimal, without a byte order mark; lone surrogates become U+FFFD. */
export function utf16Hex(text: string): string {
  const wellFormed = text.toWellFormed();
  let hex = '';
  for (let i = 0; i < wellFormed.length; i++) hex += wellFormed.charCodeAt(i).toString(16).padStart(4, '0');
  return hex;
}
