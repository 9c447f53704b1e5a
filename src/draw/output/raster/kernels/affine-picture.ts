// Draws a picture over pixels through an affine transform, with bicubic sampling of each pixel, in AssemblyScript.
//
// Keys' cubic convolution with a = -1/2 (Catmull-Rom; IEEE ASSP-29, 1981), first vertically, then horizontally, on
// premultiplied bytes. The picture is already scaled to about its final size, so sampling skips none of its pixels.

import { over, product } from './lanes';

/** Number of subpixel phases that have their own weights, as a power of two. */
const PHASE_BITS: i32 = 8;
/** Four weights per phase, i16; 2¹⁴ is 1. */
const WEIGHTS: usize = memory.data(8 << PHASE_BITS, 16);
let areWeightsSet: bool = false;

function setWeights(): void {
  for (let i = 0; i < 1 << PHASE_BITS; i++) {
    const t = <f64>i / <f64>(1 << PHASE_BITS);
    const first = ((-0.5 * t + 1) * t - 0.5) * t;
    const third = ((-1.5 * t + 2) * t + 0.5) * t;
    const fourth = (0.5 * t - 0.5) * t * t;
    const at = WEIGHTS + 8 * i;
    const w0 = <i32>Math.round(first * 16384);
    const w2 = <i32>Math.round(third * 16384);
    const w3 = <i32>Math.round(fourth * 16384);
    store<i16>(at, <i16>w0);
    // The weights add up to exactly 1.
    store<i16>(at, <i16>(16384 - w0 - w2 - w3), 2);
    store<i16>(at, <i16>w2, 4);
    store<i16>(at, <i16>w3, 6);
  }
  areWeightsSet = true;
}

/**
 * @param picture address of the pixel whose middle is (0, 0); its edges are repeated for two pixels around what is
 * sampled
 * @param pitch pixels from one of its rows to the next
 * @param right, bottom its last column and row: positions are clamped to 0 and these
 * @param u, v position of the first pixel's middle in the picture, computed in 16.16; `uAcross`, `vAcross`, `uDown`,
 * `vDown`: its change per pixel across and down
 * @param mask coverage of each pixel by the picture
 * @param opacity 0..255
 */
export function layPicture(
  pixels: usize,
  stride: usize,
  width: u32,
  height: u32,
  picture: usize,
  pitch: i32,
  right: i32,
  bottom: i32,
  u: f64,
  v: f64,
  uAcross: f64,
  vAcross: f64,
  uDown: f64,
  vDown: f64,
  mask: usize,
  maskPitch: usize,
  opacity: u32,
): void {
  if (!areWeightsSet) setWeights();
  const stepU = <i64>nearest(uAcross * 65536);
  const stepV = <i64>nearest(vAcross * 65536);
  const mostU = (<i64>right) << 16;
  const mostV = (<i64>bottom) << 16;
  for (let y: u32 = 0; y < height; y++, pixels += 4 * stride, mask += maskPitch) {
    let placeU = <i64>nearest((u + uDown * <f64>y) * 65536);
    let placeV = <i64>nearest((v + vDown * <f64>y) * 65536);
    for (let x: u32 = 0; x < width; x++, placeU += stepU, placeV += stepV) {
      const coverage = <u32>load<u8>(mask + x) * opacity;
      if (coverage === 0) continue;
      const heldU = <i32>max<i64>(0, min<i64>(mostU, placeU));
      const heldV = <i32>max<i64>(0, min<i64>(mostV, placeV));
      const from = picture + 4 * ((heldV >> 16) - 1) * pitch + 4 * ((heldU >> 16) - 1);
      let above = sample(from, 4 * pitch, phase(heldU), phase(heldV));
      if (coverage !== 255 * 255) above = product(above, i8x16.splat(<i8>((coverage + 127) / 255)));
      const at = pixels + 4 * <usize>x;
      const pixel = <u32>i32x4.extract_lane(above, 0);
      if (pixel >>> 24 === 255) store<u32>(at, pixel);
      else store<u32>(at, i32x4.extract_lane(over(v128.load32_zero(at), above), 0));
    }
  }
}

/** The address of the weights for the fraction of a position. */
function phase(place: i32): usize {
  return WEIGHTS + 8 * ((place & 0xffff) >> (16 - PHASE_BITS));
}

/** Returns one pixel, in the lowest lane, sampled from the 4 × 4 pixels that begin at `from`. */
function sample(from: usize, stride: usize, acrossWeights: usize, downWeights: usize): v128 {
  const r0 = v128.load(from);
  const r1 = v128.load(from + stride);
  const r2 = v128.load(from + 2 * stride);
  const r3 = v128.load(from + 3 * stride);
  const upper = v128.load32_splat(downWeights);
  const lower = v128.load32_splat(downWeights + 4);
  // Interleaves the channels of two rows, so that one instruction multiplies and adds both.
  const a = v128.shuffle<u8>(r0, r1, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const b = v128.shuffle<u8>(r0, r1, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const c = v128.shuffle<u8>(r2, r3, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const d = v128.shuffle<u8>(r2, r3, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const p0 = down(i16x8.extend_low_i8x16_u(a), i16x8.extend_low_i8x16_u(c), upper, lower);
  const p1 = down(i16x8.extend_high_i8x16_u(a), i16x8.extend_high_i8x16_u(c), upper, lower);
  const p2 = down(i16x8.extend_low_i8x16_u(b), i16x8.extend_low_i8x16_u(d), upper, lower);
  const p3 = down(i16x8.extend_high_i8x16_u(b), i16x8.extend_high_i8x16_u(d), upper, lower);
  const first = i16x8.narrow_i32x4_s(p0, p1);
  const second = i16x8.narrow_i32x4_s(p2, p3);
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(v128.shuffle<u16>(first, first, 0, 4, 1, 5, 2, 6, 3, 7), v128.load32_splat(acrossWeights)),
    i32x4.dot_i16x8_s(v128.shuffle<u16>(second, second, 0, 4, 1, 5, 2, 6, 3, 7), v128.load32_splat(acrossWeights + 4)),
  );
  const rounded = i32x4.shr_s(i32x4.add(sum, i32x4.splat(1 << 19)), 20);
  // The kernel overshoots, so channels are clamped to alpha.
  const bytes = i32x4.min_s(rounded, v128.shuffle<u32>(rounded, rounded, 3, 3, 3, 3));
  const words = i16x8.narrow_i32x4_s(bytes, bytes);
  return i8x16.narrow_i16x8_u(words, words);
}

/** The weighted sum of one column's channels, with six bits of fraction. */
function down(upper: v128, lower: v128, upperWeights: v128, lowerWeights: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(upper, upperWeights), i32x4.dot_i16x8_s(lower, lowerWeights));
  return i32x4.shr_s(sum, 8);
}
