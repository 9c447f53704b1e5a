// What the JPEG decoder is told of a scan; src/images/jpeg/decoder-kernel.ts says the same to the other side.

/** The bottom of what is not the compiler's own. */
const BASE: usize = 65_536;

export const SCAN: usize = BASE;

@unmanaged
export class Scan {
  /** Units (MCUs) in a row. */
  units: u32;
  components: u32;
  /** Units from one restart marker to the next; 0 where there are none. */
  interval: u32;
}

/** Up to three. */
export const COMPONENTS: usize = BASE + 64;
export const OF_COMPONENT: usize = 64;

@unmanaged
export class Component {
  /** Blocks of a unit. */
  across: u32;
  down: u32;
  /** Codes of values that are the first of a block, and of the others. */
  dc: usize;
  ac: usize;
  /**
   * For each value in zigzag, in 32 bits: where it stands in a block, bytes; and what it is multiplied by, 4096ths.
   * Sixteen more stand for what lies behind the last.
   */
  factors: usize;
  /** Samples that belong to the picture. */
  width: u32;
  height: u32;
  /** Whether there are twice as many as the halved picture has, on each axis. */
  isHalvedAcross: u32;
  isHalvedDown: u32;
  /** Samples of a row of units; EDGE bytes before and behind each row of them can be written. */
  plane: usize;
  stride: u32;
  /** The last rows, as wide as the halved picture. */
  rows: usize;
  rowStride: u32;
  /** The last block's first value, in steps. */
  before: i32;
}

/** Samples beyond the edges of a picture that a filter looks at, and more. */
export const EDGE: usize = 16;
/** Rows that are kept, by their number modulo this: those of a unit, and twelve. */
export const KEPT_ROWS: u32 = 64;

/** A block's values, eight of 16 bits for each frequency across; and one behind them that nobody asks for. */
export const BLOCK: usize = BASE + 512;
