// A band's residuals in, counted; of the codes in a book made before any picture was seen, the one that suits them out.
//
// A code that followed every count would change with every text that lies over a photo, and all bits with it. One out of
// a book seldom does, and takes 1 to 3 percent more. It is made of sums, products and quotients alone, so that it is the
// same on every machine.

import { chooseCodes } from './huffman';
import {
  COUNTS_BYTES,
  DISTANCE_SYMBOLS,
  DISTANCES,
  END_OF_BLOCK,
  LENGTHS,
  LITERAL_SYMBOLS,
  LONGEST_CODE,
  lengthSymbol,
} from './tokens';

/** How residuals spread: three shapes at fifteen scales, each of four kinds, from smooth photos to those with letters. */
const SHAPES: u32 = 3;
const SCALES: u32 = 15;
const SMALLEST: f64 = 0.35;
const SCALE_STEP: f64 = 1.4;
const KINDS: u32 = 4;
/** Of all residuals, how many are as likely as any other, whatever the shape: f64 by kind. */
const TAILS = memory.data<f64>([0.02, 0.02, 0.1, 0.4]);
/** Of all symbols, how many tell the length of a run. */
const RUNS = memory.data<f64>([0.002, 0.016, 0.016, 0.06]);
/** The last is for noise, whose residuals are all as likely. */
const NOISE: u32 = KINDS * SHAPES * SCALES;
const CODES: u32 = NOISE + 1;

/** Symbols of short runs, which are as likely as each other, and of longer ones, half as likely. */
const SHORT_RUN: u32 = lengthSymbol(8);
const LONG_RUN: u32 = 18;
const LAST_RUN: u32 = 27;

/** By magnitude, 0 to 128: how likely it is, or one of the shapes that are mixed. */
const LIKELY = memory.data(8 * 129, 16);
const OTHER = memory.data(8 * 129, 16);
/** What all literals weigh. */
const WEIGHT: f64 = 262_144;

/** How many bits a magnitude may have, from 1 on. */
const SIZES: u32 = 8;
/** In the book, for each code: its entries as `chooseCodes` leaves them; then costs, in 256ths of a bit. */
const COSTS: usize = COUNTS_BYTES;
/** That of a residual of 1 bit and more, as more than one of a bit less; of one that is 0; of a run. */
const ZERO_COST: usize = COSTS + 4 * SIZES;
const RUN_COST: usize = ZERO_COST + 4;
const CODE_BYTES: usize = RUN_COST + 4;

/** Makes the book: CODES times CODE_BYTES bytes. */
export function makeCodebook(book: usize): void {
  for (let number: u32 = 0; number < CODES; number++, book += CODE_BYTES) {
    weigh(number, book);
    chooseCodes(book, LITERAL_SYMBOLS, LONGEST_CODE);
    chooseCodes(book + DISTANCES, DISTANCE_SYMBOLS, LONGEST_CODE);
    writeCosts(book);
  }
}

/** @param counts i32: how many residuals have at least 1, 2 and up to 8 bits; how many there are at all; how many runs */
export function cheapestCode(book: usize, counts: usize): u32 {
  let cheapest: u32 = 0;
  let least: i64 = i64.MAX_VALUE;
  for (let number: u32 = 0; number < CODES; number++) {
    const costs = codeAt(book, number) + COSTS;
    let cost: i64 = 0;
    for (let i: usize = 0; i < SIZES + 2; i++) {
      cost += <i64>load<i32>(counts + 4 * i) * <i64>load<i32>(costs + 4 * i);
    }
    if (cost < least) {
      least = cost;
      cheapest = number;
    }
  }
  return cheapest;
}

/** The entries of a code. */
export function codeAt(book: usize, number: u32): usize {
  return book + CODE_BYTES * number;
}

