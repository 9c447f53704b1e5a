// Computes how much of each device pixel an outline covers, in AssemblyScript: scan conversion by supersampling.
//
// Every pixel has four sample rows, each with a resolution of a quarter pixel, as in Skia's supersampling scan
// converter (SkScan_AntiPath), which resvg has too. Curves become lines by forward differences, and lines cross the
// rows at fixed-point positions. The spans of a row are accumulated as differences, so that a wide shape costs no more
// than its edges.
//
// In memory, the caller's outline is followed by the sample rows, the sums of one row of pixels, the alphas, and the
// crossings.

import {
  ensure,
  expect,
  finishCrossings,
  firstOf,
  nextOf,
  note,
  noted,
  openCrossings,
  placeOf,
  turnOf,
} from './crossings';

// ---- outlines: f64 values, the number of a command and then its coordinates

const MOVE: f64 = 0;
const LINE: f64 = 1;
const CURVE: f64 = 2;

/** Sample rows per pixel, and samples in each, as a power of two. */
const SHIFT: i32 = 2;
const SAMPLES: i32 = 1 << SHIFT;
/** Edge units per px: sixty-fourths of a sample. */
const UNITS: f64 = 64 * SAMPLES;
/** Most subdivisions of a curve into halves. */
const MOST_HALVINGS: i32 = 6;

/** Bytes of crossings above which an outline has to be covered in parts. */
const MOST_CROSSINGS: usize = 1 << 21;
/** The same limit for a letter, above which it is not covered at all: some 2 ms. */
const MOST_OF_LETTER: usize = 1 << 20;

// ---- the area that is covered

let areaX: f64 = 0;
let areaY: f64 = 0;
let width: i32 = 0;
let height: i32 = 0;
/** Sums per pixel of a row, i16: `own` is added to that pixel alone, `onward` to it and all pixels after it. */
let own: usize = 0;
let onward: usize = 0;
let alphas: usize = 0;

function align(address: usize): usize {
  return (address + 15) & ~15;
}

/** Lays out the memory from `free` on for an area. */
function open(free: usize, x: f64, y: f64, columns: i32, rows: i32): void {
  areaX = x;
  areaY = y;
  width = columns;
  height = rows;
  const samples = align(free);
  own = align(samples + 4 * <usize>(height << SHIFT));
  // Sixteen more: they are read eight at a time, and the pixel after the last one may be added to.
  onward = align(own + 2 * <usize>(width + 16));
  alphas = align(onward + 2 * <usize>(width + 16));
  const crossings = align(alphas + <usize>width * <usize>height + 8);
  openCrossings(samples, height << SHIFT, crossings);
  memory.fill(samples, 0, crossings - samples);
}

/**
 * Returns the address of the alphas of an area's pixels, row by row; 0 when the outline has so many crossings that the
 * area has to be covered in parts.
 *
 * @param path in device px
 * @param pathEnd end of the outline, after which the memory is free
 * @param x whole px; anything outside the area is left out
 * @param columns at most 8000
 */
export function cover(path: usize, pathEnd: usize, x: f64, y: f64, columns: i32, rows: i32, isEvenOdd: bool): usize {
  open(pathEnd, x, y, columns, rows);
  if (!cross(path, pathEnd, height > 1 ? MOST_CROSSINGS : usize.MAX_VALUE)) return 0;
  addUp(isEvenOdd ? 1 : -1);
  return alphas;
}

/**
 * Covers a letter: an outline relative to its origin, in font units with y up. Empty rows and columns at the edges are
 * cropped.
 *
 * @param scale px per unit
 * @param slant horizontal shift to the right per unit of height
 * @param most pixels that may be covered
 * @returns the address of x, y, width and height as i32, followed by the alphas; a width of 0 when the letter is blank,
 * and of -1 when it would have more than `most` pixels or too many crossings
 */
