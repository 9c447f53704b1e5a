// The inner loops of the WebP encoder, in AssemblyScript: one row of macroblocks of a VP8 key frame (RFC 6386) at a
// time.
//
// A macroblock is 16 × 16 px. Each is predicted from what a decoder will show above it and to its left, so rows are
// processed from top to bottom. The output is decisions: the caller counts them, chooses probabilities, and has them
// coded.

import { codeChroma } from './chroma';
import {
  ABOVE_OF_ONE,
  CHROMA_ABOVE,
  CORNERS,
  FILLED_ABOVE,
  LEFT,
  LEFT_FILLED,
  LEFT_MODES,
  LEVELS,
  LEVELS_BY_BLOCKS,
  LUMA_STEPS,
  MODES,
  MODES_ABOVE,
  ROW_ABOVE,
  SETS,
  SETS_BY_BLOCKS,
  SHOWN,
  SHOWN_BY_BLOCKS,
} from './layout';
import { chooseLuma, codeByBlocks, codeWhole } from './luma';
import { lastColumn } from './predict';
import { readMacroblock } from './read-pixels';
import {
  CHROMA,
  decide,
  decideBlockMode,
  decideChromaMode,
  decideLevels,
  decideMode,
  HAS_ONE_MODE,
  IS_EMPTY,
  REST,
  WHOLE,
  Y2,
} from './tokens';

export { closeCoder, code, openCoder } from './bool-coder';

/** In quantizer steps of luma, at the scale of the costs that `chooseLuma` returns. */
const WORTH_BLOCK_MODES: i32 = 16 * 16 * 10;

// ---- the current row

let across: u32 = 0;
let row: u32 = 0;
let pixels: usize = 0;
let width: u32 = 0;
let pixelRows: u32 = 0;
let nextColumn: u32 = 0;
/** The cost above which block modes are tried: below it, hardly any level is left to save. */
let worthBlockModes: i32 = 0;
/** Addresses for the next decision about levels and about modes. */
let levelsEnd: usize = 0;
let modesEnd: usize = 0;

/**
 * Starts a row of macroblocks.
 *
 * @param rgba up to 16 rows of pixels
 * @param mayHaveBlockModes whether blocks may have their own modes
 * @param levels address for the decisions about levels
 * @param modes address for the decisions about modes
 */
