// Gives both brackets of a pair the same direction: UAX #9, BD14 to BD16 and rule N0.
//
// One pass pairs the brackets and records the strong types inside each pair, a second resolves the pairs in order of
// their openers. Both are linear, however brackets are nested.

import type { BidiUnits, IsolatingRunSequence } from './bidi-explicit.ts';
import { BIDI_CLASS } from './unicode-classes.ts';
import { CLOSING_BRACKET } from './unicode-data.ts';

const { L, R, EN, AN, NSM, ON } = BIDI_CLASS;

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
export function resolveBrackets({ text, classes }: BidiUnits, sequence: IsolatingRunSequence): void {
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
