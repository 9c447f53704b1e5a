// Resolves embeddings, overrides and isolates to explicit levels, and finds the isolating run sequences of a paragraph.
//
// UAX #9, rules X1 to X10. Each step is one pass over the paragraph, without recursion.

import { BIDI_CLASS, classSet } from './unicode-classes.ts';

const { L, R, AL, BN, B, LRE, LRO, RLE, RLO, PDF, LRI, RLI, FSI, PDI } = BIDI_CLASS;

const ISOLATE_INITIATORS = classSet(LRI, RLI, FSI);
/** The characters that rule X9 removes: they keep their place in the text, but no later rule sees them. */
const REMOVED = classSet(BN, LRE, LRO, RLE, RLO, PDF);
const EXPLICIT = classSet(LRE, LRO, RLE, RLO, PDF, LRI, RLI, FSI, PDI);

/** BD2. */
const MAX_DEPTH = 125;

/** The state that the rules share, with one value for each UTF-16 unit. */
export interface BidiUnits {
  readonly text: string;
  /** Bidi_Class. */
  readonly classes: Uint8Array;
  /** Bidi_Class, or the class that an override gives instead. */
  readonly types: Uint8Array;
  /** Embedding level. */
  readonly levels: Uint8Array;
}

/** The input of rules X1 to X10: UTF-16 offsets and paragraph level. */
interface Paragraph {
  readonly start: number;
  readonly end: number;
  readonly level: 0 | 1;
}

/** The isolates of a paragraph, and the direction in which it and each of them begins. */
export interface Isolates {
  /** Offset of an isolate initiator → offset of its PDI, where it has one (BD9). */
  readonly pdiOf: ReadonlyMap<number, number>;
  /** The PDIs among those. */
  readonly matched: ReadonlySet<number>;
  /** Offset of an isolate initiator, or PARAGRAPH → the level of its first strong character, if any. */
  readonly firstStrong: ReadonlyMap<number, 0 | 1>;
}

/** The key for the paragraph itself, among offsets of isolate initiators. */
export const PARAGRAPH = -1;

/** BD9, P2, P3: pairs the isolates of a paragraph, and finds the first strong character of each and of the whole. */
export function matchIsolates({ classes }: BidiUnits, start: number, end: number): Isolates {
  const pdiOf = new Map<number, number>();
  const matched = new Set<number>();
  const firstStrong = new Map<number, 0 | 1>();
  const open: number[] = [];
  let inside = PARAGRAPH;
  let isDecided = false;
  for (let i = start; i < end; i++) {
    const bidiClass = classes[i]!;
    if (bidiClass === L || bidiClass === R || bidiClass === AL) {
      if (!isDecided) firstStrong.set(inside, bidiClass === L ? 0 : 1);
      isDecided = true;
    } else if (isInitiator(bidiClass)) {
      open.push(i);
      inside = i;
      isDecided = false;
    } else if (bidiClass === PDI && open.length > 0) {
      pdiOf.set(inside, i);
      matched.add(i);
      open.pop();
      inside = open.at(-1) ?? PARAGRAPH;
      isDecided = firstStrong.has(inside);
    }
  }
  return { pdiOf, matched, firstStrong };
}

/** An entry of the directional status stack (X1), as a list from the innermost outwards. */
interface DirectionalStatus {
  readonly level: number;
  /** The class that an override gives to all characters, L or R. */
  readonly override: number | null;
  readonly isIsolate: boolean;
  readonly below: DirectionalStatus | null;
}

/**
 * X1 to X8: writes each unit's embedding level into `levels`, and L or R into `types` where an override applies.
 * Characters that X9 removes are left unchanged.
 */
export function applyExplicitLevels(
  { classes, types, levels }: BidiUnits,
  { start, end, level }: Paragraph,
  isolates: Isolates,
): void {
  let status: DirectionalStatus = { level, override: null, isIsolate: false, below: null };
  let overflowIsolates = 0;
  let overflowEmbeddings = 0;
  let validIsolates = 0;

  const place = (at: number) => {
    levels[at] = status.level;
    if (status.override !== null) types[at] = status.override;
  };
  /** Opens an embedding, override or isolate; false where it would be too deep. */
  const push = (toRight: boolean, override: number | null, isIsolate: boolean): boolean => {
    const next = toRight ? (status.level + 2) & ~1 : (status.level + 1) | 1;
    if (next > MAX_DEPTH || overflowIsolates > 0 || overflowEmbeddings > 0) return false;
    status = { level: next, override, isIsolate, below: status };
    return true;
  };

  for (let i = start; i < end; i++) {
    const bidiClass = classes[i]!;
    if (!((1 << bidiClass) & EXPLICIT)) {
      if (bidiClass === B) levels[i] = level;
      else if (bidiClass !== BN) place(i);
      continue;
    }
    switch (bidiClass) {
      case RLE:
      case LRE:
      case RLO:
      case LRO: {
        const override = bidiClass === RLO ? R : bidiClass === LRO ? L : null;
        const fits = push(bidiClass === LRE || bidiClass === LRO, override, false);
        if (!fits && overflowIsolates === 0) overflowEmbeddings++;
        break;
      }
      case PDF:
        if (overflowIsolates > 0) break;
        if (overflowEmbeddings > 0) overflowEmbeddings--;
        else if (!status.isIsolate && status.below) status = status.below;
        break;
      case PDI:
        if (overflowIsolates > 0) {
          overflowIsolates--;
        } else if (validIsolates > 0) {
          overflowEmbeddings = 0;
          while (!status.isIsolate && status.below) status = status.below;
          if (status.below) status = status.below;
          validIsolates--;
        }
        place(i);
        break;
      default: {
        place(i);
        const toRight = bidiClass === FSI ? isolates.firstStrong.get(i) !== 1 : bidiClass === LRI;
        if (push(toRight, null, true)) validIsolates++;
        else overflowIsolates++;
      }
    }
  }
}

