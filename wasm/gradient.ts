// A linear gradient over a rectangle, in AssemblyScript: four pixels side by side, channel by channel.
//
// Every step is rounded to single precision as resvg rounds it, so that the pixels are its own. `npm run kernel` compiles
// it to src/output/raster/retained/gradient.wasm; a test holds that file to this source.

/** Bytes of a slope: from where along the gradient it holds, f32, and after 16 bytes its factors and biases, f32 each. */
const SLOPE: usize = 48;

/**
 * Fills rows of RGBA, premultiplied; up to three pixels behind the last are written as well.
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
  const first = f32x4.add(f32x4.splat(x), f32x4(0, 1, 2, 3));
  let slope = slopes;
  for (; rows > 0; rows--, y += 1, pixels += 4 * width) {
    const ofRow = f32x4.splat(y * perY + start);
    let across = first;
    for (let at: usize = 0; at < 4 * width; at += 16) {
      let places = f32x4.add(f32x4.mul(across, f32x4.splat(perX)), ofRow);
      if (isPadded) places = held(places);
      const near = f32x4.extract_lane(places, 0);
      const far = f32x4.extract_lane(places, 3);
      slope = slopeAt(near, slope, slopes, last);
      if (slopeAt(far, slope, slopes, last) === slope) {
        v128.store(pixels + at, colors(places, slope, isOpaque));
      } else {
        // From one slope to the next: each pixel for itself.
        for (let i: usize = 0; i < 4; i++, places = v128.shuffle<u32>(places, places, 1, 2, 3, 0)) {
          const own = slopeAt(f32x4.extract_lane(places, 0), slope, slopes, last);
          store<u32>(pixels + at + 4 * i, i32x4.extract_lane(colors(places, own, isOpaque), 0));
        }
      }
      across = f32x4.add(across, f32x4.splat(4));
    }
  }
}

/** The slope that holds at a place, looked for from one nearby. */
function slopeAt(place: f32, slope: usize, first: usize, last: usize): usize {
  while (slope < last && place >= load<f32>(slope + SLOPE)) slope += SLOPE;
  while (slope > first && place < load<f32>(slope)) slope -= SLOPE;
  return slope;
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