/** Writes how often a code expects each symbol. */
function weigh(number: u32, counts: usize): void {
  const kind = 8 * (number % KINDS);
  const tail = number === NOISE ? 1 : load<f64>(TAILS + kind);
  const runs = number === NOISE ? 0 : load<f64>(RUNS + kind);
  spread((number / KINDS) % SHAPES, number / KINDS / SHAPES);
  const share = (WEIGHT * (1 - tail)) / sumOf(LIKELY);
  memory.fill(counts, 0, COUNTS_BYTES);
  for (let residual: i32 = 0; residual < 256; residual++) {
    const likely = load<f64>(LIKELY + 8 * <usize>min(residual, 256 - residual));
    store<u32>(counts + 4 * residual, <u32>(share * likely + (WEIGHT / 256) * tail));
  }
  const run = (WEIGHT * runs) / (LONG_RUN - SHORT_RUN + (LAST_RUN + 1 - LONG_RUN) / 2);
  for (let symbol = SHORT_RUN; symbol <= LAST_RUN; symbol++) {
    store<u32>(counts + LENGTHS + 4 * symbol, <u32>(symbol < LONG_RUN ? run : run / 2) + 1);
  }
  store<u32>(counts + END_OF_BLOCK, 1);
  store<u32>(counts + DISTANCES, 1);
}

/** Writes how likely each magnitude is, compared to others. */
function spread(shape: u32, step: u32): void {
  let scale = SMALLEST;
  for (; step > 0; step--) scale *= SCALE_STEP;
  if (shape === 0) spreadFlat(scale);
  else if (shape === 1) spreadSteep(LIKELY, scale);
  else spreadMixed(scale);
}

/** Each magnitude less likely than the one before by the same factor. */
function spreadSteep(to: usize, scale: f64): void {
  const factor = scale / (scale + 1);
  let likely: f64 = 1;
  for (let at: usize = 0; at < 8 * 129; at += 8, likely *= factor) store<f64>(to + at, likely);
}

/** Flatter around 0. */
function spreadFlat(scale: f64): void {
  scale *= 0.55;
  spreadSteep(LIKELY, scale);
  for (let magnitude: u32 = 0; magnitude <= 128; magnitude++) {
    const at = LIKELY + 8 * magnitude;
    store<f64>(at, load<f64>(at) * (1 + <f64>magnitude / scale));
  }
}

/** Of calm places and busy ones. */
function spreadMixed(scale: f64): void {
  spreadSteep(LIKELY, 0.55 * scale);
  spreadSteep(OTHER, 2.2 * scale);
  const calm = 0.72 / sumOf(LIKELY);
  const busy = 0.28 / sumOf(OTHER);
  for (let at: usize = 0; at < 8 * 129; at += 8) {
    store<f64>(LIKELY + at, calm * load<f64>(LIKELY + at) + busy * load<f64>(OTHER + at));
  }
}

/** Over all residuals, of which two have each magnitude but the first and the last. */
function sumOf(likely: usize): f64 {
  let sum = load<f64>(likely) + load<f64>(likely, 8 * 128);
  for (let magnitude: usize = 1; magnitude < 128; magnitude++) sum += 2 * load<f64>(likely + 8 * magnitude);
  return sum;
}

function writeCosts(code: usize): void {
  let before = costOf(code);
  store<i32>(code, before, ZERO_COST);
  for (let size: u32 = 1; size <= SIZES; size++) {
    const least: u32 = 1 << (size - 1);
    const most = min<u32>(2 * least - 1, 128);
    let sum: i32 = 0;
    for (let magnitude = least; magnitude <= most; magnitude++) {
      sum += costOf(code + 4 * magnitude) + costOf(code + 4 * (256 - magnitude));
    }
    const mean = sum / <i32>(2 * (most - least + 1));
    store<i32>(code + 4 * (size - 1), mean - before, COSTS);
    before = mean;
  }
  store<i32>(code, costOf(code + LENGTHS + 4 * SHORT_RUN) + costOf(code + DISTANCES), RUN_COST);
}

function costOf(entry: usize): i32 {
  return (<i32>load<u8>(entry)) << 8;
}
