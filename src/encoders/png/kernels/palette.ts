// The colours of a picture that has few, and rows of indices of them (PNG 3, §11.2.2).
//
// A hash table leads from a colour to its index: pairs of u32, the colour and its index plus one. A second number of 0
// marks a free slot.

/** Slots of the table: a power of two, of which at most a quarter are used. */
const SLOTS: u32 = 1024;
const MOST_COLORS: u32 = 256;

// biome-ignore lint/complexity/noStaticOnlyClass: only methods can be marked to be inlined
class Colors {
  /** The slot of a colour, or the free one where it belongs. */
  @inline
  static slot(color: u32, slots: usize): usize {
    let slot = slots + 8 * ((color * 0x9e3779b1) >> 22);
    // The first slot is nearly always right, so looking is faster than comparing with the pixel before.
    while (load<u32>(slot) !== color && load<u32>(slot, 4) !== 0) slot = slots + ((slot - slots + 8) % (8 * SLOTS));
    return slot;
  }

  /** Whether sixteen pixels have one colour, as most of a drawing do. */
  @inline
  static areOne(rgba: usize): bool {
    const four = i32x4.splat(load<i32>(rgba));
    const first = v128.or(v128.xor(v128.load(rgba), four), v128.xor(v128.load(rgba, 16), four));
    const second = v128.or(v128.xor(v128.load(rgba, 32), four), v128.xor(v128.load(rgba, 48), four));
    return !v128.any_true(v128.or(first, second));
  }
}

/**
 * Adds the colours of some pixels to the table.
 *
 * @param found colours in the table before
 * @returns colours in the table, or MOST_COLORS + 1 as soon as there are more than it may hold
 */
export function addColors(rgba: usize, count: usize, slots: usize, found: u32): u32 {
  const end = rgba + 4 * count;
  while (rgba < end) {
    const next = min(end, rgba + 64);
    let at = rgba + 64 <= end && Colors.areOne(rgba) ? next - 4 : rgba;
    for (; at < next; at += 4) {
      const color = load<u32>(at);
      const slot = Colors.slot(color, slots);
      if (load<u32>(slot, 4) !== 0) continue;
      if (found === MOST_COLORS) return found + 1;
      store<u32>(slot, color);
      store<u32>(slot, ++found, 4);
    }
    rgba = next;
  }
  return found;
}

/**
 * Rows of RGBA → rows of indices, one byte each, each row followed by sixteen zero bytes.
 *
 * @param slots contains every colour of the rows
 * @param stride bytes from one row to the next; a row may overwrite the zeros after the one before
 */
export function indexRows(rgba: usize, width: usize, rows: u32, slots: usize, to: usize, stride: usize): void {
  for (; rows > 0; rows--, to += stride) {
    const end = to + width;
    for (let at = to; at < end; ) {
      const next = min(end, at + 16);
      if (at + 16 <= end && Colors.areOne(rgba)) {
        v128.store(at, i8x16.splat(<i8>(load<u32>(Colors.slot(load<u32>(rgba), slots), 4) - 1)));
        rgba += 64;
        at = next;
      }
      for (; at < next; at++, rgba += 4) {
        store<u8>(at, <u8>(load<u32>(Colors.slot(load<u32>(rgba), slots), 4) - 1));
      }
    }
    v128.store(end, i32x4.splat(0));
  }
}
