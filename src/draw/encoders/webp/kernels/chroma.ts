// Codes the chroma of a macroblock: four blocks each of U and V, which share one mode.

import { CHROMA_ABOVE, CHROMA_COSTS, CHROMA_STEPS, CORNERS, LEFT, LEVELS, SETS, SHOWN, SOURCE } from './layout';
import { distance, HORIZONTAL, leastOf, meanOf, predict, TRUE_MOTION, VERTICAL } from './predict';
import { codeBlock } from './transform';

/** Means of the current macroblock. */
let meanU: v128 = i64x2.splat(0);
let meanV: v128 = i64x2.splat(0);

function predictBlock(mode: u32, block: usize, above: usize): v128 {
  const plane = block >> 2;
  return predict(
    mode,
    above + CHROMA_ABOVE + 8 * plane + 4 * (block & 1),
    LEFT + 16 + 8 * plane + 4 * ((block >> 1) & 1),
    plane === 0 ? meanU : meanV,
    <i32>load<u8>(CORNERS + 1 + plane),
  );
}

/** Codes the eight blocks in their best mode and returns it. */
export function codeChroma(above: usize, hasAbove: bool, hasLeft: bool): u32 {
  const line = above + CHROMA_ABOVE;
  meanU = meanOf(v128.load64_zero(line), v128.load64_zero(LEFT + 16), 3, hasAbove, hasLeft);
  meanV = meanOf(v128.load64_zero(line + 8), v128.load64_zero(LEFT + 24), 3, hasAbove, hasLeft);
  let byMean: v128 = i64x2.splat(0);
  let byMotion = byMean;
  let byAbove = byMean;
  let byLeft = byMean;
  for (let block: usize = 0; block < 8; block++) {
    const source = v128.load(SOURCE + 256 + 16 * block);
    byMean = i16x8.add(byMean, distance(source, block < 4 ? meanU : meanV));
    byMotion = i16x8.add(byMotion, distance(source, predictBlock(TRUE_MOTION, block, above)));
    byAbove = i16x8.add(byAbove, distance(source, predictBlock(VERTICAL, block, above)));
    byLeft = i16x8.add(byLeft, distance(source, predictBlock(HORIZONTAL, block, above)));
  }
  const mode = <u32>leastOf(byMean, byMotion, byAbove, byLeft, CHROMA_COSTS) & 15;
  for (let block: usize = 0; block < 8; block++) {
    const at: usize = 16 + block;
    const set = codeBlock(
      v128.load(SOURCE + 16 * at),
      predictBlock(mode, block, above),
      CHROMA_STEPS,
      LEVELS + 32 + 32 * at,
      SHOWN + 16 * at,
    );
    store<u16>(SETS + 2 + 2 * at, <u16>set);
  }
  return mode;
}
