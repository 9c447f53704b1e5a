// A colour laid through a mask over pixels, in AssemblyScript: four pixels at a time, whatever covers them.
//
// Every channel is one of sixteen bits, so that a product of two bytes and what is added to it fit. `npm run kernel`
// compiles it to src/output/raster/retained/masks.wasm; a test holds that file to this source.

/** Eight sums of products of bytes, divided as the rasteriser divides them where it covers a pixel in part. */
function divided(sums: v128): v128 {
  return i16x8.shr_u(i16x8.add(sums, i16x8.splat(255)), 8);
}

/** Four coverages, each for all channels of its pixel. */
function spread(coverages: u32): v128 {
  return v128.swizzle(i32x4.splat(coverages), i8x16(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3));
}

/** An opaque colour is mixed with what lies below and rounded once. */
function mixed(below: v128, color: v128, coverage: v128): v128 {
  const through = v128.not(coverage);
  const low = i16x8.add(i16x8.extmul_low_i8x16_u(color, coverage), i16x8.extmul_low_i8x16_u(below, through));
  const high = i16x8.add(i16x8.extmul_high_i8x16_u(color, coverage), i16x8.extmul_high_i8x16_u(below, through));
  return v128.narrow<u16>(divided(low), divided(high));
}

/** A translucent colour is rounded before it is laid over what lies below. */
function laidOver(below: v128, color: v128, coverage: v128): v128 {
  const above = v128.narrow<u16>(
    divided(i16x8.extmul_low_i8x16_u(color, coverage)),
    divided(i16x8.extmul_high_i8x16_u(color, coverage)),
  );
  const through = v128.not(v128.shuffle<u8>(above, above, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15));
  const seen = v128.narrow<u16>(
    divided(i16x8.extmul_low_i8x16_u(below, through)),
    divided(i16x8.extmul_high_i8x16_u(below, through)),
  );
  // No sum exceeds 255: a premultiplied colour is never more than its alpha.
  return v128.add<u8>(above, seen);
}

/** Lays a premultiplied colour through one mask, as `layMasks` says. */
function layMask(pixels: usize, stride: usize, alphas: usize, pitch: usize, columns: u32, rows: u32, color: u32): void {
  const ink = i32x4.splat(color);
  const isOpaque = color >>> 24 === 255;
  const whole = columns & ~3;
  const rest: u32 = (1 << (8 * (columns & 3))) - 1;
  for (; rows > 0; rows--, pixels += 4 * stride, alphas += pitch) {
    for (let x: usize = 0; x < columns; x += 4) {
      const coverages = load<u32>(alphas + x) & (x < whole ? -1 : rest);
      // Over a third of what letters stand in is empty.
      if (coverages === 0) continue;
      const at = pixels + 4 * x;
      const below = v128.load(at);
      v128.store(at, isOpaque ? mixed(below, ink, spread(coverages)) : laidOver(below, ink, spread(coverages)));
    }
  }
}

/**
 * Lays a premultiplied colour over RGBA through masks of a byte a pixel, one after the other. Up to three pixels and
 * alphas behind each row are read, and those pixels written as they were.
 *
 * @param list for each mask five numbers: where its first pixel and its first alpha stand, alphas from one row to the
 *   next, columns, rows
 * @param stride pixels from one row to the next
 */
export function layMasks(list: usize, count: u32, stride: u32, color: u32): void {
  for (const end = list + 20 * count; list < end; list += 20) {
    layMask(
      load<u32>(list),
      stride,
      load<u32>(list, 4),
      load<u32>(list, 8),
      load<u32>(list, 12),
      load<u32>(list, 16),
      color,
    );
  }
}
