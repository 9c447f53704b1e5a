// The loops of the WebP encoder, in AssemblyScript: a row of macroblocks of a VP8 key frame (RFC 6386) at a time.
//
// A macroblock is 16 × 16 px. Each is predicted from what a decoder will show above it and to its left, so rows are made
// from top to bottom. What comes out are decisions: the caller counts them, chooses probabilities, and has them coded.

import {
  ABOVE,
  ABOVE_OF_ONE,
  ABOVE_STRIDE,
  BY_BLOCKS_COST,
  CHROMA_ABOVE,
  CHROMA_COSTS,
  CORNERS,
  DCS,
  FILLED_ABOVE,
  LEFT,
  LEFT_FILLED,
  LEFT_MODES,
  LEVELS,
  LEVELS_BY_BLOCKS,
  MACROBLOCK_COSTS,
  MODE_COSTS,
  MODES,
  MODES_ABOVE,
  PREDICTED,
  ROW_ABOVE,
  SETS,
  SETS_BY_BLOCKS,
  SHOWN,
  SHOWN_BY_BLOCKS,
  SOURCE,
  STEPS,
  STEPS_OF_ONE,
} from './webp/layout';
import {
  chooseBlockMode,
  DC,
  distance,
  HORIZONTAL,
  least,
  sumOfBytes,
  TRUE_MOTION,
  trueMotion,
  VERTICAL,
  withCosts,
} from './webp/predict';
import { readMacroblock } from './webp/read-pixels';
import {
  CHROMA,
  decide,
  decideBlockMode,
  decideChromaMode,
  decideLevels,
  decideMode,
  HAS_BLOCK_MODES,
  IS_EMPTY,
  REST,
  WHOLE,
  Y2,
} from './webp/tokens';
import { codeBlock, codeRest, codeY2, showEven, showRest } from './webp/transform';

export { closeCoder, code, openCoder } from './webp/bool-coder';

const LUMA_STEPS: usize = STEPS;
const Y2_STEPS: usize = STEPS + STEPS_OF_ONE;
const CHROMA_STEPS: usize = STEPS + 2 * STEPS_OF_ONE;

/** In steps of luma, at sixteen times the scale of costs. */
const WORTH_BLOCK_MODES: i32 = 16 * 16 * 10;

// ---- luma as a whole

/** A row of blocks' worth of the macroblock's mode: the block's prediction. */
function predictLuma(mode: u32, block: u32, mean: v128, corner: i32): v128 {
  const above = lumaNow + 4 * <usize>(block & 3);
  const left = LEFT + 4 * <usize>(block >> 2);
  if (mode === DC) return mean;
  if (mode === VERTICAL) return v128.load32_splat(above);
  if (mode === HORIZONTAL) return columns(v128.load32_splat(left));
  return trueMotion(v128.load32_splat(above), v128.load32_splat(left), corner);
}

