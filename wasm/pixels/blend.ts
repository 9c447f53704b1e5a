// Premultiplied pixels over others, rounded as the arithmetic of every surface here rounds.

/** Eight channels times their factors / 255, rounded. */
function scaled(channels: v128, factors: v128): v128 {
  const product = i16x8.add(i16x8.mul(channels, factors), i16x8.splat(128));
  return i16x8.shr_u(i16x8.add(product, i16x8.shr_u(product, 8)), 8);
}

/** Lays premultiplied pixels over others, src-over, four at a time: `count` is rounded up to a multiple of four. */
export function blendOver(below: usize, above: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i += 4, below += 16, above += 16) {
    const over = v128.load(above);
    const under = v128.load(below);
    const seen = v128.not(v128.shuffle<u8>(over, over, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15));
    const low = scaled(i16x8.extend_low_i8x16_u(under), i16x8.extend_low_i8x16_u(seen));
    const high = scaled(i16x8.extend_high_i8x16_u(under), i16x8.extend_high_i8x16_u(seen));
    // No sum exceeds 255: a premultiplied colour is never more than its alpha.
    v128.store(below, v128.add<u8>(over, v128.narrow<u16>(low, high)));
  }
}
