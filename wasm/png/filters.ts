// Rows of pixels in, rows of what their neighbours do not foretell out (PNG 3, §9).
//
// A row to be filtered has sixteen zero bytes on either side, so that sixteen bytes may be read anywhere in it, and
// what lies left of the first pixel is 0, as PNG has it.

import { total } from '../pixels/lanes';

/** Whichever of left, above and upper left is nearest to left + above − upper left. */
function paeth(left: v128, above: v128, corner: v128): v128 {
  const byLeft = distance(above, corner);
  const byAbove = distance(left, corner);
  // |left + above − 2 corner|: where both differ from the corner to the same side the distances add up, else they cancel.
  const opposite = v128.xor(v128.ge<u8>(left, corner), v128.ge<u8>(above, corner));
  const byCorner = v128.bitselect(distance(byLeft, byAbove), v128.add_sat<u8>(byLeft, byAbove), opposite);
  const other = v128.bitselect(above, corner, v128.le<u8>(byAbove, byCorner));
  return v128.bitselect(left, other, v128.and(v128.le<u8>(byLeft, byAbove), v128.le<u8>(byLeft, byCorner)));
}

function distance(a: v128, b: v128): v128 {
  return v128.or(v128.sub_sat<u8>(a, b), v128.sub_sat<u8>(b, a));
}

function mean(a: v128, b: v128): v128 {
  // The instruction rounds up, PNG down.
  return v128.sub<u8>(v128.avgr<u8>(a, b), v128.and(v128.xor(a, b), i8x16.splat(1)));
}

function magnitudes(sum: v128, residue: v128): v128 {
  return i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(v128.abs<i8>(residue))));
}

/** The filter (1 to 4) that leaves the least, judged on every other sixteen bytes. */
function bestFilter(row: usize, above: usize, length: usize, pixel: usize): u32 {
  let sub = i32x4.splat(0);
  let up = i32x4.splat(0);
  let average = i32x4.splat(0);
  let nearest = i32x4.splat(0);
  for (let i: usize = 0; i < length; i += 32) {
    const x = v128.load(row + i);
    const a = v128.load(row + i - pixel);
    const b = v128.load(above + i);
    const c = v128.load(above + i - pixel);
    sub = magnitudes(sub, v128.sub<u8>(x, a));
    up = magnitudes(up, v128.sub<u8>(x, b));
    average = magnitudes(average, v128.sub<u8>(x, mean(a, b)));
    nearest = magnitudes(nearest, v128.sub<u8>(x, paeth(a, b, c)));
  }
  let best: u32 = 2;
  let least = total(up);
  if (total(sub) < least) {
    least = total(sub);
    best = 1;
  }
  if (total(average) < least) {
    least = total(average);
    best = 3;
  }
  if (total(nearest) < least) best = 4;
  return best;
}

/**
 * Writes rows with the filter that suits each, which the byte before it names.
 *
 * @param row the first row; the one above it lies `stride` bytes before
 */
export function filterRows(row: usize, stride: usize, rows: u32, length: usize, pixel: usize, out: usize): void {
  for (let y: u32 = 0; y < rows; y++, row += stride) {
    const above = row - stride;
    const filter = bestFilter(row, above, length, pixel);
    store<u8>(out++, <u8>filter);
    if (filter === 1) {
      for (let i: usize = 0; i < length; i += 16) {
        v128.store(out + i, v128.sub<u8>(v128.load(row + i), v128.load(row + i - pixel)));
      }
    } else if (filter === 2) {
      for (let i: usize = 0; i < length; i += 16) {
        v128.store(out + i, v128.sub<u8>(v128.load(row + i), v128.load(above + i)));
      }
    } else if (filter === 3) {
      for (let i: usize = 0; i < length; i += 16) {
        v128.store(out + i, v128.sub<u8>(v128.load(row + i), mean(v128.load(row + i - pixel), v128.load(above + i))));
      }
    } else {
      for (let i: usize = 0; i < length; i += 16) {
        const guess = paeth(v128.load(row + i - pixel), v128.load(above + i), v128.load(above + i - pixel));
        v128.store(out + i, v128.sub<u8>(v128.load(row + i), guess));
      }
    }
    out += length;
  }
}