export function coverLetter(
  path: usize,
  pathEnd: usize,
  scale: f64,
  slant: f64,
  originX: f64,
  originY: f64,
  most: f64,
): usize {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (let at = path; at < pathEnd; ) {
    const points = pointsOf(load<f64>(at));
    at += 8;
    for (let i = 0; i < points; i++, at += 16) {
      const px = load<f64>(at);
      const py = load<f64>(at, 8);
      const x = (px + slant * py) * scale + originX;
      const y = originY - py * scale;
      store<f64>(at, x);
      store<f64>(at, y, 8);
      left = min(left, x);
      top = min(top, y);
      right = max(right, x);
      bottom = max(bottom, y);
    }
  }
  const box = align(pathEnd);
  ensure(box + 16);
  memory.fill(box, 0, 16);
  if (!(right >= left)) return box;
  const x = floor(left) - 1;
  const y = floor(top) - 1;
  const columns = ceil(right) + 1 - x;
  const rows = ceil(bottom) + 1 - y;
  store<i32>(box, -1, 8);
  if (columns * rows > most) return box;
  open(box + 16, x, y, <i32>columns, <i32>rows);
  if (!cross(path, pathEnd, MOST_OF_LETTER)) return box;
  addUp(-1);
  crop(box);
  return box;
}

function pointsOf(command: f64): i32 {
  return command === CURVE ? 3 : command === MOVE || command === LINE ? 1 : 0;
}

/**
 * Records all crossings.
 *
 * @returns whether they take at most `most` bytes
 */
function cross(path: usize, pathEnd: usize, most: usize): bool {
  let startX: f32 = 0;
  let startY: f32 = 0;
  let penX: f32 = 0;
  let penY: f32 = 0;
  for (let at = path; at < pathEnd; ) {
    const command = load<f64>(at);
    if (command === CURVE) {
      const x1 = place(at + 8);
      const y1 = place(at + 16);
      const x2 = place(at + 24);
      const y2 = place(at + 32);
      const x3 = place(at + 40);
      const y3 = place(at + 48);
      if (
        isNear(penX, penY) &&
        isNear(x1, y1) &&
        isNear(x2, y2) &&
        isNear(x3, y3) &&
        isGentle(penX, x1, x2, x3) &&
        isGentle(penY, y1, y2, y3)
      ) {
        curve(penX, penY, x1, y1, x2, y2, x3, y3);
      } else {
        farCurve(penX, penY, x1, y1, x2, y2, x3, y3, MOST_SPLITS);
      }
      penX = x3;
      penY = y3;
    } else {
      const isLine = command === LINE;
      const x = isLine ? place(at + 8) : startX;
      const y = isLine ? place(at + 16) : startY;
      line(penX, penY, x, y);
      penX = x;
      penY = y;
      if (command === MOVE) {
        penX = startX = place(at + 8);
        penY = startY = place(at + 16);
      }
    }
    if (noted() > most) return false;
    at += 8 + 16 * pointsOf(command);
  }
  line(penX, penY, startX, startY);
  return true;
}

/**
 * A coordinate in single precision, clamped: beyond any canvas, the exact distance makes no difference. What is not a
 * number is far away too.
 */
function place(at: usize): f32 {
  const value = load<f64>(at);
  if (!(value > -FARTHEST_PLACE)) return <f32>-FARTHEST_PLACE;
  return <f32>min(FARTHEST_PLACE, value);
}

// ---- outlines beyond the range of fixed-point positions

/** Px from the area's corner within which fixed-point positions fit 32 bits. */
const NEAR: f64 = 8191;
const FARTHEST_PLACE: f64 = 1e9;
/**
 * Subdivisions after which the rest of a curve is treated as a line: a part of a curve of 1e9 px is then shorter than a
 * pixel.
 */
const MOST_SPLITS: i32 = 32;
/**
 * Px of a curve's second and third differences up to which the forward differences fit 32 bits. A subdivision makes them
 * a quarter and an eighth.
 */
const MOST_BEND: f32 = 16_384;
const MOST_TWIST: f32 = 32_768;
/** Px beside the area at which lines may be replaced by vertical ones: only their winding is visible. */
const BESIDE: f64 = 4;

