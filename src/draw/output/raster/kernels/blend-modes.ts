// The blend modes of Compositing and Blending 1 §9 and §10, in AssemblyScript, on four premultiplied pixels at a time.
//
// co = cs · (1 - αb) + cb · (1 - αs) + αs · αb · B(Cb, Cs), where c is premultiplied and C is not. Modes that need no
// division use 16-bit integers and round once; the others, and those that mix channels, use single precision.

import { alphasOf, div255, firstPixels, product, spread } from './lanes';

const MULTIPLY: i32 = 1;
const SCREEN: i32 = 2;
const OVERLAY: i32 = 3;
const DARKEN: i32 = 4;
const LIGHTEN: i32 = 5;
const HARD_LIGHT: i32 = 6;
const DIFFERENCE: i32 = 7;
/** Modes up to this one are computed on integers. */
const EXCLUSION: i32 = 8;
const COLOR_DODGE: i32 = 9;
const COLOR_BURN: i32 = 10;
/** Modes up to this one are computed channel by channel. */
const SOFT_LIGHT: i32 = 11;
const HUE: i32 = 12;
const SATURATION: i32 = 13;
const COLOR: i32 = 14;

const FULL: usize = memory.data<u16>([255, 255, 255, 255, 255, 255, 255, 255], 16);
const ALPHA_LANES: usize = memory.data<u16>([0, 0, 0, 0xffff, 0, 0, 0, 0xffff], 16);
const BYTE: usize = memory.data<u32>([255, 255, 255, 255], 16);
const PER_BYTE: usize = memory.data<f32>([1.0 / 255.0, 1.0 / 255.0, 1.0 / 255.0, 1.0 / 255.0], 16);
const ONE: usize = memory.data<f32>([1.0, 1.0, 1.0, 1.0], 16);
const TINY: usize = memory.data<f32>([1e-6, 1e-6, 1e-6, 1e-6], 16);
const HALF: usize = memory.data<f32>([0.5, 0.5, 0.5, 0.5], 16);
const QUARTER: usize = memory.data<f32>([0.25, 0.25, 0.25, 0.25], 16);
const BYTES: usize = memory.data<f32>([255.0, 255.0, 255.0, 255.0], 16);
/** Adding 2²³ rounds a number to the lowest bits of the sum. */
const ROUNDER: usize = memory.data<f32>([8388608.0, 8388608.0, 8388608.0, 8388608.0], 16);
const RED_SHARE: usize = memory.data<f32>([0.3, 0.3, 0.3, 0.3], 16);
const GREEN_SHARE: usize = memory.data<f32>([0.59, 0.59, 0.59, 0.59], 16);
const BLUE_SHARE: usize = memory.data<f32>([0.11, 0.11, 0.11, 0.11], 16);

/**
 * Blends pixels, or one colour if `pitch` is 0, with those below.
 *
 * @param mode one of the numbers above; 15 is `luminosity`
 * @param color premultiplied
 * @param mask read only if `maskPitch` is not 0
 * @param opacity 0..255
 */
export function blend(
  mode: i32,
  pixels: usize,
  stride: usize,
  source: usize,
  pitch: usize,
  color: u32,
  width: usize,
  height: u32,
  mask: usize,
  maskPitch: usize,
  opacity: u32,
): void {
  const ink = i32x4.splat(color);
  const fade = i8x16.splat(<i8>opacity);
  for (; height > 0; height--, pixels += 4 * stride, source += 4 * pitch, mask += maskPitch) {
    for (let x: usize = 0; x < width; x += 4) {
      let above = pitch !== 0 ? v128.load(source + 4 * x) : ink;
      if (width - x < 4) above = firstPixels(above, width - x);
      if (maskPitch !== 0) {
        const coverages = load<u32>(mask + x);
        if (coverages === 0) continue;
        if (coverages !== 0xffffffff) above = product(above, spread(coverages));
      }
      if (opacity !== 255) above = product(above, fade);
      // Transparent sources change nothing.
      if (!v128.any_true(above)) continue;
      const at = pixels + 4 * x;
      const below = v128.load(at);
      v128.store(at, mode <= EXCLUSION ? blendBytes(mode, below, above) : blendFloats(mode, below, above));
    }
  }
}

// ---- on integers

function blendBytes(mode: i32, below: v128, above: v128): v128 {
  const sa = alphasOf(above);
  const da = alphasOf(below);
  const low = mixed(
    mode,
    i16x8.extend_low_i8x16_u(above),
    i16x8.extend_low_i8x16_u(below),
    i16x8.extend_low_i8x16_u(sa),
    i16x8.extend_low_i8x16_u(da),
  );
  const high = mixed(
    mode,
    i16x8.extend_high_i8x16_u(above),
    i16x8.extend_high_i8x16_u(below),
    i16x8.extend_high_i8x16_u(sa),
    i16x8.extend_high_i8x16_u(da),
  );
  return v128.narrow<u16>(div255(low), div255(high));
}

