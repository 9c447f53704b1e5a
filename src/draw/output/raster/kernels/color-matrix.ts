// Applies `feColorMatrix` (Filter Effects 1 §9.6) to premultiplied RGBA in place, in AssemblyScript, with a pixel's
// channels in one vector.
//
// The matrix applies to unpremultiplied colours, so each pixel is divided by its alpha and multiplied again.

const ROUNDER: f32 = 8388608;

/**
 * @param columns five columns of four f32: the contributions of red, green, blue and alpha to each channel, and the
 * constant
 */
export function recolor(pixels: usize, count: usize, columns: usize): void {
  const ofRed = v128.load(columns);
  const ofGreen = v128.load(columns, 16);
  const ofBlue = v128.load(columns, 32);
  const ofAlpha = v128.load(columns, 48);
  const always = v128.load(columns, 64);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  let before: u32 = 0;
  let after: u32 = recolored(zero, ofRed, ofGreen, ofBlue, ofAlpha, always, zero, one);
  for (const end = pixels + 4 * count; pixels < end; pixels += 4) {
    const pixel = load<u32>(pixels);
    // Neighbouring pixels are mostly equal, so the last result is reused.
    if (pixel !== before) {
      before = pixel;
      const bytes = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(i32x4.splat(pixel)));
      const alpha = <f32>(pixel >>> 24);
      const share: f32 = alpha === 0 ? 0 : 1 / alpha;
      const straight = f32x4.mul(f32x4.convert_i32x4_s(bytes), f32x4.splat(share));
      const channels = f32x4.pmin(one, f32x4.replace_lane(straight, 3, alpha / 255));
      after = recolored(channels, ofRed, ofGreen, ofBlue, ofAlpha, always, zero, one);
    }
    store<u32>(pixels, after);
  }
}

function recolored(
  channels: v128,
  ofRed: v128,
  ofGreen: v128,
  ofBlue: v128,
  ofAlpha: v128,
  always: v128,
  zero: v128,
  one: v128,
): u32 {
  const red = f32x4.mul(f32x4.splat(f32x4.extract_lane(channels, 0)), ofRed);
  const green = f32x4.mul(f32x4.splat(f32x4.extract_lane(channels, 1)), ofGreen);
  const blue = f32x4.mul(f32x4.splat(f32x4.extract_lane(channels, 2)), ofBlue);
  const alphas = f32x4.mul(f32x4.splat(f32x4.extract_lane(channels, 3)), ofAlpha);
  const sum = f32x4.add(f32x4.add(f32x4.add(red, green), f32x4.add(blue, alphas)), always);
  const straight = f32x4.pmin(one, f32x4.pmax(zero, sum));
  const alpha = f32x4.extract_lane(straight, 3);
  const premultiplied = f32x4.replace_lane(f32x4.mul(straight, f32x4.splat(alpha)), 3, alpha);
  const bytes = v128.and(f32x4.add(f32x4.mul(premultiplied, f32x4.splat(255)), f32x4.splat(ROUNDER)), i32x4.splat(255));
  const words = v128.narrow<i32>(bytes, bytes);
  return i32x4.extract_lane(v128.narrow<u16>(words, words), 0);
}
