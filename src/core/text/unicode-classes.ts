// Numbers for Unicode's property values, as used in our tables and rules.
//
// The generator writes these numbers and the algorithms compare them; the names are those of the standard's own tables.

/** Bidi_Class (UAX #9, table 4). */
export const BIDI_CLASS = {
  L: 0,
  R: 1,
  AL: 2,
  EN: 3,
  ES: 4,
  ET: 5,
  AN: 6,
  CS: 7,
  NSM: 8,
  BN: 9,
  B: 10,
  S: 11,
  WS: 12,
  ON: 13,
  LRE: 14,
  LRO: 15,
  RLE: 16,
  RLO: 17,
  PDF: 18,
  LRI: 19,
  RLI: 20,
  FSI: 21,
  PDI: 22,
} as const;

/**
 * Line_Break (UAX #14, table 1), subdivided where rules need it. AI, SG and XX are already mapped to AL (LB1).
 */
export const LINE_BREAK_CLASS = {
  AL: 0,
  B2: 1,
  BA: 2,
  BB: 3,
  BK: 4,
  CB: 5,
  CJ: 6,
  CL: 7,
  CM: 8,
  CP: 9,
  CR: 10,
  EB: 11,
  EM: 12,
  EX: 13,
  GL: 14,
  H2: 15,
  H3: 16,
  HL: 17,
  HY: 18,
  ID: 19,
  IN: 20,
  IS: 21,
  JL: 22,
  JT: 23,
  JV: 24,
  LF: 25,
  NL: 26,
  NS: 27,
  NU: 28,
  OP: 29,
  PO: 30,
  PR: 31,
  QU: 32,
  RI: 33,
  SA: 34,
  SP: 35,
  SY: 36,
  WJ: 37,
  ZW: 38,
  ZWJ: 39,
  /** OP of East_Asian_Width F, W or H, which LB30 excludes. (CP has none.) */
  OP_WIDE: 40,
  /** ID that is Extended_Pictographic and not assigned: future emoji, for LB30b. */
  ID_RESERVED: 41,
  /** SA of General_Category Mn or Mc, which LB1 turns into CM. */
  SA_MARK: 42,
  /** QU of General_Category Pi or Pf: the opening and the closing marks. */
  QU_INITIAL: 43,
  QU_FINAL: 44,
} as const;

/** Bits for further properties of a character. */
export const TRAIT = {
  /** UTS #51 Emoji; code points that are reserved for emoji count as such. */
  EMOJI: 1,
  EMOJI_PRESENTATION: 2,
  EMOJI_MODIFIER: 4,
  EMOJI_MODIFIER_BASE: 8,
  /** Extends the character before it: Grapheme_Extend or General_Category Mc. */
  EXTENDS: 16,
} as const;

/**
 * Vertical_Orientation (UAX #50): rotated; upright; with a vertical form, or else upright; the same, or else rotated.
 */
export const VERTICAL_ORIENTATION = { R: 0, U: 1, Tu: 2, Tr: 3 } as const;

/** A set of classes as bits, to be tested with `(1 << bidiClass) & set`. Only for numbers below 32. */
export function classSet(...classes: readonly number[]): number {
  return classes.reduce((set, number) => set | (1 << number), 0);
}
