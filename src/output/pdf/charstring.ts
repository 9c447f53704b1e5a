// A glyph's outline in, a Type 2 charstring out (Adobe Technical Note 5177): what a CFF font stores per glyph.
//
// Coordinates are rounded to whole font units before they are made relative, so that no error adds up along a contour.

import type { PathData } from '#core/path.ts';

const RMOVETO = 21;
const RLINETO = 5;
const RRCURVETO = 8;
const ENDCHAR = 14;

/** The interpreter's argument stack holds 48 numbers. */
const MAX_ARGUMENTS = 48;

/**
 * @param advance the glyph's width in font units
 * @param outline in font units, y up; contours are closed, as a fill closes them
 */
export function charstring(advance: number, outline: PathData): Uint8Array {
  const bytes: number[] = [];
  let pending: { readonly operator: number; readonly arguments: number[] } | null = null;
  let x = 0;
  let y = 0;

  const flush = () => {
    if (pending === null) return;
    for (const value of pending.arguments) bytes.push(...integer(value));
    bytes.push(pending.operator);
    pending = null;
  };
  /** Runs of one drawing operator share it. */
  const draw = (operator: number, points: readonly number[]) => {
    if (pending?.operator !== operator || pending.arguments.length + points.length > MAX_ARGUMENTS) {
      flush();
      pending = { operator, arguments: [] };
    }
    for (let i = 0; i < points.length; i += 2) {
      const toX = Math.round(points[i] ?? 0);
      const toY = Math.round(points[i + 1] ?? 0);
      pending?.arguments.push(toX - x, toY - y);
      x = toX;
      y = toY;
    }
  };

  // The width comes first on the stack, as its difference from nominalWidthX, which is 0.
  bytes.push(...integer(Math.round(advance)));
  for (const segment of outline) {
    switch (segment[0]) {
      case 'M':
        flush();
        draw(RMOVETO, [segment[1], segment[2]]);
        flush();
        break;
      case 'L':
        draw(RLINETO, [segment[1], segment[2]]);
        break;
      case 'C':
        draw(RRCURVETO, [segment[1], segment[2], segment[3], segment[4], segment[5], segment[6]]);
        break;
      case 'Z':
        break;
    }
  }
  flush();
  bytes.push(ENDCHAR);
  return Uint8Array.from(bytes);
}

/** A whole number as charstrings and DICTs (Technical Note 5176) store it; clamped to 16 bits, as font units are. */
export function integer(value: number): readonly number[] {
  if (value >= -107 && value <= 107) return [value + 139];
  if (value >= 108 && value <= 1131) return [((value - 108) >> 8) + 247, (value - 108) & 255];
  if (value >= -1131 && value <= -108) return [((-value - 108) >> 8) + 251, (-value - 108) & 255];
  const v = Math.min(32767, Math.max(-32768, value));
  return [28, (v >> 8) & 255, v & 255];
}
