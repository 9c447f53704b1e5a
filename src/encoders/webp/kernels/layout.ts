// Where things lie in the memory of the WebP encoder; src/encoders/webp/kernel.ts says the same to the other side.
//
// Blocks are 4 × 4 samples, 16 bytes row by row, in the order of a macroblock: 16 of luma, then four each of U and V.

/** The bottom of what is not the compiler's own. */
const BASE: usize = 65_536;

// ---- tables that the caller writes

/** The probability that a decision is 0, a byte each, by its number. */
export const PROBABILITIES: usize = BASE;
/**
 * Steps of quantization: sixteen each, in 16 bits, of the step, of what is multiplied by instead of a division, and of
 * what is taken off before.
 */
export const LUMA_STEPS: usize = BASE + 2048;
export const Y2_STEPS: usize = LUMA_STEPS + 96;
export const CHROMA_STEPS: usize = Y2_STEPS + 96;
/**
 * What saying a block's mode costs, in sixteenths of a distance, twelve of 16 bits for ten modes: by the mode above, and
 * the mode to the left.
 */
export const MODE_COSTS: usize = BASE + 2560;
/** What saying a macroblock's mode costs, four each for luma and for colour differences; and that it has block modes. */
export const MACROBLOCK_COSTS: usize = MODE_COSTS + 2400;
export const CHROMA_COSTS: usize = MACROBLOCK_COSTS + 8;
export const BY_BLOCKS_COST: usize = CHROMA_COSTS + 8;
/** The decisions that say a block's mode, ten of 16 bits for each: how many there are, then those. */
export const MODE_DECISIONS: usize = BASE + 5120;
/** How often each decision was taken, 0 and 1, in 32 bits. */
export const COUNTS: usize = BASE + 8192;

// ---- a macroblock in work

/** Its pixels. */
export const SOURCE: usize = BASE + 24_576;
/** What a decoder will show of it, before its loop filter. */
export const SHOWN: usize = SOURCE + 24 * 16;
/** What luma would show, predicted block by block. */
export const SHOWN_BY_BLOCKS: usize = SHOWN + 24 * 16;
/** A block as it would be predicted in each of ten modes. */
export const PREDICTED: usize = SHOWN_BY_BLOCKS + 16 * 16;
/** Levels in zigzag, 32 bytes a block: Y2's, then the macroblock's. */
export const LEVELS: usize = PREDICTED + 10 * 16;
export const LEVELS_BY_BLOCKS: usize = LEVELS + 25 * 32;
/** The first value of each block of luma, in 16 bits. */
export const DCS: usize = LEVELS_BY_BLOCKS + 16 * 32;
/** Which of a block's levels are not 0, a bit each in 16 bits, in the order of LEVELS. */
export const SETS: usize = DCS + 32;
export const SETS_BY_BLOCKS: usize = SETS + 64;
/** The modes of a macroblock's blocks, a byte each. */
export const MODES: usize = SETS_BY_BLOCKS + 32;
/** Luma above each row of blocks: the sample before it, in byte 15, then 16 of its own and 4 behind. */
export const ABOVE: usize = MODES + 16;
export const ABOVE_STRIDE: usize = 48;
/** Its samples row by row: 16 rows of luma, then eight of U and V side by side. */
export const ROWS: usize = ABOVE + 5 * ABOVE_STRIDE;
/** 16 × 16 px that go beyond the picture's edge. */
export const EDGE: usize = ROWS + 24 * 16;
/** A block's values. */
export const VALUES: usize = EDGE + 1024;

// ---- what the macroblock to the left leaves

/** Its last columns: 16 of luma, 8 each of U and V; and what is above those: a byte each. */
export const LEFT: usize = VALUES + 32;
export const CORNERS: usize = LEFT + 32;
/** Whether its last blocks have levels: 4 of luma, 2 each of U and V, Y2; a byte each. */
export const LEFT_FILLED: usize = CORNERS + 16;
export const LEFT_MODES: usize = LEFT_FILLED + 16;

/**
 * What the row above leaves, 64 bytes for each macroblock: 16 samples of luma, 8 each of U and V, FILLED as in LEFT, and
 * the modes of four blocks.
 */
export const ROW_ABOVE: usize = BASE + 32_768;
export const ABOVE_OF_ONE: usize = 64;
export const CHROMA_ABOVE: usize = 16;
export const FILLED_ABOVE: usize = 32;
export const MODES_ABOVE: usize = 48;
