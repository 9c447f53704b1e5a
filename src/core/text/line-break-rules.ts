// Compiles the pair rules of UAX #14, written in the standard's notation, into lookup tables.
//
// Unicode 15.0, LB4 to LB31. Rules that need more than the two neighbours and the spaces between are in line-break.ts:
// marks (LB8a, LB9, LB10), Hebrew before a hyphen (LB21a), numbers (LB25) and flags (LB30a).

import { LINE_BREAK_CLASS } from './unicode-classes.ts';

/** A line must not end here; may end here; must end here. */
export const BREAK_PROHIBITED = 0;
export const BREAK_ALLOWED = 1;
export const BREAK_MANDATORY = 2;

/**
 * In order; the first rule that matches decides. `×` prohibits a break, `÷` allows it, `!` requires it. An empty side
 * is any class, `^` any class but these, `SP*` zero or more spaces. OP_WIDE is an OP, ID_RESERVED an ID.
 */
const RULES = `
  LB4   BK !
  LB5   CR × LF
  LB5   CR LF NL !
  LB6   × BK CR LF NL
  LB7   × SP ZW
  LB8   ZW SP* ÷
  LB11  × WJ
  LB11  WJ ×
  LB12  GL ×
  LB12a ^ SP BA HY × GL
  LB13  × CL CP EX IS SY
  LB14  OP OP_WIDE SP* ×
  LB15  QU SP* × OP OP_WIDE
  LB16  CL CP SP* × NS
  LB17  B2 SP* × B2
  LB18  SP ÷
  LB19  × QU
  LB19  QU ×
  LB20  ÷ CB
  LB20  CB ÷
  LB21  × BA HY NS
  LB21  BB ×
  LB21b SY × HL
  LB22  × IN
  LB23  AL HL × NU
  LB23  NU × AL HL
  LB23a PR × ID ID_RESERVED EB EM
  LB23a ID ID_RESERVED EB EM × PO
  LB24  PR PO × AL HL
  LB24  AL HL × PR PO
  LB25  PR PO OP OP_WIDE HY × NU
  LB26  JL × JL JV H2 H3
  LB26  JV H2 × JV JT
  LB26  JT H3 × JT
  LB27  JL JV JT H2 H3 × PO
  LB27  PR × JL JV JT H2 H3
  LB28  AL HL × AL HL
  LB29  IS × AL HL
  LB30  AL HL NU × OP
  LB30  CP × AL HL NU
  LB30b EB ID_RESERVED × EM
  LB31  ÷
`;

type ClassName = keyof typeof LINE_BREAK_CLASS;
const CLASS_NAMES = Object.keys(LINE_BREAK_CLASS) as ClassName[];
const CLASSES = CLASS_NAMES.length;
const VERDICTS: Readonly<Record<string, number>> = { '×': BREAK_PROHIBITED, '÷': BREAK_ALLOWED, '!': BREAK_MANDATORY };

/** The verdict between two adjacent classes. */
export function breakBetween(before: number, after: number): number {
  return ADJACENT[before * CLASSES + after]!;
}

/** The verdict after the last of the spaces between two classes. `before` is SP at the text's start. */
export function breakAfterSpaces(before: number, after: number): number {
  return SPACED[before * CLASSES + after]!;
}

const [ADJACENT, SPACED] = compile(RULES);

function compile(source: string): [Uint8Array, Uint8Array] {
  const adjacent = new Uint8Array(CLASSES * CLASSES);
  const spaced = new Uint8Array(CLASSES * CLASSES);
  // From the last rule to the first, so that earlier rules overwrite later ones.
  for (const line of source.trim().split('\n').reverse()) {
    const [, left = '', verdict = '', right = ''] = /^\s*LB\w+(?: ([^×÷!]*))?([×÷!])(.*)$/.exec(line) ?? [];
    const skipsSpaces = left.includes('SP*');
    const befores = classesOf(left.replace('SP*', ''));
    const value = VERDICTS[verdict] ?? BREAK_ALLOWED;
    for (const after of classesOf(right)) {
      for (const before of befores) adjacent[before * CLASSES + after] = value;
      // After spaces the neighbour is SP, unless the rule looks past them.
      if (skipsSpaces) for (const before of befores) spaced[before * CLASSES + after] = value;
      else if (befores.includes(LINE_BREAK_CLASS.SP)) {
        for (let before = 0; before < CLASSES; before++) spaced[before * CLASSES + after] = value;
      }
    }
  }
  return [adjacent, spaced];
}

/** The classes that one side of a rule names. */
function classesOf(side: string): number[] {
  const names = side.split(' ').filter((name) => name !== '');
  const isNegated = names[0] === '^';
  const everything = isNegated || names.length === 0;
  return CLASS_NAMES.filter((name) => names.includes(name) !== everything).map((name) => LINE_BREAK_CLASS[name]);
}
