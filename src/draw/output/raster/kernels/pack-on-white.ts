// Converts premultiplied RGBA to RGB on a white ground, in AssemblyScript, for formats without alpha.

import { alphasOf } from './lanes';

/**
 * Writes rows of RGB without gaps. Each stored vector is four bytes longer than what it holds, so `to` needs four bytes
 * beyond the last row.
 *
 * @param stride pixels from one row to the next
 */
export function packOnWhite(pixels: usize, stride: usize, width: usize, height: u32, to: usize): void {
  for (; height > 0; height--, pixels += 4 * stride) {
    let x: usize = 0;
    for (; x + 4 <= width; x += 4, to += 12) {
      const four = v128.load(pixels + 4 * x);
      const onWhite = i8x16.add_sat_u(four, v128.not(alphasOf(four)));
      v128.store(to, v128.shuffle<u8>(onWhite, i32x4.splat(0), 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 16, 16, 16));
    }
    for (; x < width; x++, to += 3) {
      const pixel = load<u32>(pixels + 4 * x);
      const white = 255 - (pixel >>> 24);
      store<u8>(to, <u8>min<u32>(255, (pixel & 255) + white));
      store<u8>(to, <u8>min<u32>(255, ((pixel >>> 8) & 255) + white), 1);
      store<u8>(to, <u8>min<u32>(255, ((pixel >>> 16) & 255) + white), 2);
    }
  }
}
