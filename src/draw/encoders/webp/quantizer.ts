// Derives VP8's quantizer steps and loop filter strength from a quality.
//
// Both are close to libwebp's for the same quality, so that a number means what users expect.

import { AC_STEPS, DC_STEPS } from './vp8-tables.ts';

/** Quantizer steps of a kind of block: of DC values and of AC values. */
export interface Steps {
  readonly dc: number;
  readonly ac: number;
}

export interface Quantizer {
  /** 0 to 127. */
  readonly index: number;
  readonly luma: Steps;
  /** For the DC values of a macroblock's luma when they are coded together. */
  readonly y2: Steps;
  readonly chroma: Steps;
  /** Offsets to the index. DC errors are visible as wrong colours, and cost little to avoid. */
  readonly offsets: { readonly y2Dc: number; readonly chromaDc: number; readonly chromaAc: number };
  /** Level of the loop filter, 0 to 63. */
  readonly filterLevel: number;
}

/** @param quality 0 to 100 */
export function quantizerOf(quality: number): Quantizer {
  const part = quality / 100;
  // File sizes grow with the cube of the value whose root this is.
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

/** Five times libwebp's default of 60. */
const FILTER_STRENGTH = 300;
/** A weaker filter has no visible effect. */
const LEAST_FILTER_LEVEL = 2;