function isNear(x: f32, y: f32): bool {
  return abs(<f64>x - areaX) <= NEAR && abs(<f64>y - areaY) <= NEAR;
}

/** Whether one coordinate of a curve bends so little that forward differences can flatten it. */
function isGentle(a: f32, b: f32, c: f32, d: f32): bool {
  const most = max(abs(a - b - b + c), abs(b - c - c + d));
  return most <= MOST_BEND && abs(d - a + 3 * (b - c)) <= MOST_TWIST;
}

/**
 * Clips a line to the rows of the area, and clamps it beside the area where it extends farther to the left or right.
 */
function farLine(x0: f64, y0: f64, x1: f64, y1: f64): void {
  const top = areaY - 1;
  const bottom = areaY + <f64>height + 1;
  if (y0 === y1 || max(y0, y1) <= top || min(y0, y1) >= bottom) return;
  const slope = (x1 - x0) / (y1 - y0);
  const fromY = max(top, min(bottom, y0));
  const toY = max(top, min(bottom, y1));
  heldLine(x0 + slope * (fromY - y0), fromY, x0 + slope * (toY - y0), toY);
}

function heldLine(x0: f64, y0: f64, x1: f64, y1: f64): void {
  const left = areaX - BESIDE;
  const right = areaX + <f64>width + BESIDE;
  if (max(x0, x1) <= left || min(x0, x1) >= right) {
    const x = <f32>(max(x0, x1) <= left ? left : right);
    nearLine(x, <f32>y0, x, <f32>y1);
    return;
  }
  const isBeyondLeft = min(x0, x1) < left;
  if (!isBeyondLeft && max(x0, x1) <= right) {
    nearLine(<f32>x0, <f32>y0, <f32>x1, <f32>y1);
    return;
  }
  const x = isBeyondLeft ? left : right;
  const y = y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
  heldLine(x0, y0, x, y);
  heldLine(x, y, x1, y1);
}

/** Subdivides a curve until a part is near and bends little, or is completely beside the area. */
function farCurve(x0: f32, y0: f32, x1: f32, y1: f32, x2: f32, y2: f32, x3: f32, y3: f32, splits: i32): void {
  const top = min(min(y0, y1), min(y2, y3));
  const bottom = max(max(y0, y1), max(y2, y3));
  if (<f64>bottom <= areaY - 1 || <f64>top >= areaY + <f64>height + 1) return;
  const leftmost = min(min(x0, x1), min(x2, x3));
  const rightmost = max(max(x0, x1), max(x2, x3));
  const isBeside = <f64>rightmost <= areaX - BESIDE || <f64>leftmost >= areaX + <f64>width + BESIDE;
  if (isBeside || splits === 0) {
    farLine(x0, y0, x3, y3);
    return;
  }
  const isWithin = isNear(leftmost, top) && isNear(rightmost, bottom);
  if (isWithin && isGentle(x0, x1, x2, x3) && isGentle(y0, y1, y2, y3)) {
    curve(x0, y0, x1, y1, x2, y2, x3, y3);
    return;
  }
  const half: f32 = 0.5;
  const x01 = between(x0, x1, half);
  const y01 = between(y0, y1, half);
  const x12 = between(x1, x2, half);
  const y12 = between(y1, y2, half);
  const x23 = between(x2, x3, half);
  const y23 = between(y2, y3, half);
  const x012 = between(x01, x12, half);
  const y012 = between(y01, y12, half);
  const x123 = between(x12, x23, half);
  const y123 = between(y12, y23, half);
  const x = between(x012, x123, half);
  const y = between(y012, y123, half);
  farCurve(x0, y0, x01, y01, x012, y012, x, y, splits - 1);
  farCurve(x, y, x123, y123, x23, y23, x3, y3, splits - 1);
}

// Rounded down, as positions on the canvas are, even when the area begins inside the outline.
function unitsX(px: f32): i32 {
  return <i32>(<i64>floor((<f64>px - areaX) * UNITS));
}

function unitsY(px: f32): i32 {
  return <i32>(<i64>floor((<f64>px - areaY) * UNITS));
}

