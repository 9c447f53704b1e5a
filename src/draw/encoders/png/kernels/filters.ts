// Filters pixels of a row with the Paeth filter, which suits photos (PNG 3, §9): writes the residuals of predicting
// them from their neighbours.

/** The one of left, above and upper left that is nearest to left + above − upper left. */
function paeth(left: v128, above: v128, corner: v128): v128 {
  const byLeft = distance(above, corner);
  const byAbove = distance(left, corner);
  // |left + above − 2 corner|: if both differ from the corner in the same direction, the distances add up, else they
  // cancel.
  const opposite = v128.xor(v128.ge<u8>(left, corner), v128.ge<u8>(above, corner));
  const byCorner = v128.bitselect(distance(byLeft, byAbove), v128.add_sat<u8>(byLeft, byAbove), opposite);
  const other = v128.bitselect(above, corner, v128.le<u8>(byAbove, byCorner));
  return v128.bitselect(left, other, v128.and(v128.le<u8>(byLeft, byAbove), v128.le<u8>(byLeft, byCorner)));
}

function distance(a: v128, b: v128): v128 {
  return v128.or(v128.sub_sat<u8>(a, b), v128.sub_sat<u8>(b, a));
}

/** The last pixel of the preceding four, then the first three of these four. */
function shifted(before: v128, four: v128): v128 {
  return v128.shuffle<u32>(before, four, 3, 4, 5, 6);
}

/** The filter byte of the Paeth filter. */
export const PAETH: u8 = 4;

/**
 * Filters a row of RGBA pixels and writes the residuals of `channels` of them, followed by sixteen zeros.
 *
 * @param above the row above; zeros above the picture
 * @returns the bitwise AND of all alphas: 255 when every pixel is opaque
 */
export function filterPixels(row: usize, above: usize, count: usize, channels: usize, out: usize): u32 {
  const nothing = i32x4.splat(0);
  let left = nothing;
  let corner = nothing;
  let all = i32x4.splat(-1);
  const end = row + 4 * count;
  for (; row < end; row += 16, above += 16, out += 4 * channels) {
    const four = v128.load(row);
    const fourAbove = v128.load(above);
    let residue = v128.sub<u8>(four, paeth(shifted(left, four), fourAbove, shifted(corner, fourAbove)));
    left = four;
    corner = fourAbove;
    if (row + 16 > end) {
      // The pixels after the end do not belong to the row.
      const inside = i32x4.gt_s(i32x4.splat(<i32>(end - row)), i32x4(0, 4, 8, 12));
      residue = v128.and(residue, inside);
      left = v128.or(four, v128.not(inside));
    }
    all = v128.and(all, left);
    if (channels === 3) {
      residue = v128.shuffle<u8>(residue, nothing, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 16, 16, 16);
    }
    v128.store(out, residue);
  }
  v128.store(out, nothing);
  const both = v128.and(all, v128.shuffle<u64>(all, all, 1, 0));
  return (i32x4.extract_lane(both, 0) & i32x4.extract_lane(both, 1)) >>> 24;
}
