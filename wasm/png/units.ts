// Rows of a photo in, a block of a deflate stream out, filtered, in a code of the book; what stays of a ground is copied.
//
// A unit is 64 px of a row. Its bits follow from its pixels, their neighbours to the left and above, and the code of the
// block: its runs lie within it. So those of a unit that shows the ground, here and where it is known, are copied if the
// code is the same; else all are made. The code follows from sums over the units, to which each adds what it is known by.

import { packTranslucent } from '../pixels/pack';
import { adler32 } from './adler32';
import { copyBits } from './bits';
import { cheapestCode, codeAt } from './codebook';
import { finishBlock, writeHead, writeTokens } from './deflate';
import { filterPixels, PAETH } from './filters';
import { TOKEN, token } from './tokens';

const UNIT: usize = 64;

/** What is told of a block, each u32: its code, how many units are covered, its Adler-32; then a mark of each unit. */
const CODE: usize = 0;
const COVERED: usize = 4;
const ADLER: usize = 8;
const MARKS: usize = 16;

/** Of a unit, and behind the last of their end: how many of its samples have at least 1, 2 and up to 8 bits, a byte each; */
const MARK: usize = 32;
/** how many samples it has, then how many runs; whether it is covered, and whether copied; */
const SAMPLES: usize = 8;
const IS_COVERED: usize = 10;
const IS_COPIED: usize = 11;
/** bytes of its runs; where its first bit stands in the block; the sums of Adler-32 over it, from 0; */
const RUN_BYTES: usize = 16;
const POSITION: usize = 20;
const SUMS: usize = 24;
/** if it is not copied, where it is told. */
const TOLD: usize = 28;

/** From one sample of sixteen bytes to the next: channels, and the blocks of a JPEG, come round in other numbers. */
const SAMPLED: u32 = 80;

/** What `cheapestCode` takes. */
const COUNTS = memory.data(4 * 12, 16);

/**
 * Codes rows as one block.
 *
 * @param rgba the first row, behind the one above it; premultiplied, with 4 channels made straight in its place
 * @param channels of the file; 3 takes every pixel to be opaque
 * @param covered a byte for each unit, 1 if it may follow from anything but the ground, else 0
 * @param known what was written of these rows of another picture on the same ground, or 0
 * @param bytes room for the filtered rows
 * @param tokens room for their tokens
 * @param out for what is told of the block, then the block itself
 * @param isLast as `finishBlock` takes it
 * @returns where the block ends; 0 when a pixel is not as opaque as it was taken to be
 */
export function codeUnits(
  rgba: usize,
  width: usize,
  rows: u32,
  channels: usize,
  covered: usize,
  known: usize,
  book: usize,
  bytes: usize,
  tokens: usize,
  out: usize,
  isLast: bool,
): usize {
  const above = rgba - 4 * width;
  if (channels === 4) packTranslucent(above, width * (rows + 1), above);
  let isOpaque = filterRows(rgba, width, rows, channels, covered, known, bytes, tokens, out);
  const code = cheapestCode(book, COUNTS);
  if (known !== 0 && load<u32>(known, CODE) !== code) {
    known = 0;
    isOpaque = filterRows(rgba, width, rows, channels, covered, 0, bytes, tokens, out);
  }
  if (!isOpaque) return 0;
  store<u32>(out, code, CODE);
  return writeRows(width, rows, channels, known, codeAt(book, code), bytes, out, isLast);
}

