// Premultiplied pixels over others, rounded in either of the ways in which the rasteriser rounds.

/** Eight products divided by 255, rounded to the nearest: what pictures and layers are laid over. */
function rounded(products: v128): v128 {
  const sums = i16x8.add(products, i16x8.splat(128));
  return i16x8.shr_u(i16x8.add(sums, i16x8.shr_u(sums, 8)), 8);
}

/** The same as whatever is drawn in colours has it. */
function divided(products: v128): v128 {
  return i16x8.shr_u(i16x8.add(products, i16x8.splat(255)), 8);
}

/**
 * Lays premultiplied pixels over others, src-over, four at a time: `count` is rounded up to a multiple of four.
 *
 * @param isInk whether they are drawn in colours
 */
export function blendOver(below: usize, above: usize, count: u32, isInk: bool): void {
  for (let i: u32 = 0; i < count; i += 4, below += 16, above += 16) {
    const over = v128.load(above);
    const under = v128.load(below);
    const seen = v128.not(v128.shuffle<u8>(over, over, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15));
    const low = i16x8.extmul_low_i8x16_u(under, seen);
    const high = i16x8.extmul_high_i8x16_u(under, seen);
    const shown = isInk ? v128.narrow<u16>(divided(low), divided(high)) : v128.narrow<u16>(rounded(low), rounded(high));
    // No sum exceeds 255: a premultiplied colour is never more than its alpha.
    v128.store(below, v128.add<u8>(over, shown));
  }
}

/** A pixel's channels, each as a share of 1. */
function sharesAt(pixel: usize): v128 {
  const words = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load_zero<u32>(pixel)));
  return f32x4.mul(f32x4.convert_i32x4_u(words), f32x4.splat(<f32>(1.0 / 255.0)));
}

/**
 * Lays premultiplied pixels over others as the rasteriser lays a faded layer over the rest: in single precision, rounded
 * once, when both are mixed, and halves to the even number.
 *
 * @param opacity 0..1
 */
export function blendFaded(below: usize, above: usize, count: u32, opacity: f32): void {
  for (let i: u32 = 0; i < count; i++, below += 4, above += 4) {
    const over = f32x4.mul(sharesAt(above), f32x4.splat(opacity));
    const through = f32x4.sub(f32x4.splat(1), v128.shuffle<f32>(over, over, 3, 3, 3, 3));
    const mixed = f32x4.add(f32x4.mul(sharesAt(below), through), over);
    const whole = i32x4.trunc_sat_f32x4_u(f32x4.nearest(f32x4.mul(f32x4.splat(255), mixed)));
    const bytes = i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_u(whole, whole), i16x8.splat(0));
    store<u32>(below, i32x4.extract_lane(bytes, 0));
  }
}
