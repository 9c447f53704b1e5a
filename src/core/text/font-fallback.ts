// A run of text and a chain of faces → stretches that one face draws (CSS Fonts 4, cluster matching).
//
// A grapheme cluster is never torn between faces while one face has all of it, so marks stay with their letter and a
// ZWJ sequence stays one picture.

import type { FontFace } from './font-face.ts';
import type { MatchedFace } from './font-set.ts';

export interface FaceRun {
  readonly start: number;
  readonly end: number;
  readonly match: MatchedFace;
}

/** Nothing of these is drawn, so any face will do: joiners, variation selectors, controls, line separators. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}]*$/u;
const REPLACEMENT = 0xfffd;

/**
 * Chooses a face for each cluster of `text` from `start` to `end`.
 *
 * @param isBoundary nonzero at each UTF-16 offset where a grapheme cluster starts
 * @param chain in order of preference, not empty
 * @param emoji true where the characters ask for emoji presentation: colour faces first, else last
 */
export function chooseFaces(
  text: string,
  start: number,
  end: number,
  isBoundary: Uint8Array,
  chain: readonly MatchedFace[],
  emoji: boolean,
): FaceRun[] {
  const candidates = [
    ...chain.filter(({ face }) => face.isColor === emoji),
    ...chain.filter(({ face }) => face.isColor !== emoji),
  ];
  const runs: FaceRun[] = [];
  const append = (from: number, to: number, match: MatchedFace) => {
    const last = runs.at(-1);
    if (last?.match === match) runs[runs.length - 1] = { ...last, end: to };
    else runs.push({ start: from, end: to, match });
  };

  const first = candidates[0];
  if (!first) return [];
  // Invisible characters wait here for the face of what follows; after something visible they take its face.
  let waiting = start;
  for (let from = start, to = start; from < end; from = to) {
    do to++;
    while (to < end && !isBoundary[to]);
    // Most text is single characters that the first face has.
    const code = text.charCodeAt(from);
    const plain = to === from + 1 && code > 0x20 && (code < 0x7f || (code > 0xff && code < 0x600));
    if (plain && first.face.has(code)) {
      append(waiting, to, first);
      waiting = to;
      continue;
    }
    const cluster = text.slice(from, to);
    if (INVISIBLE.test(cluster)) {
      const last = runs.at(-1);
      if (last && waiting === from) {
        append(from, to, last.match);
        waiting = to;
      }
      continue;
    }
    const match = candidates.find(({ face }) => covers(face, cluster));
    if (match) append(waiting, to, match);
    else
      tear(cluster, candidates).forEach((piece, i) => {
        append(i === 0 ? waiting : from + piece.start, from + piece.end, piece.match);
      });
    waiting = to;
  }
  if (waiting < end) append(waiting, end, runs.at(-1)?.match ?? first);
  return runs;
}

/** Whether the face draws every visible character, as written or in one of its canonical forms. */
function covers(face: FontFace, cluster: string): boolean {
  if (hasAll(face, cluster)) return true;
  if (cluster.length === 1 && cluster < '\u00a0') return false;
  return hasAll(face, cluster.normalize('NFC')) || hasAll(face, cluster.normalize('NFD'));
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

/** No face has all of a cluster: each of its characters goes where it can be drawn, or stays with what precedes it. */
function tear(cluster: string, candidates: readonly MatchedFace[]): FaceRun[] {
  const pieces: FaceRun[] = [];
  let start = 0;
  for (const character of cluster) {
    const previous = pieces.at(-1);
    const end = start + character.length;
    const sticks = previous !== undefined && drawable(previous.match.face, character);
    const match = sticks ? previous.match : candidates.find(({ face }) => drawable(face, character));
    const chosen = match ?? previous?.match ?? candidates[0];
    if (chosen) pieces.push({ start, end, match: chosen });
    start = end;
  }
  return pieces;
}