/** 255 times the result of two pixels; the sums of each mode stay below 2¹⁶. */
function mixed(mode: i32, s: v128, d: v128, sa: v128, da: v128): v128 {
  const full = v128.load(FULL);
  const both = i16x8.mul(s, d);
  if (mode === SCREEN) return i16x8.sub(i16x8.mul(i16x8.add(s, d), full), both);
  const alone = i16x8.add(i16x8.mul(s, i16x8.sub(full, da)), i16x8.mul(d, i16x8.sub(full, sa)));
  if (mode === MULTIPLY) return i16x8.add(alone, both);
  if (mode === OVERLAY || mode === HARD_LIGHT) {
    const isDark = mode === OVERLAY ? i16x8.le_s(i16x8.shl(d, 1), da) : i16x8.le_s(i16x8.shl(s, 1), sa);
    const light = i16x8.sub(i16x8.mul(sa, da), i16x8.shl(i16x8.mul(i16x8.sub(da, d), i16x8.sub(sa, s)), 1));
    return i16x8.add(alone, v128.bitselect(i16x8.shl(both, 1), light, isDark));
  }
  const p = i16x8.mul(s, da);
  const q = i16x8.mul(d, sa);
  if (mode === DARKEN) return i16x8.add(alone, i16x8.min_u(p, q));
  if (mode === LIGHTEN) return i16x8.add(alone, i16x8.max_u(p, q));
  const colors =
    mode === DIFFERENCE
      ? i16x8.sub(i16x8.max_u(p, q), i16x8.min_u(p, q))
      : i16x8.sub(i16x8.add(p, q), i16x8.shl(both, 1));
  // The formula of these two modes applies to colours; alpha is always a union.
  return i16x8.add(alone, v128.bitselect(both, colors, v128.load(ALPHA_LANES)));
}

// ---- in single precision

function blendFloats(mode: i32, below: v128, above: v128): v128 {
  const one = v128.load(ONE);
  const tiny = v128.load(TINY);
  const sa = channel(above, 24);
  const ba = channel(below, 24);
  const perSource = f32x4.div(one, f32x4.pmax(tiny, sa));
  const perBackdrop = f32x4.div(one, f32x4.pmax(tiny, ba));
  const sr = channel(above, 0);
  const sg = channel(above, 8);
  const sb = channel(above, 16);
  const br = channel(below, 0);
  const bg = channel(below, 8);
  const bb = channel(below, 16);
  setColors(
    mode,
    f32x4.mul(br, perBackdrop),
    f32x4.mul(bg, perBackdrop),
    f32x4.mul(bb, perBackdrop),
    f32x4.mul(sr, perSource),
    f32x4.mul(sg, perSource),
    f32x4.mul(sb, perSource),
  );
  const both = f32x4.mul(sa, ba);
  const noSource = f32x4.sub(one, sa);
  const noBackdrop = f32x4.sub(one, ba);
  const r = f32x4.add(f32x4.add(f32x4.mul(sr, noBackdrop), f32x4.mul(br, noSource)), f32x4.mul(both, red));
  const g = f32x4.add(f32x4.add(f32x4.mul(sg, noBackdrop), f32x4.mul(bg, noSource)), f32x4.mul(both, green));
  const b = f32x4.add(f32x4.add(f32x4.mul(sb, noBackdrop), f32x4.mul(bb, noSource)), f32x4.mul(both, blue));
  const a = f32x4.add(sa, f32x4.mul(ba, noSource));
  return v128.or(v128.or(byte(r), i32x4.shl(byte(g), 8)), v128.or(i32x4.shl(byte(b), 16), i32x4.shl(byte(a), 24)));
}

function channel(pixels: v128, shift: i32): v128 {
  const bytes = v128.and(i32x4.shr_u(pixels, shift), v128.load(BYTE));
  return f32x4.mul(f32x4.convert_i32x4_s(bytes), v128.load(PER_BYTE));
}

function byte(share: v128): v128 {
  const rounded = f32x4.add(f32x4.mul(share, v128.load(BYTES)), v128.load(ROUNDER));
  return v128.and(rounded, v128.load(BYTE));
}

/** The result of B(Cb, Cs) by channel, in globals, because a function cannot return three vectors. */
let red: v128 = i32x4.splat(0);
let green: v128 = i32x4.splat(0);
let blue: v128 = i32x4.splat(0);

function setColors(mode: i32, br: v128, bg: v128, bb: v128, sr: v128, sg: v128, sb: v128): void {
  if (mode <= SOFT_LIGHT) {
    red = separable(mode, br, sr);
    green = separable(mode, bg, sg);
    blue = separable(mode, bb, sb);
  } else if (mode === HUE) {
    setSaturation(sr, sg, sb, saturation(br, bg, bb));
    setLuminosity(luminosity(br, bg, bb));
  } else if (mode === SATURATION) {
    setSaturation(br, bg, bb, saturation(sr, sg, sb));
    setLuminosity(luminosity(br, bg, bb));
  } else {
    // `color` takes hue and saturation from the source and luminosity from the backdrop; `luminosity` is the opposite.
    const isColor = mode === COLOR;
    red = isColor ? sr : br;
    green = isColor ? sg : bg;
    blue = isColor ? sb : bb;
    setLuminosity(isColor ? luminosity(br, bg, bb) : luminosity(sr, sg, sb));
  }
}

