// Combines masks of one byte per pixel, in AssemblyScript, sixteen pixels at a time.

import { product } from './lanes';

/** Intersects masks: multiplies their coverages. */
export function intersectMasks(mask: usize, other: usize, length: usize): void {
  for (let i: usize = 0; i < length; i += 16) {
    v128.store(mask + i, product(v128.load(mask + i), v128.load(other + i)));
  }
}

/**
 * Adds a mask to a rectangle of another. The sum is the union for shapes that only share edges.
 *
 * @param stride, pitch bytes from one row to the next
 * @returns whether a sum exceeded full coverage by more than rounding, so that the shapes must overlap
 */
export function addMask(mask: usize, stride: usize, other: usize, pitch: usize, width: usize, height: u32): bool {
  const slack = i8x16.splat(ROUNDINGS);
  let overlap = i8x16.splat(0);
  let most: u32 = 0;
  for (; height > 0; height--, mask += stride, other += pitch) {
    let x: usize = 0;
    for (; x + 16 <= width; x += 16) {
      const a = v128.load(mask + x);
      const b = v128.load(other + x);
      v128.store(mask + x, i8x16.add_sat_u(a, b));
      overlap = v128.or(overlap, i8x16.sub_sat_u(i8x16.sub_sat_u(a, v128.not(b)), slack));
    }
    for (; x < width; x++) {
      const sum = <u32>load<u8>(mask + x) + <u32>load<u8>(other + x);
      store<u8>(mask + x, <u8>min<u32>(255, sum));
      most = max(most, sum);
    }
  }
  return most > 255 + ROUNDINGS || v128.any_true(overlap);
}

/** Levels by which rounding may make the sum of two masks differ from their union. */
const ROUNDINGS: u8 = 5;
