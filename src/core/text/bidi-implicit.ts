// Resolves the types and levels of one isolating run sequence.
//
// UAX #9, rules W1 to W7, N1, N2, I1 and I2; N0 is at the end. A rule runs only if the sequence has types that
// it applies to, in one pass, so the time is linear.

import type { BidiUnits, IsolatingRunSequence } from './bidi-explicit.ts';
import { BIDI_CLASS, classSet } from './unicode-classes.ts';
import { CLOSING_BRACKET } from './unicode-data.ts';

const { L, R, AL, EN, ES, ET, AN, CS, NSM, B, S, WS, ON, LRI, RLI, FSI, PDI } = BIDI_CLASS;

const STRONG = classSet(L, R, AL);
const NUMBERS = classSet(EN, AN);
const SEPARATORS = classSet(ES, CS);
const ISOLATE_CONTROLS = classSet(LRI, RLI, FSI, PDI);
/** NI: the types that N1 and N2 resolve. */
const NEUTRALS = classSet(B, S, WS, ON) | ISOLATE_CONTROLS;

/** Resolves the types of a sequence and writes the levels of its characters into `units.levels`. */
export function resolveSequence(units: BidiUnits, sequence: IsolatingRunSequence): void {
  const { positions, types, level } = sequence;
  const seen = resolveMarksAndLetters(sequence);
  if (seen & NUMBERS && seen & SEPARATORS) joinNumbers(types);
  if (seen & classSet(ET)) joinTerminators(types);
  if (seen & (SEPARATORS | classSet(ET))) replaceLeftovers(types);
  if (seen & classSet(EN)) resolveEuropeanNumbers(sequence);
  if (seen & (NEUTRALS | SEPARATORS | classSet(ET))) {
    resolveBrackets(units, sequence);
    resolveNeutrals(sequence);
  }
  const rise = level & 1 ? ODD_RISE : EVEN_RISE;
  for (let k = 0; k < types.length; k++) units.levels[positions[k]!] = level + rise[types[k]!]!;
}

/** I1, I2: by how much a resolved type raises an even and an odd level. */
const EVEN_RISE = new Uint8Array(32);
const ODD_RISE = new Uint8Array(32);
EVEN_RISE[R] = 1;
EVEN_RISE[EN] = EVEN_RISE[AN] = 2;
ODD_RISE[L] = ODD_RISE[EN] = ODD_RISE[AN] = 1;

/** W1, W2, W3. Returns the set of types present afterwards. */
function resolveMarksAndLetters({ types, startOfSequence }: IsolatingRunSequence): number {
  let seen = 0;
  let previous = startOfSequence;
  let lastStrong = startOfSequence;
  for (let k = 0; k < types.length; k++) {
    let type = types[k]!;
    if (type === NSM) type = (1 << previous) & ISOLATE_CONTROLS ? ON : previous;
    previous = type;
    if ((1 << type) & STRONG) lastStrong = type;
    if (type === EN && lastStrong === AL) type = AN;
    else if (type === AL) type = R;
    types[k] = type;
    seen |= 1 << type;
  }
  return seen;
}

/** W4: a single separator between two numbers of one kind joins them. */
function joinNumbers(types: Uint8Array): void {
  for (let k = 1; k + 1 < types.length; k++) {
    const type = types[k]!;
    const before = types[k - 1]!;
    if (!((1 << type) & SEPARATORS) || before !== types[k + 1]) continue;
    if (before === EN || (before === AN && type === CS)) types[k] = before;
  }
}

/** W5: terminators beside a European number belong to it. */
function joinTerminators(types: Uint8Array): void {
  for (let k = 0; k < types.length; k++) {
    if (types[k] !== ET) continue;
    let end = k + 1;
    while (end < types.length && types[end] === ET) end++;
    if (types[k - 1] === EN || types[end] === EN) types.fill(EN, k, end);
    k = end;
  }
}

/** W6: separators and terminators that belong to no number are neutral. */
function replaceLeftovers(types: Uint8Array): void {
  for (let k = 0; k < types.length; k++) if ((1 << types[k]!) & (SEPARATORS | classSet(ET))) types[k] = ON;
}

/** W7: European numbers in left-to-right text count as L. */
function resolveEuropeanNumbers({ types, startOfSequence }: IsolatingRunSequence): void {
  let lastStrong = startOfSequence;
  for (let k = 0; k < types.length; k++) {
    const type = types[k]!;
    if (type === L || type === R) lastStrong = type;
    else if (type === EN && lastStrong === L) types[k] = L;
  }
}

