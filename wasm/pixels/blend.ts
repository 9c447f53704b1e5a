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
