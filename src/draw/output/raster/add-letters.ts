// Adds the masks of letters into one mask, summing their coverage of each pixel.

import { intersection, type Rect } from '#core/geometry.ts';
import type { Letter } from './letters.ts';
import type { PaintMemory } from './paint-memory.ts';

export interface AddedLetters {
  /** The address of the mask, row by row. */
  readonly address: number;
  /** Whether two letters overlap in a pixel: the sum is then more than what they cover together. */
  readonly isOverlapping: boolean;
}

/** @param area whole device px */
export function addLetters(memory: PaintMemory, letters: readonly Letter[], area: Rect): AddedLetters {
  const mask = memory.takeMask(area);
  let isOverlapping = false;
  for (const letter of letters) {
    const seen = intersection(letter, area);
    if (!seen) continue;
    const mark = memory.mark();
    const alphas = memory.take(letter.alphas.length);
    memory.bytes.set(letter.alphas, alphas);
    const from = alphas + (seen.y - letter.y) * letter.width + seen.x - letter.x;
    const to = mask + (seen.y - area.y) * area.width + seen.x - area.x;
    const meets = memory.kernels.addMask(to, area.width, from, letter.width, seen.width, seen.height);
    isOverlapping ||= meets !== 0;
    memory.release(mark);
  }
  return { address: mask, isOverlapping };
}
