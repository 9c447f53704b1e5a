// The colours of a picture that has few, and indices of them (PNG 3, §11.2.2).
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
 * Pixels → indices of their colours, which are added to the table.
 *
 * @param found colours in the table before
 * @returns colours in the table, or MOST_COLORS + 1 as soon as there are more than it may hold
 */
export function indexColors(rgba: usize, count: usize, slots: usize, found: u32, to: usize): u32 {
  const end = rgba + 4 * count;
  while (rgba < end) {
    const isOne = rgba + 64 <= end && Colors.areOne(rgba);
    const next = isOne ? rgba + 4 : min(end, rgba + 64);
    for (; rgba < next; rgba += 4) {
      const color = load<u32>(rgba);
      const slot = Colors.slot(color, slots);
      let index = load<u32>(slot, 4);
      if (index === 0) {
        if (found === MOST_COLORS) return found + 1;
        index = ++found;
        store<u32>(slot, color);
        store<u32>(slot, index, 4);
      }
      store<u8>(to++, <u8>(index - 1));
    }
    if (!isOne) continue;
    v128.store(to - 1, i8x16.splat(load<u8>(to - 1)));
    to += 15;
    rgba += 60;
  }
  return found;
}

/**
 * Copies rows of indices to where each is followed by sixteen zero bytes.
 *
 * @param stride bytes from one row to the next; a row may overwrite the zeros after the one before
 */
export function spreadRows(indices: usize, width: usize, rows: u32, to: usize, stride: usize): void {
  for (; rows > 0; rows--, indices += width, to += stride) {
    memory.copy(to, indices, width);
    v128.store(to + width, i32x4.splat(0));
  }
}