function line(x0: f32, y0: f32, x1: f32, y1: f32): void {
  if (isNear(x0, y0) && isNear(x1, y1)) nearLine(x0, y0, x1, y1);
  else farLine(x0, y0, x1, y1);
}

function nearLine(x0: f32, y0: f32, x1: f32, y1: f32): void {
  const top = unitsY(y0);
  const bottom = unitsY(y1);
  if (top <= bottom) edge(unitsX(x0), top, unitsX(x1), bottom, 1);
  else edge(unitsX(x1), bottom, unitsX(x0), top, -1);
}

/** Records where a downward line crosses the middle of each sample row. */
function edge(x0: i32, y0: i32, x1: i32, y1: i32, turn: i32): void {
  const top = (y0 + 32) >> 6;
  const bottom = min((y1 + 32) >> 6, height << SHIFT);
  if (top >= bottom || bottom <= 0) return;
  const slope = <i32>(((<i64>x1 - <i64>x0) << 16) / (<i64>y1 - <i64>y0));
  const toMiddle = (top << 6) + 32 - y0;
  const from = max(top, 0);
  let x = ((x0 + <i32>((<i64>slope * <i64>toMiddle) >> 16)) << 10) + slope * (from - top);
  expect(bottom - from);
  for (let row = from; row < bottom; row++) {
    note(row, x, turn);
    x += slope;
  }
}

// ---- curves

/** Adds a cubic, px, split where its y direction changes. All in single precision. */
function curve(x0: f32, y0: f32, x1: f32, y1: f32, x2: f32, y2: f32, x3: f32, y3: f32): void {
  findTurns(y0, y1, y2, y3);
  let t = turn0;
  let before: f32 = 0;
  for (let i = 0; i < turns; i++, t = turn1) {
    if (before !== 0) {
      t = unitQuotient(t - before, 1 - before);
      if (t === 0) break;
    }
    before = i === 0 ? turn0 : turn1;
    const x01 = between(x0, x1, t);
    const x12 = between(x1, x2, t);
    const x23 = between(x2, x3, t);
    const x012 = between(x01, x12, t);
    const x123 = between(x12, x23, t);
    const x = between(x012, x123, t);
    const y01 = between(y0, y1, t);
    const y12 = between(y1, y2, t);
    const y23 = between(y2, y3, t);
    // At the split the tangent is horizontal.
    const y = between(between(y01, y12, t), between(y12, y23, t), t);
    flatten(x0, y0, x01, y01, x012, y, x, y);
    x0 = x;
    y0 = y;
    x1 = x123;
    y1 = y;
    x2 = x23;
    y2 = y23;
  }
  flatten(x0, y0, x1, y1, x2, y2, x3, y3);
}

function between(a: f32, b: f32, t: f32): f32 {
  return a + (b - a) * t;
}

/** The positions in 0..1, in order, where a cubic's derivative is 0, and their number. */
let turn0: f32 = 0;
let turn1: f32 = 0;
let turns: i32 = 0;

function findTurns(p0: f32, p1: f32, p2: f32, p3: f32): void {
  const a: f32 = p3 - p0 + 3 * (p1 - p2);
  const b: f32 = 2 * (p0 - p1 - p1 + p2);
  const c: f32 = p1 - p0;
  if (a === 0) {
    found(unitQuotient(-c, b), 0);
    return;
  }
  const under = <f64>b * <f64>b - 4 * <f64>a * <f64>c;
  if (under < 0) {
    turns = 0;
    return;
  }
  const root = <f32>sqrt(under);
  const q: f32 = (b < 0 ? -(b - root) : -(b + root)) / 2;
  found(unitQuotient(q, a), unitQuotient(c, q));
}

/** Stores up to two positions; 0 means none. */
function found(s: f32, t: f32): void {
  turn0 = s === 0 ? t : t === 0 ? s : min(s, t);
  turn1 = max(s, t);
  turns = <i32>(turn0 !== 0) + <i32>(turn1 > turn0);
}

