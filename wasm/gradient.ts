// A linear gradient over a rectangle, in AssemblyScript: the four channels of a pixel side by side.
//
// Every step is rounded to single precision as resvg rounds it, so that the pixels are its own. `npm run kernel` compiles
// it to src/output/raster/retained/gradient.wasm; a test holds that file to this source.

/** Bytes of a slope: from where along the gradient it holds, f32, and after 16 bytes its factors and biases, f32 each. */
const SLOPE: usize = 48;

/**
 * Fills rows of RGBA, premultiplied.
 *
 * @param pixels from the middle of whose first (x, y) counts
 * @param perX how far along the gradient a step across leads, and one down
 * @param start how far along it (0, 0) lies
 * @param slopes colour along the gradient: factor · place + bias, from one slope's place up to that of the next
 * @param isPadded whether places are held between 0 and 1
 */
export function fillGradient(
  pixels: usize,
  width: usize,
  rows: u32,
  x: f32,
  y: f32,
  perX: f32,
  perY: f32,
  start: f32,
  slopes: usize,
  count: usize,
  isPadded: bool,
  isOpaque: bool,
): void {
  const last = slopes + SLOPE * (count - 1);
  let slope = slopes;
  for (; rows > 0; rows--, y += 1) {
    const ofRow = y * perY + start;
    const end = pixels + 4 * width;
    for (let across = x; pixels < end; pixels += 4, across += 1) {
      let place = across * perX + ofRow;
      if (isPadded) place = min<f32>(max<f32>(place, 0), 1);
      while (slope < last && place >= load<f32>(slope + SLOPE)) slope += SLOPE;
      while (slope > slopes && place < load<f32>(slope)) slope -= SLOPE;
      const mixed = f32x4.add(f32x4.mul(f32x4.splat(place), v128.load(slope, 16)), v128.load(slope, 32));
      const shares = f32x4.min(f32x4.max(mixed, f32x4.splat(0)), f32x4.splat(1));
      const channels = f32x4.add(f32x4.mul(shares, f32x4.splat(255)), f32x4.splat(0.5));
      store<u32>(pixels, packed(i32x4.trunc_sat_f32x4_s(channels), isOpaque));
    }
  }
}

/** Straight RGBA in four lanes, as a premultiplied pixel. */
function packed(channels: v128, isOpaque: bool): u32 {
  let pixel = channels;
  if (!isOpaque) {
    const alpha = i32x4.extract_lane(channels, 3);
    const products = i32x4.mul(channels, i32x4.splat(alpha));
    pixel = i32x4.replace_lane(i32x4.shr_u(i32x4.add(products, i32x4.splat(255)), 8), 3, alpha);
  }
  const words = v128.narrow<i32>(pixel, pixel);
  return i32x4.extract_lane(v128.narrow<u16>(words, words), 0);
}
