// Arithmetic on premultiplied RGBA shared by the kernels, in AssemblyScript: four pixels of bytes, or eight 16-bit
// lanes.
//
// Constants are loaded from memory, because V8 rebuilds an immediate v128 on every loop iteration, which costs more.

const HALF: usize = memory.data<u16>([128, 128, 128, 128, 128, 128, 128, 128], 16);
const ALPHAS: usize = memory.data<u8>([3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15], 16);
const COVERAGES: usize = memory.data<u8>([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3], 16);
const LANES: usize = memory.data<u32>([0, 1, 2, 3], 16);
const BYTE: usize = memory.data<u32>([255, 255, 255, 255], 16);

/** x / 255 of sums up to 255 · 255, rounded to the nearest: (x + 128 + ((x + 128) >> 8)) >> 8 (Blinn, 1995). */
export function div255(sums: v128): v128 {
  const s = i16x8.add(sums, v128.load(HALF));
  return i16x8.shr_u(i16x8.add(s, i16x8.shr_u(s, 8)), 8);
}

/** Products of 16 bytes, where 255 is 1. */
export function product(a: v128, b: v128): v128 {
  return v128.narrow<u16>(div255(i16x8.extmul_low_i8x16_u(a, b)), div255(i16x8.extmul_high_i8x16_u(a, b)));
}

/** Copies each pixel's alpha to all of its channels. */
export function alphasOf(pixels: v128): v128 {
  return i8x16.swizzle(pixels, v128.load(ALPHAS));
}

/** Copies four coverages, each to all channels of its pixel. */
export function spread(coverages: u32): v128 {
  return i8x16.swizzle(i32x4.splat(coverages), v128.load(COVERAGES));
}

/** `source-over` (Compositing 1 §5.1), premultiplied. */
export function over(below: v128, above: v128): v128 {
  return v128.add_sat<u8>(above, product(below, v128.not(alphasOf(above))));
}

/** Whether four pixels are all opaque. */
export function areOpaque(pixels: v128): bool {
  return i32x4.all_true(i32x4.eq(i32x4.shr_u(pixels, 24), v128.load(BYTE)));
}

/** The first `count` of four pixels, the others transparent. */
export function firstPixels(pixels: v128, count: usize): v128 {
  return v128.and(pixels, i32x4.lt_u(v128.load(LANES), i32x4.splat(<i32>count)));
}