/** A quotient if it lies between 0 and 1, else 0. */
function unitQuotient(numerator: f32, denominator: f32): f32 {
  const n = numerator < 0 ? -numerator : numerator;
  const d = numerator < 0 ? -denominator : denominator;
  if (d === 0 || n === 0 || n >= d) return 0;
  const quotient = n / d;
  return quotient > 0 && quotient < 1 ? quotient : 0;
}

/** Flattens a curve that is monotonic in y. */
function flatten(px0: f32, py0: f32, px1: f32, py1: f32, px2: f32, py2: f32, px3: f32, py3: f32): void {
  // Start at the upper end.
  const isDown = unitsY(py0) <= unitsY(py3);
  const y0 = unitsY(isDown ? py0 : py3);
  const y3 = unitsY(isDown ? py3 : py0);
  if ((y0 + 32) >> 6 === (y3 + 32) >> 6) return;
  // Above or below all sample rows.
  if (y3 <= 0 || y0 >= (height << SHIFT) << 6) return;
  const y1 = unitsY(isDown ? py1 : py2);
  const y2 = unitsY(isDown ? py2 : py1);
  const x0 = unitsX(isDown ? px0 : px3);
  const x1 = unitsX(isDown ? px1 : px2);
  const x2 = unitsX(isDown ? px2 : px1);
  const x3 = unitsX(isDown ? px3 : px0);

  const halvings = min(MOST_HALVINGS, halvingsOf(bend(x0, x1, x2, x3), bend(y0, y1, y2, y3)));
  // Forward differences in fixed point, with as many bits as fit.
  const up = max(6, 10 - halvings);
  const down = max(0, halvings - 4);
  const bendX = (3 * (x0 - x1 - x1 + x2)) << up;
  const bendY = (3 * (y0 - y1 - y1 + y2)) << up;
  const twistX = (x3 + 3 * (x1 - x2) - x0) << up;
  const twistY = (y3 + 3 * (y1 - y2) - y0) << up;
  const thirdX = (3 * twistX) >> (halvings - 1);
  const thirdY = (3 * twistY) >> (halvings - 1);
  let secondX = 2 * bendX + thirdX;
  let secondY = 2 * bendY + thirdY;
  let firstX = ((3 * (x1 - x0)) << up) + (bendX >> halvings) + (twistX >> (2 * halvings));
  let firstY = ((3 * (y1 - y0)) << up) + (bendY >> halvings) + (twistY >> (2 * halvings));
  let x = x0 << 10;
  let y = y0 << 10;
  const turn = isDown ? 1 : -1;
  for (let left = (1 << halvings) - 1; left >= 0; left--) {
    let nextX = x3 << 10;
    let nextY = y3 << 10;
    if (left > 0) {
      nextX = x + (firstX >> down);
      nextY = y + (firstY >> down);
      firstX += secondX >> halvings;
      firstY += secondY >> halvings;
      secondX += thirdX;
      secondY += thirdY;
    }
    // Rounding may make y decrease slightly.
    if (nextY < y) nextY = y;
    edge(x >> 10, y >> 10, nextX >> 10, nextY >> 10, turn);
    x = nextX;
    y = nextY;
  }
}

/** Approximate distance of a cubic from the line between its ends. */
function bend(a: i32, b: i32, c: i32, d: i32): i32 {
  const third = ((a * 8 - b * 15 + 6 * c + d) * 19) >> 9;
  const twoThirds = ((a + 6 * b - c * 15 + d * 8) * 19) >> 9;
  return max(abs(third), abs(twoThirds));
}

/** The subdivisions needed: each reduces the distance to a quarter. */
function halvingsOf(dx: i32, dy: i32): i32 {
  const distance = dx > dy ? dx + (dy >> 1) : dy + (dx >> 1);
  return ((32 - clz((distance + 16) >> 5)) >> 1) + 1;
}

// ---- rows of pixels