/** N1, N2: neutrals between text of one direction take that direction, others the embedding's. */
function resolveNeutrals({ types, level, startOfSequence, endOfSequence }: IsolatingRunSequence): void {
  const embedding = level & 1 ? R : L;
  const direction = (type: number) => ((1 << type) & NUMBERS ? R : type);
  let before = startOfSequence;
  for (let k = 0; k < types.length; k++) {
    const type = types[k]!;
    if (!((1 << type) & NEUTRALS)) {
      before = direction(type);
      continue;
    }
    let end = k + 1;
    while (end < types.length && (1 << types[end]!) & NEUTRALS) end++;
    const after = end < types.length ? direction(types[end]!) : endOfSequence;
    types.fill(before === after ? before : embedding, k, end);
    k = end - 1;
  }
}

// Gives both brackets of a pair the same direction: UAX #9, BD14 to BD16 and rule N0.
//
// One pass pairs the brackets and records the strong types inside each pair, a second resolves the pairs in order of
// their openers. Both are linear, however brackets are nested.

/** BD16: deeper nesting ends the search. */
const MAX_OPEN = 63;

/** `opener` and `closer` are indices into the sequence. */
interface BracketPair {
  readonly opener: number;
  readonly closer: number;
  /** Whether strong types lie between the two: of the embedding's direction, and of the opposite one. */
  readonly holdsEmbedding: boolean;
  readonly holdsOpposite: boolean;
}

/** N0: gives each pair of brackets the direction of its content, or of the text before it. */
function resolveBrackets({ text, classes }: BidiUnits, sequence: IsolatingRunSequence): void {
  const { positions, types, level, startOfSequence } = sequence;
  const embedding = level & 1 ? R : L;
  const settle = (bracket: number, direction: number) => {
    types[bracket] = direction;
    // Marks on a bracket became neutral with it (W1); now they follow it.
    for (let k = bracket + 1; k < types.length && classes[positions[k]!] === NSM; k++) types[k] = direction;
  };

  let context = startOfSequence;
  let k = 0;
  for (const { opener, closer, holdsEmbedding, holdsOpposite } of bracketPairs(text, sequence)) {
    for (; k < opener; k++) context = strongDirection(types[k]!) ?? context;
    if (!holdsEmbedding && !holdsOpposite) continue;
    const direction = holdsEmbedding ? embedding : context;
    settle(opener, direction);
    settle(closer, direction);
  }
}

/** BD16: the pairs of a sequence, in order of their openers. */
function bracketPairs(text: string, { positions, types, level }: IsolatingRunSequence): readonly BracketPair[] {
  const embedding = level & 1 ? R : L;
  const pairs: BracketPair[] = [];
  /** Unmatched openers, and the number of strong types of each kind before them. */
  const open: { opener: number; closing: number; embeddings: number; opposites: number }[] = [];
  let embeddings = 0;
  let opposites = 0;

  for (let k = 0; k < types.length; k++) {
    const type = types[k]!;
    if (type !== ON) {
      const direction = strongDirection(type);
      if (direction === embedding) embeddings++;
      else if (direction !== null) opposites++;
      continue;
    }
    const unit = text.charCodeAt(positions[k]!);
    const closing = CLOSING_BRACKET.get(unit);
    if (closing !== undefined) {
      if (open.length === MAX_OPEN) break;
      open.push({ opener: k, closing: canonical(closing), embeddings, opposites });
    } else if (open.length > 0 && CLOSERS.has(unit)) {
      const match = open.findLastIndex((bracket) => bracket.closing === canonical(unit));
      const before = open[match];
      if (!before) continue;
      open.length = match;
      pairs.push({
        opener: before.opener,
        closer: k,
        holdsEmbedding: embeddings > before.embeddings,
        holdsOpposite: opposites > before.opposites,
      });
    }
  }
  return pairs.sort((a, b) => a.opener - b.opener);
}

const CLOSERS: ReadonlySet<number> = new Set(CLOSING_BRACKET.values());

/** Two pairs of angle brackets are canonically equivalent, U+2329, U+232A and U+3008, U+3009; they pair crosswise. */
function canonical(closing: number): number {
  return closing === 0x232a ? 0x3009 : closing;
}

/** Numbers count as R for N0; null for what has no direction. */
function strongDirection(type: number): number | null {
  return type === L ? L : type === R || type === EN || type === AN ? R : null;
}