/** Filters and measures every unit that is not known. Returns whether all are as opaque as they are taken to be. */
function filterRows(
  rgba: usize,
  width: usize,
  rows: u32,
  channels: usize,
  covered: usize,
  known: usize,
  bytes: usize,
  tokens: usize,
  out: usize,
): bool {
  let mark = out + MARKS;
  let knownMark = known + MARKS;
  let alpha: u32 = 255;
  let coveredUnits: u32 = 0;
  // No sum of so many bytes exceeds 64 bits: one division is enough.
  let a: u64 = 1;
  let b: u64 = 0;
  let first = i32x4.splat(0);
  let second = first;
  let samples: u32 = 0;
  let runs: u32 = 0;
  let runBytes: u32 = 0;
  for (; rows > 0; rows--) {
    for (let x: usize = 0; x < width; x += UNIT) {
      const pixels = min(UNIT, width - x);
      const isFirst = x === 0;
      const isCovered = load<u8>(covered++);
      const length = channels * pixels + usize(isFirst);
      coveredUnits += isCovered;
      const isCopied = known !== 0 && (isCovered | load<u8>(knownMark, IS_COVERED)) === 0;
      // Kept in registers: what was stored byte by byte is slow to be loaded as a whole.
      let sizes: u64;
      let others: u64;
      if (isCopied) {
        sizes = load<u64>(knownMark);
        others = load<u64>(knownMark, SAMPLES);
        store<u32>(mark, load<u32>(knownMark, RUN_BYTES), RUN_BYTES);
        store<u32>(mark, load<u32>(knownMark, SUMS), SUMS);
      } else {
        if (isFirst) store<u8>(bytes, PAETH);
        const residues = bytes + usize(isFirst);
        alpha &= filterPixels(rgba, rgba - 4 * width, pixels, isFirst, channels, residues);
        sizes = countSizes(residues, channels * pixels);
        const told = tokens;
        tokens = tell(bytes, length, mark, tokens);
        // The last token has no run.
        const ownRuns = (tokens - told) / TOKEN - 1;
        others = 16 * ((channels * pixels + SAMPLED - 1) / SAMPLED) + 256 * ownRuns;
        store<u32>(mark, <u32>told, TOLD);
        store<u32>(mark, adler32(0, bytes, length), SUMS);
      }
      store<u64>(mark, sizes);
      store<u64>(mark, others, SAMPLES);
      store<u8>(mark, isCovered, IS_COVERED);
      store<u8>(mark, u8(isCopied), IS_COPIED);
      const sums = load<u32>(mark, SUMS);
      b += a * length + (sums >>> 16);
      a += sums & 0xffff;
      const small = i16x8.extend_low_i8x16_u(i64x2.splat(sizes));
      first = i32x4.add(first, i32x4.extend_low_i16x8_u(small));
      second = i32x4.add(second, i32x4.extend_high_i16x8_u(small));
      samples += <u32>others & 255;
      runs += (<u32>others >> 8) & 255;
      runBytes += load<u32>(mark, RUN_BYTES);
      rgba += 4 * pixels;
      bytes += length;
      mark += MARK;
      knownMark += MARK;
    }
  }
  v128.store(COUNTS, i32x4.mul(first, i32x4.splat(SAMPLED / 16)));
  v128.store(COUNTS, i32x4.mul(second, i32x4.splat(SAMPLED / 16)), 16);
  // A run is of zeros, nearly always.
  store<u32>(COUNTS, (SAMPLED / 16) * samples - runBytes, 32);
  store<u32>(COUNTS, runs, 36);
  store<u32>(out, coveredUnits, COVERED);
  store<u32>(out, ((<u32>(b % 65_521)) << 16) | <u32>(a % 65_521), ADLER);
  return channels === 4 || alpha === 255;
}

/** How many samples of a unit have at least 1, 2 and up to 8 bits, a byte each. */
function countSizes(residues: usize, length: usize): u64 {
  const first = sample(residues, 0, length);
  const second = sample(residues, SAMPLED, length);
  const third = sample(residues, 2 * SAMPLED, length);
  const fourth = sample(residues, 3 * SAMPLED, length);
  let least = i8x16.splat(1);
  let counts: u64 = 0;
  for (let shift: u64 = 0; shift < 64; shift += 8) {
    const low = i8x16.bitmask(i8x16.ge_u(first, least)) | (i8x16.bitmask(i8x16.ge_u(second, least)) << 16);
    const high = i8x16.bitmask(i8x16.ge_u(third, least)) | (i8x16.bitmask(i8x16.ge_u(fourth, least)) << 16);
    counts |= (<u64>(popcnt(low) + popcnt(high))) << shift;
    least = i8x16.add(least, least);
  }
  return counts;
}

