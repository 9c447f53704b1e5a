// A box blur, in AssemblyScript: the four channels of a pixel side by side.
//
// Each pixel becomes the mean of those around it, rounded as resvg rounds it, whose shadows these are: in single
// precision, halves to the even number. `npm run kernel` compiles it to src/output/raster/retained/blur.wasm; a test
// holds that file to this source.

/** The channels of a pixel, each in 32 bits. */
function channels(pixel: usize): v128 {
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(pixel)));
}

/** Stores the sums of the channels times `share`. */
function storeMean(pixel: usize, sums: v128, share: v128): void {
  const means = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(f32x4.convert_i32x4_s(sums), share)));
  const words = v128.narrow<i32>(means, means);
  store<u32>(pixel, i32x4.extract_lane(v128.narrow<u16>(words, words), 0));
}

/**
 * Blurs down the columns, then across the rows.
 *
 * @param pixels RGBA, premultiplied, with `radius` + 1 rows of zeros above and below them
 * @param across as many rows, each with `margin` zeros before and behind it, which this is free to write
 * @param margin more than `radius`
 * @param sums 16 bytes for each column
 */
export function blurBox(
  pixels: usize,
  width: usize,
  height: u32,
  radius: u32,
  across: usize,
  margin: usize,
  sums: usize,
): void {
  const side: u32 = 2 * radius + 1;
  const share = f32x4.splat(<f32>1.0 / <f32>side);
  const stride: usize = 4 * width;
  const wide: usize = 4 * (width + 2 * margin);
  let row = across + 4 * margin;
  blurColumns(pixels, stride, height, radius, row, wide, sums, share);
  for (; height > 0; height--, row += wide, pixels += stride) blurRow(row, stride, radius, pixels, share);
}

function blurColumns(
  from: usize,
  stride: usize,
  height: u32,
  radius: u32,
  to: usize,
  wide: usize,
  sums: usize,
  share: v128,
): void {
  const ahead = <usize>radius * stride;
  memory.fill(sums, 0, 4 * stride);
  for (let entering = from; entering < from + ahead; entering += stride) {
    for (let x: usize = 0; x < stride; x += 4) {
      v128.store(sums + 4 * x, i32x4.add(v128.load(sums + 4 * x), channels(entering + x)));
    }
  }
  for (; height > 0; height--, from += stride, to += wide) {
    const entering = from + ahead;
    const leaving = from - ahead - stride;
    for (let x: usize = 0; x < stride; x += 4) {
      const change = i32x4.sub(channels(entering + x), channels(leaving + x));
      const sum = i32x4.add(v128.load(sums + 4 * x), change);
      v128.store(sums + 4 * x, sum);
      storeMean(to + x, sum, share);
    }
  }
}

function blurRow(from: usize, length: usize, radius: u32, to: usize, share: v128): void {
  const ahead: usize = 4 * <usize>radius;
  let sum = i32x4.splat(0);
  for (let x: usize = 0; x < ahead; x += 4) sum = i32x4.add(sum, channels(from + x));
  for (let x: usize = 0; x < length; x += 4) {
    sum = i32x4.add(sum, i32x4.sub(channels(from + x + ahead), channels(from + x - ahead - 4)));
    storeMean(to + x, sum, share);
  }
}
