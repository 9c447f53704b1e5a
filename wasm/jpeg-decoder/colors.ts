// Samples of luma and two colour differences in, pixels out (JFIF; ITU-R BT.601 at full range).
//
// Sixteen at a time: what lies behind the last pixel of a row is written over.

// 1.402, 1.772, 0.34414 and 0.71414, less or plus a whole number.
const RED_OF_REDNESS: i16 = 13_173;
const BLUE_OF_BLUENESS: i16 = -7_471;
const GREEN_OF_BLUENESS: i16 = 11_277;
const GREEN_OF_REDNESS: i16 = 23_401;

/**
 * Writes a row of pixels, up to fifteen more than asked for.
 *
 * @param channels 3 for RGB, 4 for RGBA
 */
export function writeColors(luma: usize, blueness: usize, redness: usize, count: u32, to: usize, channels: u32): void {
  const middle = i16x8.splat(128);
  for (let x: usize = 0; x < count; x += 16) {
    const y0 = v128.load8x8_u(luma + x);
    const y1 = v128.load8x8_u(luma + x, 8);
    const b0 = i16x8.sub(v128.load8x8_u(blueness + x), middle);
    const b1 = i16x8.sub(v128.load8x8_u(blueness + x, 8), middle);
    const r0 = i16x8.sub(v128.load8x8_u(redness + x), middle);
    const r1 = i16x8.sub(v128.load8x8_u(redness + x, 8), middle);
    to = writeSixteen(
      to,
      i8x16.narrow_i16x8_u(redOf(y0, r0), redOf(y1, r1)),
      i8x16.narrow_i16x8_u(greenOf(y0, b0, r0), greenOf(y1, b1, r1)),
      i8x16.narrow_i16x8_u(blueOf(y0, b0), blueOf(y1, b1)),
      channels,
    );
  }
}

/** As `writeColors`, of luma alone. */
export function writeGrey(luma: usize, count: u32, to: usize, channels: u32): void {
  for (let x: usize = 0; x < count; x += 16) {
    const y = v128.load(luma + x);
    to = writeSixteen(to, y, y, y, channels);
  }
}

/** Colour differences times a factor, 32768ths, rounded. */
function share(difference: v128, factor: i16): v128 {
  const product = i16x8.q15mulr_sat_s(i16x8.shl(difference, 7), i16x8.splat(factor));
  return i16x8.shr_s(i16x8.add(product, i16x8.splat(64)), 7);
}

function redOf(luma: v128, redness: v128): v128 {
  return i16x8.add(i16x8.add(luma, redness), share(redness, RED_OF_REDNESS));
}

function greenOf(luma: v128, blueness: v128, redness: v128): v128 {
  const taken = i16x8.add(
    i16x8.q15mulr_sat_s(i16x8.shl(blueness, 7), i16x8.splat(GREEN_OF_BLUENESS)),
    i16x8.q15mulr_sat_s(i16x8.shl(redness, 7), i16x8.splat(GREEN_OF_REDNESS)),
  );
  return i16x8.sub(luma, i16x8.shr_s(i16x8.add(taken, i16x8.splat(63)), 7));
}

function blueOf(luma: v128, blueness: v128): v128 {
  return i16x8.add(i16x8.add(luma, i16x8.shl(blueness, 1)), share(blueness, BLUE_OF_BLUENESS));
}

/** Returns the address behind them. */
function writeSixteen(to: usize, red: v128, green: v128, blue: v128, channels: u32): usize {
  const opaque = i8x16.splat(-1);
  const rg0 = v128.shuffle<u8>(red, green, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const rg1 = v128.shuffle<u8>(red, green, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const ba0 = v128.shuffle<u8>(blue, opaque, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const ba1 = v128.shuffle<u8>(blue, opaque, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const step: usize = 4 * channels;
  writeFour(to, v128.shuffle<u16>(rg0, ba0, 0, 8, 1, 9, 2, 10, 3, 11), channels);
  writeFour(to + step, v128.shuffle<u16>(rg0, ba0, 4, 12, 5, 13, 6, 14, 7, 15), channels);
  writeFour(to + 2 * step, v128.shuffle<u16>(rg1, ba1, 0, 8, 1, 9, 2, 10, 3, 11), channels);
  writeFour(to + 3 * step, v128.shuffle<u16>(rg1, ba1, 4, 12, 5, 13, 6, 14, 7, 15), channels);
  return to + 4 * step;
}

/** Of RGB, the four bytes behind the pixels are written too. */
function writeFour(to: usize, pixels: v128, channels: u32): void {
  if (channels === 4) v128.store(to, pixels);
  else v128.store(to, v128.shuffle<u8>(pixels, pixels, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15));
}
