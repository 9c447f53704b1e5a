// A linear or radial gradient over a rectangle, in AssemblyScript: four pixels side by side, channel by channel.
//
// Every step is rounded to single precision as resvg rounds it, so that the pixels are its own. `npm run kernel` compiles
// it to src/output/raster/retained/gradient.wasm; a test holds that file to this source.

/** Bytes of a slope: from where along the gradient it holds, f32, and after 16 bytes its factors and biases, f32 each. */
const SLOPE: usize = 48;

/**
 * Fills rows of RGBA, premultiplied; up to three pixels behind the last are written as well.
 *
 * @param pixels from the middle of whose first (x, y) counts
 * @param axes six f32: how far along a linear gradient a step across leads, a step down, and where (0, 0) lies; along a
 *   radial one a place is as far as it is from (0, 0) of these three and the next
 * @param slopes colour along the gradient: factor · place + bias, from one slope's place up to that of the next; the first
 *   holds from -∞, and what follows the last, from +∞
 * @param isPadded whether places are held between 0 and 1
 */
export function fillGradient(
  pixels: usize,
  width: usize,
  rows: u32,
  x: f32,
  y: f32,
  axes: usize,
  isRadial: bool,
  slopes: usize,
  isPadded: bool,
  isOpaque: bool,
): void {
  const first = f32x4.add(f32x4.splat(x), f32x4(0, 1, 2, 3));
  let slope = slopes;
  for (; rows > 0; rows--, y += 1, pixels += 4 * width) {
    let across = first;
    for (let at: usize = 0; at < 4 * width; at += 16) {
      let places = along(across, y, axes);
      if (isRadial) places = distance(places, along(across, y, axes + 12));
      if (isPadded) places = held(places);
      slope = slopeAt(f32x4.extract_lane(places, 0), slope);
      if (holdsAt(places, slope)) {
        v128.store(pixels + at, colors(places, slope, isOpaque));
      } else {
        // From one slope to the next: each pixel for itself.
        for (let i: usize = 0; i < 4; i++, places = v128.shuffle<u32>(places, places, 1, 2, 3, 0)) {
          slope = slopeAt(f32x4.extract_lane(places, 0), slope);
          store<u32>(pixels + at + 4 * i, i32x4.extract_lane(colors(places, slope, isOpaque), 0));
        }
      }
      across = f32x4.add(across, f32x4.splat(4));
    }
  }
}

/** Where pixels of a row lie on an axis. */
function along(across: v128, y: f32, axis: usize): v128 {
  const ofRow = f32x4.splat(y * load<f32>(axis, 4) + load<f32>(axis, 8));
  return f32x4.add(f32x4.mul(across, v128.load32_splat(axis)), ofRow);
}

function distance(x: v128, y: v128): v128 {
  return f32x4.sqrt(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)));
}

/** The slope that holds at a place, looked for from one nearby. */
function slopeAt(place: f32, slope: usize): usize {
  while (place >= load<f32>(slope + SLOPE)) slope += SLOPE;
  while (place < load<f32>(slope)) slope -= SLOPE;
  return slope;
}

/** Whether one slope holds at four places: those in the middle may be nearer to a centre than both others. */
function holdsAt(places: v128, slope: usize): bool {
  const isBehind = f32x4.ge(places, v128.load32_splat(slope));
  return i32x4.all_true(v128.and(isBehind, f32x4.lt(places, v128.load32_splat(slope + SLOPE))));
}

/** Between 0 and 1. No value is NaN, for which other instructions are several at once. */
function held(values: v128): v128 {
  return f32x4.pmin(f32x4.pmax(values, f32x4.splat(0)), f32x4.splat(1));
}

/** Pixels at four places on one slope. */
function colors(places: v128, slope: usize, isOpaque: bool): v128 {
  const r = channel(places, slope, 16);
  const g = channel(places, slope, 20);
  const b = channel(places, slope, 24);
  if (isOpaque) return pixelsOf(r, g, b, i32x4.splat(255));
  const a = channel(places, slope, 28);
  return pixelsOf(product(r, a), product(g, a), product(b, a), a);
}

/** One channel, 0 to 255 in each lane. */
function channel(places: v128, slope: usize, offset: usize): v128 {
  const factor = v128.load32_splat(slope + offset);
  const bias = v128.load32_splat(slope + offset + 16);
  const shares = held(f32x4.add(f32x4.mul(places, factor), bias));
  const whole = f32x4.floor(f32x4.add(f32x4.mul(shares, f32x4.splat(255)), f32x4.splat(0.5)));
  // Added to 2²³, a number is the lowest bits of the sum.
  return v128.and(f32x4.add(whole, f32x4.splat(8388608)), i32x4.splat(255));
}

/** A channel times alpha, divided as the rasteriser divides. */
function product(values: v128, alphas: v128): v128 {
  return i32x4.shr_u(i32x4.add(i32x4.mul(values, alphas), i32x4.splat(255)), 8);
}

function pixelsOf(r: v128, g: v128, b: v128, a: v128): v128 {
  return v128.or(v128.or(r, i32x4.shl(g, 8)), v128.or(i32x4.shl(b, 16), i32x4.shl(a, 24)));
}