/** @param inside the bits of the winding number that mean inside: 1 for evenodd, all for nonzero */
function addUp(inside: i32): void {
  finishCrossings();
  const most = width << SHIFT;
  for (let y = 0; y < height; y++) {
    let from = width;
    let to = 0;
    for (let sample = 0; sample < SAMPLES; sample++) {
      // The four rows of a fully covered pixel add up to 255, not 256.
      const whole: i32 = sample === SAMPLES - 1 ? 63 : 64;
      let winding = 0;
      let left = 0;
      for (let crossing = firstOf((y << SHIFT) + sample); crossing !== 0; crossing = nextOf(crossing)) {
        const right = min(max((placeOf(crossing) + 32_768) >> 16, 0), most);
        if ((winding & inside) === 0) left = right;
        winding += turnOf(crossing);
        if ((winding & inside) !== 0 || right <= left) continue;
        addSpan(left, right, whole);
        from = min(from, left >> SHIFT);
        to = max(to, right >> SHIFT);
      }
    }
    if (from < width) finishRow(alphas + <usize>y * <usize>width, from, min(to, width - 1));
  }
}

/** Adds the samples from `left` up to, but not including, `right`. */
function addSpan(left: i32, right: i32, whole: i32): void {
  const from = left >> SHIFT;
  const to = right >> SHIFT;
  const skipped = left & (SAMPLES - 1);
  const begun = right & (SAMPLES - 1);
  if (from === to) {
    grow(own, from, 16 * (begun - skipped));
    return;
  }
  if (skipped > 0) grow(own, from, 16 * (SAMPLES - skipped));
  if (begun > 0) grow(own, to, 16 * begun);
  grow(onward, skipped > 0 ? from + 1 : from, whole);
  grow(onward, to, -whole);
}

function grow(sums: usize, pixel: i32, by: i32): void {
  const at = sums + ((<usize>pixel) << 1);
  store<i16>(at, load<i16>(at) + <i16>by);
}

/** Writes the pixels from `from` to `to`, both included, and resets the sums to zero. */
function finishRow(row: usize, from: i32, to: i32): void {
  const zero = i32x4.splat(0);
  let running: i32 = 0;
  let i = from;
  while (i <= to) {
    const at = (<usize>i) << 1;
    if (!v128.any_true(v128.or(v128.load(own + at), v128.load(onward + at)))) {
      // Eight equal pixels; after the last pixel with a change, only zeros are left to write.
      store<f64>(row + <usize>i, f64x2.extract_lane(i8x16.splat(<i8>min(running, 255)), 0));
      i += 8;
      continue;
    }
    const stop = min(i + 8, to + 1);
    for (; i < stop; i++) {
      const pixel = (<usize>i) << 1;
      running += load<i16>(onward + pixel);
      store<u8>(row + <usize>i, <u8>min(running + load<i16>(own + pixel), 255));
    }
    v128.store(own + at, zero);
    v128.store(onward + at, zero);
  }
  // The sums of the pixel after the last one.
  store<u16>(own + ((<usize>i) << 1), 0);
  store<u16>(onward + ((<usize>i) << 1), 0);
}

// ---- letters

/** Crops the alphas to the rows and columns that are not empty, and writes their position and size. */
function crop(box: usize): void {
  let left = width;
  let right = 0;
  let top = height;
  let bottom = 0;
  for (let y = 0; y < height; y++) {
    const row = alphas + <usize>y * <usize>width;
    let from = 0;
    while (from < width && load<u8>(row + <usize>from) === 0) from++;
    if (from === width) continue;
    let to = width;
    while (load<u8>(row + <usize>to - 1) === 0) to--;
    left = min(left, from);
    right = max(right, to);
    top = min(top, y);
    bottom = y + 1;
  }
  const columns = max(0, right - left);
  store<i32>(box, <i32>areaX + left);
  store<i32>(box, <i32>areaY + top, 4);
  store<i32>(box, columns, 8);
  store<i32>(box, bottom - top, 12);
  for (let y = top; y < bottom; y++) {
    const row = alphas + <usize>y * <usize>width + <usize>left;
    memory.copy(box + 16 + <usize>(y - top) * <usize>columns, row, <usize>columns);
  }
}