export function openRow(
  y: u32,
  rgba: usize,
  pixelsAcross: u32,
  pixelsDown: u32,
  mayHaveBlockModes: bool,
  levels: usize,
  modes: usize,
): void {
  row = y;
  pixels = rgba;
  width = pixelsAcross;
  pixelRows = pixelsDown;
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
 * Makes the decisions for the row's next macroblocks. Before the call, ROW_ABOVE holds the edges above them and above
 * the one after them; afterwards, it holds their own bottom edges for the next row.
 *
 * @param end the column after the last one
 * @returns false when a pixel is not opaque
 */
export function decideUntil(end: u32): bool {
  const stride: usize = 4 * <usize>width;
  for (let x = nextColumn; x < end; x++) {
    if (readMacroblock(pixels + 64 * <usize>x, stride, width - 16 * x, pixelRows) !== 255) return false;
    decideMacroblock(x, ROW_ABOVE + ABOVE_OF_ONE * <usize>x);
  }
  nextColumn = end;
  return true;
}

/** The end of the row's decisions about levels so far. */
export function endOfLevels(): usize {
  return levelsEnd;
}

/** The end of the row's decisions about modes so far. */
export function endOfModes(): usize {
  return modesEnd;
}

// ---- macroblocks

function decideMacroblock(x: u32, above: usize): void {
  const whole = chooseLuma(above, row > 0, x > 0);
  const isByBlocks = whole > worthBlockModes && codeByBlocks(above, x + 1 === across, whole & ~15);
  const mode = <u32>whole & 15;
  if (!isByBlocks) codeWhole(mode, above);
  const chromaMode = codeChroma(above, row > 0, x > 0);
  const isEmpty = !v128.any_true(v128.or(v128.load(SETS + 34), isByBlocks ? setsByBlocks() : setsOfWhole()));

  modesEnd = decide(modesEnd, IS_EMPTY, isEmpty ? 1 : 0);
  modesEnd = decide(modesEnd, HAS_ONE_MODE, isByBlocks ? 0 : 1);
  if (isByBlocks) decideBlockModes(above + MODES_ABOVE);
  else {
    modesEnd = decideMode(modesEnd, mode);
    store<u32>(above + MODES_ABOVE, 0x01010101 * mode);
    store<u32>(LEFT_MODES, 0x01010101 * mode);
  }
  modesEnd = decideChromaMode(modesEnd, chromaMode);

  if (isEmpty) forgetFilled(above + FILLED_ABOVE, isByBlocks);
  else decideAllLevels(above + FILLED_ABOVE, isByBlocks);
  leaveEdges(above, isByBlocks ? SHOWN_BY_BLOCKS : SHOWN);
}

function setsByBlocks(): v128 {
  return v128.or(v128.load(SETS_BY_BLOCKS), v128.load(SETS_BY_BLOCKS, 16));
}

/** The sets of Y2 and 16 blocks, combined. */
function setsOfWhole(): v128 {
  return v128.or(v128.load(SETS), v128.or(v128.load(SETS, 16), v128.load(SETS, 18)));
}

function decideBlockModes(modesAbove: usize): void {
  for (let block: usize = 0; block < 16; block++) {
    const above = block < 4 ? load<u8>(modesAbove + block) : load<u8>(MODES + block - 4);
    const left = block & 3 ? load<u8>(MODES + block - 1) : load<u8>(LEFT_MODES + (block >> 2));
    modesEnd = decideBlockMode(modesEnd, above, left, load<u8>(MODES + block));
  }
  store<u32>(modesAbove, load<u32>(MODES + 12));
  for (let line: usize = 0; line < 4; line++) store<u8>(LEFT_MODES + line, load<u8>(MODES + 4 * line + 3));
}

/** Marks a macroblock without levels; with block modes it has no Y2 block, so that context stays as it was. */
function forgetFilled(filledAbove: usize, isByBlocks: bool): void {
  store<u64>(filledAbove, 0);
  store<u64>(LEFT_FILLED, 0);
  if (isByBlocks) return;
  store<u8>(filledAbove + 8, 0);
  store<u8>(LEFT_FILLED + 8, 0);
}

function decideAllLevels(filledAbove: usize, isByBlocks: bool): void {
  if (isByBlocks) decideBlocks(WHOLE, LEVELS_BY_BLOCKS, SETS_BY_BLOCKS, 4, filledAbove, LEFT_FILLED);
  else {
    decideBlocks(Y2, LEVELS, SETS, 1, filledAbove + 8, LEFT_FILLED + 8);
    decideBlocks(REST, LEVELS + 32, SETS + 2, 4, filledAbove, LEFT_FILLED);
  }
  decideBlocks(CHROMA, LEVELS + 17 * 32, SETS + 34, 2, filledAbove + 4, LEFT_FILLED + 4);
  decideBlocks(CHROMA, LEVELS + 21 * 32, SETS + 42, 2, filledAbove + 6, LEFT_FILLED + 6);
}

/** Decides a square of blocks; their contexts are one byte each in `above` and `left`. */
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

/** Stores the last rows and columns for the macroblocks below and to the right. */
function leaveEdges(above: usize, luma: usize): void {
  store<u8>(CORNERS, load<u8>(above + 15));
  for (let i: usize = 0; i < 4; i++) {
    store<u32>(above + 4 * i, load<u32>(luma + 16 * (12 + i) + 12));
    store<u32>(LEFT + 4 * i, lastColumn(luma + 16 * (4 * i + 3)));
  }
  for (let plane: usize = 0; plane < 2; plane++) {
    const line = above + CHROMA_ABOVE + 8 * plane;
    const blocks = SHOWN + 16 * (16 + 4 * plane);
    store<u8>(CORNERS + 1 + plane, load<u8>(line + 7));
    store<u32>(line, load<u32>(blocks + 16 * 2 + 12));
    store<u32>(line + 4, load<u32>(blocks + 16 * 3 + 12));
    store<u32>(LEFT + 16 + 8 * plane, lastColumn(blocks + 16));
    store<u32>(LEFT + 20 + 8 * plane, lastColumn(blocks + 48));
  }
}
