// Composites a colour or pixels over pixels, optionally through a mask, in AssemblyScript, four pixels at a time.
//
// Source-over of Compositing and Blending 1 §5.1 on premultiplied RGBA. A mask has one byte per pixel and multiplies
// the source's alpha. Up to three pixels after each row are read, and written back unchanged.

import { areOpaque, firstPixels, over, product, spread } from './lanes';

/**
 * Composites a premultiplied colour over a rectangle.
 *
 * @param stride pixels from one row to the next, as in all functions here
 */
export function fillRect(pixels: usize, stride: usize, width: usize, height: u32, color: u32): void {
  const ink = i32x4.splat(color);
  const isOpaque = color >>> 24 === 255;
  for (; height > 0; height--, pixels += 4 * stride) {
    let x: usize = 0;
    for (; x + 4 <= width; x += 4) {
      const at = pixels + 4 * x;
      v128.store(at, isOpaque ? ink : over(v128.load(at), ink));
    }
    for (; x < width; x++) {
      const at = pixels + 4 * x;
      store<u32>(at, isOpaque ? color : i32x4.extract_lane(over(v128.load32_zero(at), ink), 0));
    }
  }
}

/** Composites a premultiplied colour through a mask; `pitch` is the mask's stride. */
export function layColor(
  pixels: usize,
  stride: usize,
  mask: usize,
  pitch: usize,
  width: usize,
  height: u32,
  color: u32,
): void {
  const ink = i32x4.splat(color);
  const isOpaque = color >>> 24 === 255;
  for (; height > 0; height--, pixels += 4 * stride, mask += pitch) {
    let x: usize = 0;
    while (x < width) {
      if (x + 16 <= width) {
        const coverages = v128.load(mask + x);
        if (!v128.any_true(coverages)) {
          x += 16;
          continue;
        }
        if (isOpaque && i8x16.all_true(i8x16.eq(coverages, i8x16.splat(-1)))) {
          const at = pixels + 4 * x;
          v128.store(at, ink);
          v128.store(at, ink, 16);
          v128.store(at, ink, 32);
          v128.store(at, ink, 48);
          x += 16;
          continue;
        }
      }
      for (const end = min(width, x + 16); x < end; x += 4) {
        let coverages = load<u32>(mask + x);
        if (width - x < 4) coverages &= <u32>((1 << (8 * <u32>(width - x))) - 1);
        if (coverages === 0) continue;
        const at = pixels + 4 * x;
        v128.store(at, over(v128.load(at), coverages === 0xffffffff ? ink : product(ink, spread(coverages))));
      }
    }
  }
}

/**
 * Composites a premultiplied colour through several masks in order: the letters of a word.
 *
 * @param list five u32 per mask: the addresses of its first pixel and first coverage, its pitch, width and height
 */
export function layMasks(list: usize, count: u32, stride: usize, color: u32): void {
  const ink = i32x4.splat(color);
  for (const end = list + 20 * count; list < end; list += 20) {
    let pixels = <usize>load<u32>(list);
    let mask = <usize>load<u32>(list, 4);
    const pitch = <usize>load<u32>(list, 8);
    const width = load<u32>(list, 12);
    const whole = width & ~3;
    const rest: u32 = (1 << (8 * (width & 3))) - 1;
    for (let rows = load<u32>(list, 16); rows > 0; rows--, pixels += 4 * stride, mask += pitch) {
      for (let x: u32 = 0; x < width; x += 4) {
        const coverages = load<u32>(mask + x) & (x < whole ? -1 : rest);
        // Over a third of the area of letters is empty.
        if (coverages === 0) continue;
        const at = pixels + 4 * x;
        v128.store(at, over(v128.load(at), product(ink, spread(coverages))));
      }
    }
  }
}

/**
 * Composites pixels over others.
 *
 * @param pitch stride of the source pixels
 * @param mask read only if `maskPitch` is not 0
 * @param opacity 0..255
 */
export function layPixels(
  pixels: usize,
  stride: usize,
  source: usize,
  pitch: usize,
  width: usize,
  height: u32,
  mask: usize,
  maskPitch: usize,
  opacity: u32,
): void {
  const fade = i8x16.splat(<i8>opacity);
  for (; height > 0; height--, pixels += 4 * stride, source += 4 * pitch, mask += maskPitch) {
    for (let x: usize = 0; x < width; x += 4) {
      let above = v128.load(source + 4 * x);
      if (width - x < 4) above = firstPixels(above, width - x);
      if (maskPitch !== 0) {
        const coverages = load<u32>(mask + x);
        if (coverages === 0) continue;
        if (coverages !== 0xffffffff) above = product(above, spread(coverages));
      }
      if (opacity !== 255) above = product(above, fade);
      const at = pixels + 4 * x;
      v128.store(at, areOpaque(above) ? above : over(v128.load(at), above));
    }
  }
}
