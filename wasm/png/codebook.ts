// Codes for what a filter leaves of photos, made before any of them is seen; of a band's residuals in, the best of these out.
//
// A code that followed every count would change with every text that lies over a photo, and all bits with it. One out of
// a book seldom does, and takes 1 to 3 percent more. Residuals count by how many bits their magnitude has: 0 to 8.

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

/** How many bits a magnitude may have, from 1 on. */
const SIZES: u32 = 8;
/** Of how residuals may spread: three shapes, at scales from SMALLEST on, each with a thin and with a thick tail. */
const SHAPES: u32 = 3;
const SCALES: u32 = 15;
const SMALLEST: f64 = 0.35;
const SCALE_STEP: f64 = 1.4;
/** And one of noise. */
export const CODES: u32 = SHAPES * SCALES * 4 + 1;

/** In the book, for each code: its entries as `chooseCodes` leaves them, then what a residual costs. */
const COSTS: usize = COUNTS_BYTES;
/** That of a residual of 1 bit and more, as more than one of a bit less; of one that is 0; of a run. */
const ZERO_COST: usize = COSTS + 4 * SIZES;
const RUN_COST: usize = ZERO_COST + 4;
const CODE_BYTES: usize = RUN_COST + 4;

/** By magnitude, 0 to 128: how likely it is, or one of the shapes that are mixed. */
const LIKELY = memory.data(8 * 129, 16);
const OTHER = memory.data(8 * 129, 16);
/** What all literals weigh. */
const WEIGHT: f64 = 262_144;
/** Of all symbols, how many tell the length of a run: in a photo, and where it is calm in part. */
const FEW_RUNS: f64 = 0.002;
const MANY_RUNS: f64 = 0.016;
/** Symbols of short runs, which are all as likely as each other, and of longer ones, half as likely. */
const SHORT_RUN: u32 = lengthSymbol(8);
const LONG_RUN: u32 = 18;
const LAST_RUN: u32 = 27;

/** Where the entries of a code lie. */
export function codeAt(book: usize, code: u32): usize {
  return book + CODE_BYTES * code;
}

/** Makes the book: CODES times CODE_BYTES bytes. Nothing in it depends on the machine. */
export function makeCodebook(book: usize): void {
  let scale = SMALLEST;
  for (let step: u32 = 0; step < SCALES; step++, scale *= SCALE_STEP) {
    for (let shape: u32 = 0; shape < SHAPES; shape++) {
      if (shape === 0) fillFlat(scale);
      else if (shape === 1) fillSteep(LIKELY, scale);
      else fillMixed(scale);
      writeCode(book, 0.02, FEW_RUNS);
      writeCode(book + CODE_BYTES, 0.02, MANY_RUNS);
      writeCode(book + 2 * CODE_BYTES, 0.1, FEW_RUNS);
      writeCode(book + 3 * CODE_BYTES, 0.1, MANY_RUNS);
      book += 4 * CODE_BYTES;
    }
  }
  writeCode(book, 1, 0);
}

/** Each magnitude less likely than the one before by the same factor. */
function fillSteep(to: usize, scale: f64): void {
  let likely: f64 = 1;
  for (let magnitude: usize = 0; magnitude <= 128; magnitude++) {
    store<f64>(to + 8 * magnitude, likely);
    likely *= scale / (scale + 1);
  }
}

/** Flatter around 0. */
function fillFlat(scale: f64): void {
  scale *= 0.55;
  fillSteep(LIKELY, scale);
  for (let magnitude: u32 = 0; magnitude <= 128; magnitude++) {
    const at = LIKELY + 8 * magnitude;
    store<f64>(at, load<f64>(at) * (1 + <f64>magnitude / scale));
  }
}

/** Of calm places and busy ones. */
function fillMixed(scale: f64): void {
  fillSteep(LIKELY, 0.55 * scale);
  fillSteep(OTHER, 2.2 * scale);
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

/** @param tail the share of all residuals that is as likely as any */
function writeCode(code: usize, tail: f64, runs: f64): void {
  const factor = (WEIGHT * (1 - tail)) / sumOf(LIKELY);
  memory.fill(code, 0, COSTS);
  for (let residual: i32 = 0; residual < 256; residual++) {
    const likely = load<f64>(LIKELY + 8 * <usize>min(residual, 256 - residual));
    store<u32>(code + 4 * residual, <u32>(factor * likely + (WEIGHT * tail) / 256));
  }
  store<u32>(code + END_OF_BLOCK, 1);
  const run = (WEIGHT * runs) / (LONG_RUN - SHORT_RUN + (LAST_RUN + 1 - LONG_RUN) / 2);
  for (let symbol = SHORT_RUN; symbol <= LAST_RUN; symbol++) {
    store<u32>(code + LENGTHS + 4 * symbol, <u32>(symbol < LONG_RUN ? run : run / 2) + 1);
  }
  store<u32>(code + DISTANCES, 1);
  chooseCodes(code, LITERAL_SYMBOLS, LONGEST_CODE);
  chooseCodes(code + DISTANCES, DISTANCE_SYMBOLS, LONGEST_CODE);
  writeCosts(code);
}

/** In 16ths of a bit. */
function writeCosts(code: usize): void {
  let before = 16 * <i32>load<u8>(code);
  store<i32>(code, before, ZERO_COST);
  for (let size: u32 = 1; size <= SIZES; size++) {
    let sum: i32 = 0;
    let count: i32 = 0;
    for (let residual: i32 = 1; residual < 256; residual++) {
      if (32 - clz(min(residual, 256 - residual)) !== size) continue;
      sum += load<u8>(code + 4 * residual);
      count++;
    }
    const cost = (16 * sum) / count;
    store<i32>(code + 4 * (size - 1), cost - before, COSTS);
    before = cost;
  }
  const run = <i32>load<u8>(code + LENGTHS + 4 * SHORT_RUN) + load<u8>(code + DISTANCES);
  store<i32>(code, 16 * run, RUN_COST);
}

/** @param counts i32: how many residuals have at least 1, 2 and up to 8 bits; how many there are at all; how many runs */
export function cheapestCode(book: usize, counts: usize): u32 {
  let cheapest: u32 = 0;
  let least: i32 = i32.MAX_VALUE;
  for (let code: u32 = 0; code < CODES; code++) {
    const costs = codeAt(book, code) + COSTS;
    let cost: i32 = 0;
    for (let i: usize = 0; i < SIZES + 2; i++) cost += load<i32>(counts + 4 * i) * load<i32>(costs + 4 * i);
    if (cost < least) {
      least = cost;
      cheapest = code;
    }
  }
  return cheapest;
}
