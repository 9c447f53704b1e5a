// Encodes a glyph's outline as a Type 2 charstring (Adobe Technical Note 5177), the form in which a CFF font stores a
// glyph.
//
// Coordinates are rounded to whole font units before they are made relative, so that rounding errors do not add up
// along a contour. Each segment uses the operator that needs the fewest numbers, and shares it with preceding segments
// where possible.

import type { PathData } from '#core/path.ts';

/** Each operator's code, and the operator under which the next segment can continue it. */
const OPERATORS = {
  vmoveto: { code: 4, goesOn: null },
  rlineto: { code: 5, goesOn: 'rlineto' },
  hlineto: { code: 6, goesOn: 'vlineto' },
  vlineto: { code: 7, goesOn: 'hlineto' },
  rrcurveto: { code: 8, goesOn: 'rrcurveto' },
  rmoveto: { code: 21, goesOn: null },
  hmoveto: { code: 22, goesOn: null },
  vvcurveto: { code: 26, goesOn: 'vvcurveto' },
  hhcurveto: { code: 27, goesOn: 'hhcurveto' },
  vhcurveto: { code: 30, goesOn: 'hvcurveto' },
  hvcurveto: { code: 31, goesOn: 'vhcurveto' },
} as const;
const ENDCHAR = 14;

type Operator = keyof typeof OPERATORS;
/** A segment encoded on its own. */
type Spelling = readonly [operator: Operator, ...numbers: readonly number[]];

/** The interpreter's argument stack holds 48 numbers. */
const MAX_ARGUMENTS = 48;

/**
 * @param advance the glyph's width in font units
 * @param outline in font units, y up; contours are closed, as a fill closes them
 */
export function charstring(advance: number, outline: PathData): Uint8Array {
  // The width comes first on the stack, as its difference from nominalWidthX, which is 0.
  const bytes = [...integer(Math.round(advance))];
  let underWay: Operator | null = null;
  let stacked = 0;
  let goesOn: Operator | null = null;
  for (const [operator, ...numbers] of spellings(outline)) {
    if (operator !== goesOn || stacked + numbers.length > MAX_ARGUMENTS) {
      if (underWay) bytes.push(OPERATORS[underWay].code);
      underWay = operator;
      stacked = 0;
    }
    for (const number of numbers) bytes.push(...integer(number));
    stacked += numbers.length;
    goesOn = OPERATORS[operator].goesOn;
  }
  if (underWay) bytes.push(OPERATORS[underWay].code);
  bytes.push(ENDCHAR);
  return Uint8Array.from(bytes);
}

function spellings(outline: PathData): readonly Spelling[] {
  const list: Spelling[] = [];
  let x = 0;
  let y = 0;
  let startX = 0;
  let startY = 0;
  const step = (toX: number, toY: number): readonly [dx: number, dy: number] => {
    const dx = Math.round(toX) - x;
    const dy = Math.round(toY) - y;
    x += dx;
    y += dy;
    return [dx, dy];
  };
  outline.forEach((segment, i) => {
    switch (segment[0]) {
      case 'M':
        list.push(move(...step(segment[1], segment[2])));
        startX = x;
        startY = y;
        break;
      case 'L': {
        const isBack = Math.round(segment[1]) === startX && Math.round(segment[2]) === startY;
        // A contour is closed implicitly, so a line back to its start is omitted. The next contour is then relative to
        // the last point that was written.
        if (!isBack || outline[i + 1]?.[0] !== 'Z') list.push(line(...step(segment[1], segment[2])));
        break;
      }
      case 'C': {
        const [, x1, y1, x2, y2, x3, y3] = segment;
        list.push(curve(...step(x1, y1), ...step(x2, y2), ...step(x3, y3)));
        break;
      }
      case 'Z':
        break;
    }
  });
  return list;
}

function move(dx: number, dy: number): Spelling {
  if (dy === 0) return ['hmoveto', dx];
  return dx === 0 ? ['vmoveto', dy] : ['rmoveto', dx, dy];
}

function line(dx: number, dy: number): Spelling {
  if (dy === 0) return ['hlineto', dx];
  return dx === 0 ? ['vlineto', dy] : ['rlineto', dx, dy];
}

/** Curves that start or end horizontally or vertically, as at a letter's extremes, omit the zero deltas. */
function curve(dxa: number, dya: number, dxb: number, dyb: number, dxc: number, dyc: number): Spelling {
  if (dya === 0 && dyc === 0) return ['hhcurveto', dxa, dxb, dyb, dxc];
  if (dya === 0 && dxc === 0) return ['hvcurveto', dxa, dxb, dyb, dyc];
  if (dxa === 0 && dyc === 0) return ['vhcurveto', dya, dxb, dyb, dxc];
  if (dxa === 0 && dxc === 0) return ['vvcurveto', dya, dxb, dyb, dyc];
  return ['rrcurveto', dxa, dya, dxb, dyb, dxc, dyc];
}

/** A whole number as charstrings and DICTs (Technical Note 5176) store it; clamped to 16 bits, as font units are. */
export function integer(value: number): readonly number[] {
  if (value >= -107 && value <= 107) return [value + 139];
  if (value >= 108 && value <= 1131) return [((value - 108) >> 8) + 247, (value - 108) & 255];
  if (value >= -1131 && value <= -108) return [((-value - 108) >> 8) + 251, (-value - 108) & 255];
  const v = Math.min(32767, Math.max(-32768, value));
  return [28, (v >> 8) & 255, v & 255];
}
