// Converts premultiplied RGBA to a file's pixels: RGB or straight RGBA.

/** RGBA of opaque pixels → RGB. Returns the bitwise AND of all alphas: 255 when every pixel is opaque. */
export function packOpaque(rgba: usize, count: usize, row: usize): u32 {
  let all = i32x4.splat(-1);
  let i: usize = 0;
  for (; i + 4 <= count; i += 4) {
    const four = v128.load(rgba + 4 * i);
    all = v128.and(all, four);
    v128.store(
      row + 3 * i,
      v128.shuffle<u8>(four, i32x4.splat(0), 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 16, 16, 16),
    );
  }
  let alpha =
    (i32x4.extract_lane(all, 0) &
      i32x4.extract_lane(all, 1) &
      i32x4.extract_lane(all, 2) &
      i32x4.extract_lane(all, 3)) >>>
    24;
  for (; i < count; i++) {
    const pixel = load<u32>(rgba + 4 * i);
    alpha &= pixel >>> 24;
    store<u8>(row + 3 * i, <u8>pixel);
    store<u16>(row + 3 * i + 1, <u16>(pixel >>> 8));
  }
  return alpha;
}

/** Premultiplied RGBA → straight RGBA, rounded; may work in place. */
export function packTranslucent(rgba: usize, count: usize, row: usize): void {
  for (let i: usize = 0; i < count; i++) {
    const pixel = load<u32>(rgba + 4 * i);
    const alpha = pixel >>> 24;
    if (alpha === 255 || alpha === 0) {
      store<u32>(row + 4 * i, alpha === 0 ? 0 : pixel);
      continue;
    }
    const half = alpha >> 1;
    const r = min<u32>(255, ((pixel & 255) * 255 + half) / alpha);
    const g = min<u32>(255, (((pixel >> 8) & 255) * 255 + half) / alpha);
    const b = min<u32>(255, (((pixel >> 16) & 255) * 255 + half) / alpha);
    store<u32>(row + 4 * i, r | (g << 8) | (b << 16) | (alpha << 24));
  }
}

/**
 * Rows of RGBA → rows of the file's pixels, each followed by sixteen zero bytes.
 *
 * @param channels 3 assumes that every pixel is opaque, 4 unpremultiplies
 * @param stride bytes from one row to the next; a row may overwrite the zeros after the one before
 * @returns the bitwise AND of all alphas, as packOpaque does; 255 with 4 channels
 */
export function packRows(rgba: usize, width: usize, rows: u32, channels: usize, to: usize, stride: usize): u32 {
  let alpha: u32 = 255;
  for (; rows > 0; rows--, rgba += 4 * width, to += stride) {
    if (channels === 3) alpha &= packOpaque(rgba, width, to);
    else packTranslucent(rgba, width, to);
    v128.store(to + channels * width, i32x4.splat(0));
  }
  return alpha;
}
