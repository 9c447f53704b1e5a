// Codes the luma of a macroblock, predicted as a whole or block by block.

import {
  ABOVE,
  ABOVE_OF_ONE,
  ABOVE_STRIDE,
  BY_BLOCKS_COST,
  CORNERS,
  DCS,
  LEFT,
  LEFT_MODES,
  LEVELS,
  LEVELS_BY_BLOCKS,
  LUMA_STEPS,
  MACROBLOCK_COSTS,
  MODE_COSTS,
  MODES,
  MODES_ABOVE,
  PREDICTED,
  SETS,
  SETS_BY_BLOCKS,
  SHOWN,
  SHOWN_BY_BLOCKS,
  SOURCE,
  Y2_STEPS,
} from './layout';
import {
  chooseBlockMode,
  distance,
  HORIZONTAL,
  lastColumn,
  leastOf,
  meanOf,
  predict,
  TRUE_MOTION,
  VERTICAL,
} from './predict';
import { codeBlock, codeRest, codeY2, showEven, showRest } from './transform';

/** Mean of the current macroblock. */
let mean: v128 = i64x2.splat(0);

function predictBlock(mode: u32, block: usize, above: usize): v128 {
  return predict(mode, above + 4 * (block & 3), LEFT + 4 * (block >> 2), mean, <i32>load<u8>(CORNERS));
}

/**
 * @param above edges of the row above
 * @returns the least cost with one mode for the macroblock, times 16, plus that mode
 */
export function chooseLuma(above: usize, hasAbove: bool, hasLeft: bool): i32 {
  mean = meanOf(v128.load(above), v128.load(LEFT), 4, hasAbove, hasLeft);
  let byMean: v128 = i64x2.splat(0);
  let byMotion = byMean;
  let byAbove = byMean;
  let byLeft = byMean;
  for (let block: usize = 0; block < 16; block++) {
    const source = v128.load(SOURCE + 16 * block);
    byMean = i16x8.add(byMean, distance(source, mean));
    byMotion = i16x8.add(byMotion, distance(source, predictBlock(TRUE_MOTION, block, above)));
    byAbove = i16x8.add(byAbove, distance(source, predictBlock(VERTICAL, block, above)));
    byLeft = i16x8.add(byLeft, distance(source, predictBlock(HORIZONTAL, block, above)));
  }
  return leastOf(byMean, byMotion, byAbove, byLeft, MACROBLOCK_COSTS);
}

/** Codes luma with one mode; the DC values of its blocks are coded together as Y2. */
export function codeWhole(mode: u32, above: usize): void {
  for (let block: usize = 0; block < 16; block++) {
    const set = codeRest(
      v128.load(SOURCE + 16 * block),
      predictBlock(mode, block, above),
      LUMA_STEPS,
      LEVELS + 32 + 32 * block,
      DCS + 2 * block,
    );
    store<u16>(SETS + 2 + 2 * block, <u16>set);
  }
  store<u16>(SETS, <u16>codeY2(DCS, Y2_STEPS));
  for (let block: usize = 0; block < 16; block++) {
    const predicted = predictBlock(mode, block, above);
    const dc = load<i16>(DCS + 2 * block);
    v128.store(
      SHOWN + 16 * block,
      load<u16>(SETS + 2 + 2 * block) === 0
        ? showEven(predicted, dc)
        : showRest(predicted, LEVELS + 32 + 32 * block, LUMA_STEPS, dc),
    );
  }
}

/** Codes luma block by block, each in its best mode. Returns false when that costs `most` or more. */
export function codeByBlocks(line: usize, isLast: bool, most: i32): bool {
  store<u8>(ABOVE + 15, load<u8>(CORNERS));
  v128.store(ABOVE, v128.load(line), 16);
  // After the last macroblock of a row, its own last sample is repeated.
  const behind = isLast ? 0x01010101 * <u32>load<u8>(line + 15) : load<u32>(line + ABOVE_OF_ONE);
  for (let row: usize = 0; row < 4; row++) store<u32>(ABOVE + ABOVE_STRIDE * row + 32, behind);
  let total = (<i32>load<u16>(BY_BLOCKS_COST)) << 4;
  for (let row: usize = 0; row < 4; row++) {
    const above = ABOVE + ABOVE_STRIDE * row + 15;
    let left = load<u32>(LEFT + 4 * row);
    if (row > 0) store<u8>(above, load<u8>(LEFT + 4 * row - 1));
    let leftMode = <u32>load<u8>(LEFT_MODES + row);
    for (let column: usize = 0; column < 4; column++) {
      const block: usize = 4 * row + column;
      const source = v128.load(SOURCE + 16 * block);
      const aboveMode = row === 0 ? <u32>load<u8>(line + MODES_ABOVE + column) : <u32>load<u8>(MODES + block - 4);
      const costs = MODE_COSTS + 24 * <usize>(10 * aboveMode + leftMode);
      const best = chooseBlockMode(source, above + 4 * column, left, costs);
      total += best & ~15;
      if (total >= most) return false;
      const mode = <u32>best & 15;
      store<u8>(MODES + block, <u8>mode);
      leftMode = mode;
      const shown = SHOWN_BY_BLOCKS + 16 * block;
      const set = codeBlock(
        source,
        v128.load(PREDICTED + 16 * <usize>mode),
        LUMA_STEPS,
        LEVELS_BY_BLOCKS + 32 * block,
        shown,
      );
      store<u16>(SETS_BY_BLOCKS + 2 * block, <u16>set);
      left = lastColumn(shown);
      store<u32>(above + ABOVE_STRIDE + 1 + 4 * column, load<u32>(shown + 12));
    }
  }
  return true;
}
