// Scales rows of opaque pixels with a separable filter, first vertically, then horizontally, in AssemblyScript.
//
// Weights are i16, of which 2¹⁴ is 1. They apply to pairs of rows and of columns, from an even one on, so that one
// instruction multiplies and adds both. Between the two passes values keep six bits of fraction: only the result is rounded
// to whole levels.

/** Bits of fraction of weights, and of values between the passes. */
const WEIGHT_BITS: i32 = 14;
const VALUE_BITS: i32 = 6;
/** Bytes of a pixel of the source, of a pair of them between the passes, and of a pixel of the result. */
const RGB: usize = 3;
const PAIR: usize = 16;
const RGBA: usize = 4;

/**
 * Writes rows of RGBA, all of them opaque. Up to 16 bytes more than needed are read and written.
 *
 * @param source `2 * pairs` rows of RGB
 * @param stride bytes from one of them to the next
 * @param width of the source, px
 * @param paired scratch memory: for each pair of rows `pairedBytes(width)` bytes
 * @param downStarts for each row of the result its first source row, i32, even
 * @param downWeights for each of them `downTaps` weights, an even number
 * @param rows of the result
 * @param acrossStarts, acrossWeights, acrossTaps, columns: the same for columns
 * @param line scratch memory: 14 bytes per source pixel, and eight for each of `acrossTaps`
 */
export function scaleRows(
  source: usize,
  stride: usize,
  width: usize,
  pairs: u32,
  paired: usize,
  downStarts: usize,
  downWeights: usize,
  downTaps: usize,
  rows: u32,
  acrossStarts: usize,
  acrossWeights: usize,
  acrossTaps: usize,
  columns: u32,
  line: usize,
  result: usize,
): void {
  const pitch = pairedBytes(width);
  for (let pair: u32 = 0; pair < pairs; pair++) {
    pairRows(source + 2 * stride * pair, stride, RGB * width, paired + pitch * pair);
  }
  const packed = line + (PAIR / 2) * (width + acrossTaps);
  for (let row: u32 = 0; row < rows; row++) {
    const first = paired + pitch * <usize>(load<i32>(downStarts) >> 1);
    scaleDown(first, pitch, RGB * width, downWeights, downTaps, packed);
    pairColumns(packed, width, line);
    scaleAcross(line, acrossStarts, acrossWeights, acrossTaps, columns, result);
    downStarts += 4;
    downWeights += 2 * downTaps;
    result += RGBA * columns;
  }
}

/** Bytes of a pair of rows as i16, whole steps of the kernel. */
export function pairedBytes(width: usize): usize {
  return 4 * ((RGB * width + 15) & ~15);
}

/** Interleaves the bytes of two rows, as i16. */
function pairRows(upper: usize, stride: usize, bytes: usize, to: usize): void {
  for (let x: usize = 0; x < bytes; x += 16, to += 64) {
    const a = v128.load(upper + x);
    const b = v128.load(upper + stride + x);
    const first = v128.shuffle<u8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const second = v128.shuffle<u8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    v128.store(to, i16x8.extend_low_i8x16_u(first));
    v128.store(to, i16x8.extend_high_i8x16_u(first), 16);
    v128.store(to, i16x8.extend_low_i8x16_u(second), 32);
    v128.store(to, i16x8.extend_high_i8x16_u(second), 48);
  }
}

/** The weighted sums of some rows, i16 with six bits of fraction. */
function scaleDown(paired: usize, pitch: usize, bytes: usize, weights: usize, taps: usize, to: usize): void {
  const half = i32x4.splat(1 << (WEIGHT_BITS - VALUE_BITS - 1));
  const end = weights + 2 * taps;
  for (let x: usize = 0; x < bytes; x += 16, to += 32) {
    let a = half;
    let b = half;
    let c = half;
    let d = half;
    let at = paired + 4 * x;
    for (let pair = weights; pair < end; pair += 4, at += pitch) {
      const both = v128.load32_splat(pair);
      a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load(at), both));
      b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load(at, 16), both));
      c = i32x4.add(c, i32x4.dot_i16x8_s(v128.load(at, 32), both));
      d = i32x4.add(d, i32x4.dot_i16x8_s(v128.load(at, 48), both));
    }
    const shift = WEIGHT_BITS - VALUE_BITS;
    v128.store(to, i16x8.narrow_i32x4_s(i32x4.shr_s(a, shift), i32x4.shr_s(b, shift)));
    v128.store(to, i16x8.narrow_i32x4_s(i32x4.shr_s(c, shift), i32x4.shr_s(d, shift)), 16);
  }
}

/** Interleaves the channels of each two pixels. */
function pairColumns(packed: usize, width: usize, to: usize): void {
  for (let x: usize = 0; x < width; x += 2, packed += 12, to += PAIR) {
    const two = v128.load(packed);
    v128.store(to, v128.shuffle<u16>(two, two, 0, 3, 1, 4, 2, 5, 2, 5));
  }
}

/** The weighted sums of some pixels of a row, RGBA. */
function scaleAcross(line: usize, starts: usize, weights: usize, taps: usize, columns: u32, to: usize): void {
  const half = i32x4.splat(1 << (WEIGHT_BITS + VALUE_BITS - 1));
  const opaque = i32x4.splat(0xff000000);
  for (let column: u32 = 0; column < columns; column++, starts += 4, to += RGBA) {
    let at = line + (PAIR / 2) * <usize>load<i32>(starts);
    let sums = half;
    for (const end = weights + 2 * taps; weights < end; weights += 4, at += PAIR) {
      sums = i32x4.add(sums, i32x4.dot_i16x8_s(v128.load(at), v128.load32_splat(weights)));
    }
    const levels = i32x4.shr_s(sums, WEIGHT_BITS + VALUE_BITS);
    const words = i16x8.narrow_i32x4_s(levels, levels);
    store<u32>(to, i32x4.extract_lane(v128.or(i8x16.narrow_i16x8_u(words, words), opaque), 0));
  }
}
