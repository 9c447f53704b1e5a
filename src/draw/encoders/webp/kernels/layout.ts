// Memory layout of the WebP encoder; src/draw/encoders/webp/kernels.ts has the same addresses for the caller.
//
// Blocks are 4 × 4 samples, 16 bytes row by row, in the order of a macroblock: 16 of luma, then four each of U and V.

/** The first address after the compiler's own data. */
const BASE: usize = 65_536;

// ---- tables that the caller writes

/** The probability that a decision is 0, one byte each, by number. */
export const PROBABILITIES: usize = BASE;
/**
 * Quantizer steps, sixteen 16-bit values each: the step, its reciprocal factor, and the offset that is subtracted
 * first.
 */
export const LUMA_STEPS: usize = BASE + 2048;
export const Y2_STEPS: usize = LUMA_STEPS + 96;
export const CHROMA_STEPS: usize = Y2_STEPS + 96;
/**
 * The cost of coding a block's mode, in sixteenths of a distance: twelve 16-bit values for ten modes, by the mode above
 * and the mode to the left.
 */
export const MODE_COSTS: usize = BASE + 2560;
/**
 * The cost of coding a macroblock's mode, four values each for luma and chroma; and of coding that it has block modes.
 */
export const MACROBLOCK_COSTS: usize = MODE_COSTS + 2400;
export const CHROMA_COSTS: usize = MACROBLOCK_COSTS + 8;
export const BY_BLOCKS_COST: usize = CHROMA_COSTS + 8;
/** The decisions that code a block's mode, ten 16-bit values each: their number, then the decisions. */
export const MODE_DECISIONS: usize = BASE + 5120;
/** Counts of each decision, 0 and 1, in 32 bits. */
export const COUNTS: usize = BASE + 8192;

// ---- the current macroblock

/** Its pixels. */
export const SOURCE: usize = BASE + 24_576;
/** What a decoder will show of it, before the loop filter. */
export const SHOWN: usize = SOURCE + 24 * 16;
/** What a decoder would show of its luma, predicted block by block. */
export const SHOWN_BY_BLOCKS: usize = SHOWN + 24 * 16;
/** The prediction of a block in each of ten modes. */
export const PREDICTED: usize = SHOWN_BY_BLOCKS + 16 * 16;
/** Levels in zigzag order, 32 bytes per block: Y2's, then the macroblock's. */
export const LEVELS: usize = PREDICTED + 10 * 16;
export const LEVELS_BY_BLOCKS: usize = LEVELS + 25 * 32;
/** The DC value of each luma block, in 16 bits. */
export const DCS: usize = LEVELS_BY_BLOCKS + 16 * 32;
/** Which of a block's levels are not 0, one bit each in 16 bits, in the order of LEVELS. */
export const SETS: usize = DCS + 32;
export const SETS_BY_BLOCKS: usize = SETS + 64;
/** The modes of a macroblock's blocks, one byte each. */
export const MODES: usize = SETS_BY_BLOCKS + 32;
/** Luma above each row of blocks: the sample before it, in byte 15, then 16 of its own and 4 after them. */
export const ABOVE: usize = MODES + 16;
export const ABOVE_STRIDE: usize = 48;
/** Its samples row by row: 16 rows of luma, then eight of U and V side by side. */
export const ROWS: usize = ABOVE + 5 * ABOVE_STRIDE;
/** 16 × 16 px of a macroblock that extends beyond the picture's edge. */
export const EDGE: usize = ROWS + 24 * 16;
/** A block's values. */
export const VALUES: usize = EDGE + 1024;

// ---- edges of the macroblock to the left

/** Its last columns: 16 of luma, 8 each of U and V. CORNERS: the samples above those, one byte each. */
export const LEFT: usize = VALUES + 32;
export const CORNERS: usize = LEFT + 32;
/** Whether its last blocks have levels: 4 of luma, 2 each of U and V, Y2; one byte each. */
export const LEFT_FILLED: usize = CORNERS + 16;
export const LEFT_MODES: usize = LEFT_FILLED + 16;

/**
 * Edges of the row above, 64 bytes per macroblock: 16 samples of luma, 8 each of U and V, whether blocks have levels
 * (in the order of LEFT_FILLED), and the modes of four blocks.
 */
export const ROW_ABOVE: usize = BASE + 32_768;
export const ABOVE_OF_ONE: usize = 64;
export const CHROMA_ABOVE: usize = 16;
export const FILLED_ABOVE: usize = 32;
export const MODES_ABOVE: usize = 48;