/** §9: one unpremultiplied channel. */
function separable(mode: i32, b: v128, s: v128): v128 {
  const one = v128.load(ONE);
  const zero = i32x4.splat(0);
  if (mode === COLOR_DODGE) {
    const lit = f32x4.pmin(one, f32x4.div(b, f32x4.pmax(v128.load(TINY), f32x4.sub(one, s))));
    return v128.bitselect(zero, lit, f32x4.le(b, zero));
  }
  if (mode === COLOR_BURN) {
    const burnt = f32x4.sub(one, f32x4.pmin(one, f32x4.div(f32x4.sub(one, b), f32x4.pmax(v128.load(TINY), s))));
    return v128.bitselect(one, burnt, f32x4.ge(b, v128.load(NEARLY_ONE)));
  }
  const twice = f32x4.sub(f32x4.add(s, s), one);
  const dark = f32x4.add(b, f32x4.mul(f32x4.mul(twice, b), f32x4.sub(one, b)));
  const curve = f32x4.mul(
    f32x4.add(f32x4.mul(f32x4.sub(f32x4.mul(f32x4.splat(16), b), f32x4.splat(12)), b), f32x4.splat(4)),
    b,
  );
  const d = v128.bitselect(curve, f32x4.sqrt(b), f32x4.le(b, v128.load(QUARTER)));
  const light = f32x4.add(b, f32x4.mul(twice, f32x4.sub(d, b)));
  return v128.bitselect(dark, light, f32x4.le(s, v128.load(HALF)));
}

/** A channel divided by its alpha may miss 1 by rounding. */
const NEARLY_ONE: usize = memory.data<f32>([0.99999, 0.99999, 0.99999, 0.99999], 16);

/** §10: Lum. */
function luminosity(r: v128, g: v128, b: v128): v128 {
  const shares = f32x4.add(f32x4.mul(r, v128.load(RED_SHARE)), f32x4.mul(g, v128.load(GREEN_SHARE)));
  return f32x4.add(shares, f32x4.mul(b, v128.load(BLUE_SHARE)));
}

/** §10: Sat. */
function saturation(r: v128, g: v128, b: v128): v128 {
  return f32x4.sub(f32x4.pmax(r, f32x4.pmax(g, b)), f32x4.pmin(r, f32x4.pmin(g, b)));
}

/** §10: SetSat. Subtracting the smallest channel and scaling the range is equivalent to sorting the channels. */
function setSaturation(r: v128, g: v128, b: v128, wanted: v128): void {
  const least = f32x4.pmin(r, f32x4.pmin(g, b));
  const range = saturation(r, g, b);
  const factor = v128.bitselect(
    f32x4.div(wanted, f32x4.pmax(v128.load(TINY), range)),
    i32x4.splat(0),
    f32x4.gt(range, v128.load(TINY)),
  );
  red = f32x4.mul(f32x4.sub(r, least), factor);
  green = f32x4.mul(f32x4.sub(g, least), factor);
  blue = f32x4.mul(f32x4.sub(b, least), factor);
}

/** §10: SetLum, followed by ClipColor. */
function setLuminosity(wanted: v128): void {
  const shift = f32x4.sub(wanted, luminosity(red, green, blue));
  const r = f32x4.add(red, shift);
  const g = f32x4.add(green, shift);
  const b = f32x4.add(blue, shift);
  const one = v128.load(ONE);
  const tiny = v128.load(TINY);
  const l = luminosity(r, g, b);
  const least = f32x4.pmin(r, f32x4.pmin(g, b));
  const most = f32x4.pmax(r, f32x4.pmax(g, b));
  const up = f32x4.div(l, f32x4.pmax(tiny, f32x4.sub(l, least)));
  const down = f32x4.div(f32x4.sub(one, l), f32x4.pmax(tiny, f32x4.sub(most, l)));
  const factor = f32x4.mul(
    v128.bitselect(up, one, f32x4.lt(least, i32x4.splat(0))),
    v128.bitselect(down, one, f32x4.gt(most, one)),
  );
  red = held(f32x4.add(l, f32x4.mul(f32x4.sub(r, l), factor)));
  green = held(f32x4.add(l, f32x4.mul(f32x4.sub(g, l), factor)));
  blue = held(f32x4.add(l, f32x4.mul(f32x4.sub(b, l), factor)));
}

/** Clamps to 0..1, which rounding may exceed. */
function held(share: v128): v128 {
  return f32x4.pmin(v128.load(ONE), f32x4.pmax(i32x4.splat(0), share));
}