/** Magnitudes; 0 behind the unit. */
function sample(residues: usize, at: usize, length: usize): v128 {
  return at < length ? i8x16.abs(v128.load(residues + at)) : i64x2.splat(0);
}

/** Which of 64 bytes repeat the one before them, a bit each. */
function repeats(at: usize): u64 {
  let bits: u64 = 0;
  for (let i: usize = 0; i < 64; i += 16) {
    const same = i8x16.eq(v128.load(at + i), v128.load(at + i - 1));
    bits |= (<u64>i8x16.bitmask(same)) << i;
  }
  return bits;
}

/** Tells a unit as tokens: runs as matches at distance 1, all else as literals. Returns where they end. */
function tell(bytes: usize, length: usize, mark: usize, tokens: usize): usize {
  const end = bytes + length;
  let literals = bytes;
  let runBytes: u32 = 0;
  for (let at = bytes + 1; at < end; ) {
    // Behind the end, nothing repeats.
    let eight = repeats(at) & (at + 64 <= end ? -1 : ((<u64>1) << (<u64>(end - at))) - 1);
    eight &= eight >> 1;
    eight &= eight >> 2;
    eight &= eight >> 4;
    if (eight === 0) {
      // A run that starts in the last seven bytes is found from there.
      at += 57;
      continue;
    }
    const start = at + <usize>ctz(eight);
    at = start + 8;
    while (at < end && load<u8>(at) === load<u8>(start)) at++;
    tokens = token(tokens, <u32>(start - literals), <u32>(at - start) | (1 << 9));
    literals = at;
    runBytes += <u32>(at - start);
    at++;
  }
  store<u32>(mark, runBytes, RUN_BYTES);
  return token(tokens, <u32>(end - literals), 0);
}

/** Writes the block. Returns where it ends. */
function writeRows(
  width: usize,
  rows: u32,
  channels: usize,
  known: usize,
  codes: usize,
  bytes: usize,
  out: usize,
  isLast: bool,
): usize {
  const marks = MARK * (<usize>rows * ((width + UNIT - 1) / UNIT) + 1);
  const block = out + MARKS + marks;
  const knownBlock = known + MARKS + marks;
  let position = writeHead(codes, block, isLast);
  let mark = out + MARKS;
  let knownMark = known + MARKS;
  // Of units in a row that are known: where the first begins there, and how much further on here.
  let first: u32 = 0;
  let further: u32 = 0;
  let isCopying = false;
  for (; rows > 0; rows--) {
    for (let x: usize = 0; x < width; x += UNIT) {
      if (load<u8>(mark, IS_COPIED)) {
        if (!isCopying) {
          first = load<u32>(knownMark, POSITION);
          further = position - first;
          isCopying = true;
        }
        store<u32>(mark, load<u32>(knownMark, POSITION) + further, POSITION);
      } else {
        if (isCopying) position = copyBits(knownBlock, first, load<u32>(knownMark, POSITION), block, position);
        isCopying = false;
        store<u32>(mark, position, POSITION);
        position = writeTokens(load<u32>(mark, TOLD), bytes, codes, block, position);
      }
      bytes += channels * min(UNIT, width - x) + usize(x === 0);
      mark += MARK;
      knownMark += MARK;
    }
  }
  if (isCopying) position = copyBits(knownBlock, first, load<u32>(knownMark, POSITION), block, position);
  store<u32>(mark, position, POSITION);
  return block + finishBlock(codes, block, position, isLast);
}