/** BD13: text of one level around isolates, each isolate's content being treated as one neutral character. */
export interface IsolatingRunSequence {
  /** UTF-16 offsets of the characters that X9 keeps, ascending. Not empty. */
  readonly positions: Int32Array;
  /** Their types, as long as `positions`; the later rules resolve them. */
  readonly types: Uint8Array;
  readonly level: number;
  /** L or R. */
  readonly startOfSequence: number;
  readonly endOfSequence: number;
}

/** X9, X10: cuts a paragraph into level runs and joins those that only an isolate separates. */
export function isolatingRunSequences(
  { classes, types, levels }: BidiUnits,
  { start, end, level: paragraphLevel }: Paragraph,
  isolates: Isolates,
): IsolatingRunSequence[] {
  const kept = new Int32Array(end - start);
  let count = 0;
  for (let i = start; i < end; i++) if (!((1 << classes[i]!) & REMOVED)) kept[count++] = i;

  // Level runs as slices of `kept`: run r is runStarts[r] to runStarts[r + 1].
  const runStarts: number[] = [];
  const runAtPdi = new Map<number, number>();
  for (let k = 0; k < count; k++) {
    if (k > 0 && levels[kept[k]!] === levels[kept[k - 1]!]) continue;
    if (isolates.matched.has(kept[k]!)) runAtPdi.set(kept[k]!, runStarts.length);
    runStarts.push(k);
  }
  runStarts.push(count);

  const sequences: IsolatingRunSequence[] = [];
  for (let first = 0; first + 1 < runStarts.length; first++) {
    const from = runStarts[first]!;
    if (runAtPdi.has(kept[from]!)) continue; // Joined to the run that its isolate interrupts.

    const slices: Int32Array[] = [];
    let to = from;
    let endsInInitiator = false;
    for (let run: number | undefined = first; run !== undefined; ) {
      to = runStarts[run + 1]!;
      slices.push(kept.subarray(runStarts[run], to));
      const last = kept[to - 1]!;
      endsInInitiator = isInitiator(classes[last]!);
      run = endsInInitiator ? runAtPdi.get(isolates.pdiOf.get(last) ?? -1) : undefined;
    }

    const level = levels[kept[from]!]!;
    const before = from > 0 ? levels[kept[from - 1]!]! : paragraphLevel;
    const after = to < count && !endsInInitiator ? levels[kept[to]!]! : paragraphLevel;
    const positions = slices.length === 1 ? slices[0]! : concatenate(slices);
    sequences.push({
      positions,
      types: pick(types, positions),
      level,
      startOfSequence: Math.max(level, before) & 1 ? R : L,
      endOfSequence: Math.max(level, after) & 1 ? R : L,
    });
  }
  return sequences;
}

/** Gives characters removed by X9 the level of the one before; at the paragraph's start, that of the first one kept. */
export function followRemoved({ classes, levels }: BidiUnits, { start, end, level }: Paragraph): void {
  const isRemoved = (at: number) => ((1 << classes[at]!) & REMOVED) !== 0;
  let first = start;
  while (first < end && isRemoved(first)) first++;
  levels.fill(first < end ? levels[first]! : level, start, first);
  for (let i = first + 1; i < end; i++) if (isRemoved(i)) levels[i] = levels[i - 1]!;
}

function isInitiator(bidiClass: number): boolean {
  return ((1 << bidiClass) & ISOLATE_INITIATORS) !== 0;
}

function pick(values: Uint8Array, positions: Int32Array): Uint8Array {
  const result = new Uint8Array(positions.length);
  for (let k = 0; k < result.length; k++) result[k] = values[positions[k]!]!;
  return result;
}

function concatenate(slices: readonly Int32Array[]): Int32Array {
  const result = new Int32Array(slices.reduce((length, slice) => length + slice.length, 0));
  let at = 0;
  for (const slice of slices) {
    result.set(slice, at);
    at += slice.length;
  }
  return result;
}
