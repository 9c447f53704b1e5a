// A quality in, what VP8 divides by and how strongly it smooths out.
//
// Both are near to libwebp's of the same quality, so that a number means here what people know it to mean.

import { AC_STEPS, DC_STEPS } from './vp8-tables.ts';

/** Steps of a kind of block: its first value's and the others'. */
export interface Steps {
  readonly dc: number;
  readonly ac: number;
}

export interface Quantizer {
  /** 0 to 127. */
  readonly index: number;
  readonly luma: Steps;
  /** Of the first values of a macroblock's luma, when they go together. */
  readonly y2: Steps;
  readonly chroma: Steps;
  /** By how many indices each is off; errors of first values are seen as wrong colours, and cost little to avoid. */
  readonly offsets: { readonly y2Dc: number; readonly chromaDc: number; readonly chromaAc: number };
  /** Of the loop filter, 0 to 63. */
  readonly filterLevel: number;
}

/** @param quality 0 to 100 */
export function quantizerOf(quality: number): Quantizer {
  const part = quality / 100;
  // A size of file grows with the cube of what this is the root of.
  const index = Math.trunc(127 * (1 - Math.cbrt(part < 0.75 ? (part * 2) / 3 : 2 * part - 1)));
  const luma = stepsOf(index);
  const offsets = { y2Dc: -Math.min(15, 2 + (index >> 3)), chromaDc: -Math.min(15, 2 + (index >> 3)), chromaAc: -1 };
  const filterLevel = Math.min(63, Math.trunc(((luma.ac >> 2) * FILTER_STRENGTH) / 256));
  return {
    index,
    luma,
    offsets,
    y2: { dc: 2 * stepsOf(index + offsets.y2Dc).dc, ac: Math.max(8, Math.trunc((luma.ac * 155) / 100)) },
    chroma: { dc: Math.min(132, stepsOf(index + offsets.chromaDc).dc), ac: stepsOf(index + offsets.chromaAc).ac },
    filterLevel: filterLevel < LEAST_FILTER_LEVEL ? 0 : filterLevel,
  };
}

function stepsOf(index: number): Steps {
  const within = Math.max(0, index);
  return { dc: DC_STEPS[within] ?? 0, ac: AC_STEPS[within] ?? 0 };
}

/** libwebp's default of 60, five times. */
const FILTER_STRENGTH = 300;
/** A weaker filter is not seen. */
const LEAST_FILTER_LEVEL = 2;
