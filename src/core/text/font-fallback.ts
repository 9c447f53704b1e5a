// Splits a run of text into stretches that one face of a chain draws (CSS Fonts 4, cluster matching).
//
// A grapheme cluster is never split between faces if one face has all of it, so marks stay with their letter and a ZWJ
// sequence stays one picture.

import type { FontFace } from './font-face.ts';
import type { MatchedFace } from './font-set.ts';
import { isPlainText } from './plain-text.ts';

export interface FaceRun {
  readonly start: number;
  readonly end: number;
  readonly match: MatchedFace;
}

/** Characters that draw nothing, so any face will do: joiners, variation selectors, controls, line separators. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}]*$/u;
const REPLACEMENT = 0xfffd;
const SPACE = 0x20;
/** The characters that request emoji presentation explicitly: the emoji selector and the keycap. */
const SELECTED = /[\ufe0f\u20e3]/;

/** Cached by chain: most styles have the same chain in many renders. */
const ofChain = new WeakMap<readonly MatchedFace[], FontFallback>();

export function fallbackAlong(chain: readonly MatchedFace[]): FontFallback {
  let fallback = ofChain.get(chain);
  if (!fallback) {
    fallback = new FontFallback(chain);
    ofChain.set(chain, fallback);
  }
  return fallback;
}

/** Chooses faces along one chain, and caches the choice for each cluster. */
export class FontFallback {
  readonly first: MatchedFace;
  /** Whether another face precedes `first` for the characters that it has. */
  readonly isDivided: boolean;
  /** The face of `first`, from which CSS builds line boxes and decorations. */
  readonly primary: FontFace;
  readonly #forText: Preference;
  readonly #forEmoji: Preference;
  readonly #forSelected: Preference;

  /** @param chain in order of preference, not empty */
  constructor(chain: readonly MatchedFace[]) {
    const [favourite] = chain;
    if (!favourite) throw new Error('A chain of faces is never empty.');
    // CSS Fonts 4, first available font: of the files of a divided family, the one that has the space.
    const isMain = ({ face }: MatchedFace) => sameFamily(face, favourite.face) && face.has(SPACE);
    const first = chain.find(isMain) ?? favourite;
    this.first = first;
    this.isDivided = first !== favourite;
    this.primary = first.face;
    const color = chain.filter(({ face }) => face.isColor);
    const plain = chain.filter(({ face }) => !face.isColor);
    this.#forText = new Preference(plain[0] ?? first, [...plain, ...color]);
    const named = chain.filter(({ isFallback }) => !isFallback);
    this.#forEmoji = new Preference(color[0] ?? first, [...new Set([...named, ...color, ...plain])]);
    this.#forSelected = new Preference(color[0] ?? first, [...color, ...plain]);
  }

  /**
   * Chooses a face for each cluster of `text` from `start` to `end`.
   *
   * @param isBoundary nonzero at each UTF-16 offset where a grapheme cluster starts
   * @param emoji true for characters with emoji presentation: colour faces come first, but after the families that the
   *   style names, unless U+FE0F or a keycap asks for it (as in Chromium); otherwise colour faces come last
   */
  choose(text: string, start: number, end: number, isBoundary: Uint8Array, emoji: boolean): FaceRun[] {
    const preference = emoji ? this.#forEmoji : this.#forText;
    const [favourite] = preference.candidates;
    if (favourite?.face.hasPlainText && isPlainText(text.slice(start, end))) return [{ start, end, match: favourite }];
    const runs: Mutable<FaceRun>[] = [];
    // Invisible characters take the face of the text before them; at the start, from here, that of the text after.
    let waiting = start;
    const append = (to: number, match: MatchedFace) => {
      const last = runs.at(-1);
      if (last?.match === match) last.end = to;
      else runs.push({ start: waiting, end: to, match });
      waiting = to;
    };

    for (let from = start, to = start; from < end; from = to) {
      do to++;
      while (to < end && !isBoundary[to]);
      const own = emoji && SELECTED.test(text.slice(from, to)) ? this.#forSelected : preference;
      const choice = own.choiceFor(text, from, to);
      const match = choice === 'any' ? runs.at(-1)?.match : choice;
      if (match) append(to, match);
      else if (match === null)
        for (const piece of tear(text.slice(from, to), own)) append(from + piece.end, piece.match);
    }
    if (waiting < end) append(end, runs.at(-1)?.match ?? preference.first);
    return runs;
  }
}

/** The first face that has all of a cluster; `any` for an invisible one, null where no face has it. */
type Choice = MatchedFace | 'any' | null;

/** Cached choices of one preference, by cluster; most clusters are one letter. */
const KEPT_CLUSTERS = 2_000;
/** Longer clusters are not cached: V8 keeps the whole text that a slice of 13 units or more was cut from. */
const LONGEST_KEPT = 12;

/** Faces in the order in which they are tried. */
class Preference {
  readonly first: MatchedFace;
  readonly candidates: readonly MatchedFace[];
  /** By UTF-16 unit or, if the cluster has several, by text. */
  readonly #known = new Map<number | string, Choice>();

  /** @param first the face that draws the characters that no face has */
  constructor(first: MatchedFace, candidates: readonly MatchedFace[]) {
    this.first = first;
    this.candidates = candidates;
  }

  /** The choice for the cluster `from`–`to`. */
  choiceFor(text: string, from: number, to: number): Choice {
    const key = to === from + 1 ? text.charCodeAt(from) : text.slice(from, to);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const choice = this.#choose(text.slice(from, to));
    if (to - from > LONGEST_KEPT) return choice;
    if (this.#known.size >= KEPT_CLUSTERS) this.#known.clear();
    this.#known.set(key, choice);
    return choice;
  }

  #choose(cluster: string): Choice {
    if (INVISIBLE.test(cluster)) return 'any';
    return this.candidates.find(({ face }) => covers(face, cluster)) ?? null;
  }
}

const sameFamily = ({ file: one }: FontFace, { file: other }: FontFace) =>
  one.family.toLowerCase() === other.family.toLowerCase();

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Whether the face draws every visible character, as written or in one of its canonical forms. */
function covers(face: FontFace, cluster: string): boolean {
  if (hasAll(face, cluster)) return true;
  if (cluster.length === 1 && cluster < '\u00a0') return false;
  return ['NFC', 'NFD'].some((form) => {
    const normalized = cluster.normalize(form);
    return normalized !== cluster && hasAll(face, normalized);
  });
}

function hasAll(face: FontFace, text: string): boolean {
  for (const character of text) if (!drawable(face, character)) return false;
  return true;
}

function drawable(face: FontFace, character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  // HarfBuzz draws half a surrogate pair as the replacement character.
  return face.has(codePoint >= 0xd800 && codePoint <= 0xdfff ? REPLACEMENT : codePoint) || INVISIBLE.test(character);
}

/** Splits a cluster that no face covers: a character keeps the face before it if it can, else takes one that has it. */
function tear(cluster: string, { first, candidates }: Preference): FaceRun[] {
  const pieces: FaceRun[] = [];
  let start = 0;
  for (const character of cluster) {
    const previous = pieces.at(-1);
    const end = start + character.length;
    const sticks = previous !== undefined && drawable(previous.match.face, character);
    const match = sticks ? previous.match : candidates.find(({ face }) => drawable(face, character));
    pieces.push({ start, end, match: match ?? previous?.match ?? first });
    start = end;
  }
  return pieces;
}
