// Finds text to be shown as emoji (UTS #51): by default, by variation selector, or as part of a sequence.
//
// Sequences are recognised by their grammar, not from a list: one without a picture in the font stays together here and
// falls apart only in shaping. Code points that Unicode 15.0 reserves for emoji count as emoji.

import { TRAIT } from './unicode-classes.ts';
import { recordOf, TRAITS_OF } from './unicode-data.ts';

/**
 * The end of the emoji that begins at `offset`, or `offset` if none does. Offsets are UTF-16; text from `limit` on is
 * ignored.
 */
export function emojiEnd(text: string, offset: number, limit: number): number {
  const codePoint = text.codePointAt(offset)!;
  // Digits, # and * are the only emoji below ©.
  if (codePoint < 0x80 && text.charCodeAt(offset + 1) !== EMOJI_SELECTOR) return offset;
  if (!(traitsOf(codePoint) & TRAIT.EMOJI)) return offset;

  let end = elementEnd(text, offset, limit);
  let isEmoji = end > offset;
  if (!isEmoji) {
    // Shown as text by itself, but a joiner may still make it part of a picture, as in ❤‍🔥.
    end = offset + sizeOf(codePoint);
    if (text.charCodeAt(end) === TEXT_SELECTOR) return offset;
  }
  while (end + 1 < limit && text.charCodeAt(end) === JOINER) {
    const next = text.codePointAt(end + 1)!;
    if (next < 0x80 || !(traitsOf(next) & TRAIT.EMOJI)) break;
    isEmoji = true;
    end = Math.max(elementEnd(text, end + 1, limit), end + 1 + sizeOf(next));
  }
  if (!isEmoji) return offset;
  // A joiner that joins nothing still belongs to the cluster.
  while (end < limit && text.charCodeAt(end) === JOINER) end = marksEnd(text, end + 1, limit);
  return end;
}

/**
 * The end of a flag, or of one emoji with selector, keycap, skin tone or tags; `offset` if it is to be shown as text.
 */
function elementEnd(text: string, offset: number, limit: number): number {
  const codePoint = text.codePointAt(offset)!;
  const traits = traitsOf(codePoint);
  const end = offset + sizeOf(codePoint);
  const next = end < limit ? text.codePointAt(end)! : 0;

  if (isFlagLetter(codePoint)) return marksEnd(text, isFlagLetter(next) ? end + 2 : end, limit);
  if (next === TEXT_SELECTOR) return offset;
  if (next === EMOJI_SELECTOR) return marksEnd(text, end, limit);
  if (traitsOf(next) & TRAIT.EMOJI_MODIFIER && traits & TRAIT.EMOJI_MODIFIER_BASE) {
    return marksEnd(text, end + sizeOf(next), limit);
  }
  return traits & TRAIT.EMOJI_PRESENTATION ? marksEnd(text, end, limit) : offset;
}

/** The end of the marks of the same cluster: selectors, the keycap's frame, tags, an enclosing circle. */
function marksEnd(text: string, offset: number, limit: number): number {
  let end = offset;
  while (end < limit) {
    const codePoint = text.codePointAt(end)!;
    if (!(traitsOf(codePoint) & TRAIT.EXTENDS)) break;
    end += sizeOf(codePoint);
  }
  return end;
}

const JOINER = 0x200d;
const TEXT_SELECTOR = 0xfe0e;
const EMOJI_SELECTOR = 0xfe0f;

function traitsOf(codePoint: number): number {
  return TRAITS_OF[recordOf(codePoint)]!;
}

function sizeOf(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}

/** Regional indicators. */
function isFlagLetter(codePoint: number): boolean {
  return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
}