/** Each of four samples as a row. */
function columns(left: v128): v128 {
  return v128.shuffle<u8>(left, left, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
}

/** Where the row above this macroblock begins. */
let lumaNow: usize = 0;
let chromaNow: usize = 0;

function meanOf(above: v128, left: v128, bits: u32, x: u32, y: u32): v128 {
  // Only what is in the picture counts.
  let sum: i32 = 0;
  if (y > 0) sum += sumOfBytes(above);
  if (x > 0) sum += sumOfBytes(left);
  if (x > 0 && y > 0) sum = (sum + (1 << bits)) >> (bits + 1);
  else if (x > 0 || y > 0) sum = (sum + (1 << (bits - 1))) >> bits;
  else sum = 128;
  return i8x16.splat(<i8>sum);
}

let mean: v128 = i64x2.splat(0);

/** Returns the least cost, times 16, and its mode. */
function chooseLuma(x: u32, y: u32): i32 {
  const corner = <i32>load<u8>(CORNERS);
  mean = meanOf(v128.load(lumaNow), v128.load(LEFT), 4, x, y);
  let byMean: v128 = i64x2.splat(0);
  let byMotion = byMean;
  let byAbove = byMean;
  let byLeft = byMean;
  for (let block: u32 = 0; block < 16; block++) {
    const source = v128.load(SOURCE + 16 * <usize>block);
    byMean = i16x8.add(byMean, distance(source, mean));
    byMotion = i16x8.add(byMotion, distance(source, predictLuma(TRUE_MOTION, block, mean, corner)));
    byAbove = i16x8.add(byAbove, distance(source, predictLuma(VERTICAL, block, mean, corner)));
    byLeft = i16x8.add(byLeft, distance(source, predictLuma(HORIZONTAL, block, mean, corner)));
  }
  return leastOf(byMean, byMotion, byAbove, byLeft, MACROBLOCK_COSTS);
}

/** Sums of whole macroblocks, which are near the most that 16 bits hold. */
function leastOf(one: v128, two: v128, three: v128, four: v128, costs: usize): i32 {
  const a = i32x4.extadd_pairwise_i16x8_u(one);
  const b = i32x4.extadd_pairwise_i16x8_u(two);
  const c = i32x4.extadd_pairwise_i16x8_u(three);
  const d = i32x4.extadd_pairwise_i16x8_u(four);
  const ab = i32x4.add(v128.shuffle<u32>(a, b, 0, 2, 4, 6), v128.shuffle<u32>(a, b, 1, 3, 5, 7));
  const cd = i32x4.add(v128.shuffle<u32>(c, d, 0, 2, 4, 6), v128.shuffle<u32>(c, d, 1, 3, 5, 7));
  const sums = i32x4.add(v128.shuffle<u32>(ab, cd, 0, 2, 4, 6), v128.shuffle<u32>(ab, cd, 1, 3, 5, 7));
  return least(withCosts(sums, v128.load16x4_u(costs), i32x4(0, 1, 2, 3)));
}

function codeLuma(mode: u32): void {
  const corner = <i32>load<u8>(CORNERS);
  for (let block: u32 = 0; block < 16; block++) {
    const at = <usize>block;
    const set = codeRest(
      v128.load(SOURCE + 16 * at),
      predictLuma(mode, block, mean, corner),
      LUMA_STEPS,
      LEVELS + 32 + 32 * at,
      DCS + 2 * at,
    );
    store<u16>(SETS + 2 + 2 * at, <u16>set);
  }
  store<u16>(SETS, <u16>codeY2(DCS, Y2_STEPS));
  for (let block: u32 = 0; block < 16; block++) {
    const at = <usize>block;
    const predicted = predictLuma(mode, block, mean, corner);
    const dc = load<i16>(DCS + 2 * at);
    v128.store(
      SHOWN + 16 * at,
      load<u16>(SETS + 2 + 2 * at) === 0
        ? showEven(predicted, dc)
        : showRest(predicted, LEVELS + 32 + 32 * at, LUMA_STEPS, dc),
    );
  }
}

// ---- luma block by block

/** Codes luma block by block, each in its best mode. Returns false when that costs more than `most`. */
function codeByBlocks(x: u32, most: i32): bool {
  store<u8>(ABOVE + 15, load<u8>(CORNERS));
  v128.store(ABOVE, v128.load(lumaNow), 16);
  // Behind the last macroblock its own last sample goes on.
  const behind = x + 1 < across ? load<u32>(lumaNow + ABOVE_OF_ONE) : 0x01010101 * <u32>load<u8>(lumaNow + 15);
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
      const aboveMode = row === 0 ? <u32>load<u8>(modesNow + column) : <u32>load<u8>(MODES + block - 4);
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

function lastColumn(block: usize): u32 {
  const samples = v128.load(block);
  return <u32>(
    i32x4.extract_lane(v128.shuffle<u8>(samples, samples, 3, 7, 11, 15, 3, 7, 11, 15, 3, 7, 11, 15, 3, 7, 11, 15), 0)
  );
}

// ---- colour differences

/** U's blocks, and V's, in a mode of both. */
function predictChroma(mode: u32, block: u32, mean: v128): v128 {
  const plane = <usize>(block >> 2);
  const above = chromaNow + 8 * plane + 4 * <usize>(block & 1);
  const left = LEFT + 16 + 8 * plane + 4 * <usize>((block >> 1) & 1);
  if (mode === DC) return mean;
  if (mode === VERTICAL) return v128.load32_splat(above);
  if (mode === HORIZONTAL) return columns(v128.load32_splat(left));
  return trueMotion(v128.load32_splat(above), v128.load32_splat(left), <i32>load<u8>(CORNERS + 1 + plane));
}

/** Chooses a mode and codes the eight blocks in it. */
function codeChroma(x: u32, y: u32): u32 {
  const u = meanOf(v128.load64_zero(chromaNow), v128.load64_zero(LEFT + 16), 3, x, y);
  const v = meanOf(v128.load64_zero(chromaNow + 8), v128.load64_zero(LEFT + 24), 3, x, y);
  let byMean: v128 = i64x2.splat(0);
  let byMotion = byMean;
  let byAbove = byMean;
  let byLeft = byMean;
  for (let block: u32 = 0; block < 8; block++) {
    const source = v128.load(SOURCE + 256 + 16 * <usize>block);
    const mean = block < 4 ? u : v;
    byMean = i16x8.add(byMean, distance(source, mean));
    byMotion = i16x8.add(byMotion, distance(source, predictChroma(TRUE_MOTION, block, mean)));
    byAbove = i16x8.add(byAbove, distance(source, predictChroma(VERTICAL, block, mean)));
    byLeft = i16x8.add(byLeft, distance(source, predictChroma(HORIZONTAL, block, mean)));
  }
  const best = leastOf(byMean, byMotion, byAbove, byLeft, CHROMA_COSTS);
  const mode = <u32>best & 3;
  for (let block: u32 = 0; block < 8; block++) {
    const at: usize = 16 + <usize>block;
    const set = codeBlock(
      v128.load(SOURCE + 16 * at),
      predictChroma(mode, block, block < 4 ? u : v),
      CHROMA_STEPS,
      LEVELS + 32 + 32 * at,
      SHOWN + 16 * at,
    );
    store<u16>(SETS + 2 + 2 * at, <u16>set);
  }
  return mode;
}

// ---- macroblocks

/** The cost above which block modes are tried: below, hardly a level is left to be saved. */
let worthBlockModes: i32 = 0;
let filledNow: usize = 0;
let modesNow: usize = 0;
/** Where the next decision about levels goes, and the next about modes. */
let levelsEnd: usize = 0;
let modesEnd: usize = 0;

/** The decisions of blocks, whose contexts are a byte each among those above and to the left. */
function decideBlocks(kind: u32, levels: usize, sets: usize, side: u32, above: usize, left: usize): void {
  for (let y: u32 = 0; y < side; y++) {
    for (let x: u32 = 0; x < side; x++) {
      const block = <usize>(side * y + x);
      const context = <u32>load<u8>(above + x) + <u32>load<u8>(left + y);
      const set = <u32>load<u16>(sets + 2 * block);
      levelsEnd = decideLevels(levelsEnd, levels + 32 * block, set, kind, context);
      const isFilled = set !== 0;
      store<u8>(above + x, isFilled);
      store<u8>(left + y, isFilled);
    }
  }
}

function codeMacroblock(x: u32, y: u32): void {
  const whole = chooseLuma(x, y);
  const byBlocks = whole > worthBlockModes && codeByBlocks(x, whole & ~15);
  const mode = <u32>whole & 3;
  if (!byBlocks) codeLuma(mode);
  const chromaMode = codeChroma(x, y);
  let any = v128.or(v128.load(SETS + 34), i64x2.splat(0));
  if (byBlocks) any = v128.or(any, v128.or(v128.load(SETS_BY_BLOCKS), v128.load(SETS_BY_BLOCKS, 16)));
  else any = v128.or(any, v128.or(v128.load(SETS), v128.or(v128.load(SETS, 16), v128.load(SETS, 18))));
  const isEmpty = !v128.any_true(any);

  modesEnd = decide(modesEnd, IS_EMPTY, isEmpty ? 1 : 0);
  modesEnd = decide(modesEnd, HAS_BLOCK_MODES, byBlocks ? 0 : 1);
  if (byBlocks) {
    for (let block: usize = 0; block < 16; block++) {
      const mode = <u32>load<u8>(MODES + block);
      const above = block < 4 ? load<u8>(modesNow + block) : load<u8>(MODES + block - 4);
      const left = block & 3 ? load<u8>(MODES + block - 1) : load<u8>(LEFT_MODES + (block >> 2));
      modesEnd = decideBlockMode(modesEnd, above, left, mode);
    }
    store<u32>(modesNow, load<u32>(MODES + 12));
    for (let row: usize = 0; row < 4; row++) store<u8>(LEFT_MODES + row, load<u8>(MODES + 4 * row + 3));
  } else {
    modesEnd = decideMode(modesEnd, mode);
    store<u32>(modesNow, 0x01010101 * mode);
    store<u32>(LEFT_MODES, 0x01010101 * mode);
  }
  modesEnd = decideChromaMode(modesEnd, chromaMode);

  if (isEmpty) {
    store<u64>(filledNow, 0);
    store<u64>(LEFT_FILLED, 0);
    if (!byBlocks) {
      store<u8>(filledNow + 8, 0);
      store<u8>(LEFT_FILLED + 8, 0);
    }
  } else {
    if (byBlocks) decideBlocks(WHOLE, LEVELS_BY_BLOCKS, SETS_BY_BLOCKS, 4, filledNow, LEFT_FILLED);
    else {
      decideBlocks(Y2, LEVELS, SETS, 1, filledNow + 8, LEFT_FILLED + 8);
      decideBlocks(REST, LEVELS + 32, SETS + 2, 4, filledNow, LEFT_FILLED);
    }
    decideBlocks(CHROMA, LEVELS + 17 * 32, SETS + 34, 2, filledNow + 4, LEFT_FILLED + 4);
    decideBlocks(CHROMA, LEVELS + 21 * 32, SETS + 42, 2, filledNow + 6, LEFT_FILLED + 6);
  }
  leaveEdges(byBlocks ? SHOWN_BY_BLOCKS : SHOWN);
}

/** Keeps the last rows and columns for what comes below and to the right. */
function leaveEdges(luma: usize): void {
  store<u8>(CORNERS, load<u8>(lumaNow + 15));
  store<u8>(CORNERS + 1, load<u8>(chromaNow + 7));
  store<u8>(CORNERS + 2, load<u8>(chromaNow + 15));
  for (let i: usize = 0; i < 4; i++) {
    store<u32>(lumaNow + 4 * i, load<u32>(luma + 16 * (12 + i) + 12));
    store<u32>(LEFT + 4 * i, lastColumn(luma + 16 * (4 * i + 3)));
  }
  for (let plane: usize = 0; plane < 2; plane++) {
    const blocks = SHOWN + 16 * (16 + 4 * plane);
    store<u32>(chromaNow + 8 * plane, load<u32>(blocks + 16 * 2 + 12));
    store<u32>(chromaNow + 8 * plane + 4, load<u32>(blocks + 16 * 3 + 12));
    store<u32>(LEFT + 16 + 8 * plane, lastColumn(blocks + 16));
    store<u32>(LEFT + 20 + 8 * plane, lastColumn(blocks + 48));
  }
}

// ---- rows

let across: u32 = 0;
let rowNow: u32 = 0;
let pixelsNow: usize = 0;
let widthNow: u32 = 0;
let pixelRows: u32 = 0;
let nextColumn: u32 = 0;

/**
 * Starts a row of macroblocks.
 *
 * @param rgba up to 16 rows of pixels
 * @param mayHaveBlockModes whether blocks may have modes of their own
 * @param levels where the decisions about levels go
 * @param modes and those about modes
 */
export function openRow(
  y: u32,
  rgba: usize,
  width: u32,
  rows: u32,
  mayHaveBlockModes: bool,
  levels: usize,
  modes: usize,
): void {
  rowNow = y;
  pixelsNow = rgba;
  widthNow = width;
  pixelRows = rows;
  across = (width + 15) >> 4;
  nextColumn = 0;
  worthBlockModes = mayHaveBlockModes ? WORTH_BLOCK_MODES * <i32>load<i16>(LUMA_STEPS + 2) : i32.MAX_VALUE;
  levelsEnd = levels;
  modesEnd = modes;
  memory.fill(LEFT, 129, 32);
  memory.fill(CORNERS, y === 0 ? 127 : 129, 3);
  memory.fill(LEFT_FILLED, 0, 16);
  store<u32>(LEFT_MODES, 0);
}

/**
 * Decides all that a decoder must be told of the row's next macroblocks. What is above them and above the one behind
 * them stands in ROW_ABOVE; what they leave to the next row, afterwards.
 *
 * @param end the column behind the last
 * @returns false when a pixel is not opaque
 */
export function decideUntil(end: u32): bool {
  const stride: usize = 4 * <usize>widthNow;
  for (let x = nextColumn; x < end; x++) {
    if (readMacroblock(pixelsNow + 64 * <usize>x, stride, widthNow - 16 * x, pixelRows) !== 255) return false;
    lumaNow = ROW_ABOVE + ABOVE_OF_ONE * <usize>x;
    chromaNow = lumaNow + CHROMA_ABOVE;
    filledNow = lumaNow + FILLED_ABOVE;
    modesNow = lumaNow + MODES_ABOVE;
    codeMacroblock(x, rowNow);
  }
  nextColumn = end;
  return true;
}

/** Where the decisions about the row's levels end so far. */
export function endOfLevels(): usize {
  return levelsEnd;
}

/** And those about its modes. */
export function endOfModes(): usize {
  return modesEnd;
}
