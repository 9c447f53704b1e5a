// Codes decisions with their probabilities as bytes: VP8's boolean entropy coder (RFC 6386, section 7).
//
// A coder's state is in memory between calls: its lower bound, the width of its range, and how many bits of the bound
// have not been written yet. Those are written four bytes at a time, so that carries are rarely checked.

import { PROBABILITIES } from './layout';

const BOUND: usize = 0;
/** 128 to 255. */
const WIDTH: usize = 8;
/** Unwritten bits of the bound above the eight that the width is compared with. */
const HELD: usize = 12;

let end: usize = 0;

export function openCoder(coder: usize): void {
  store<u64>(coder, 0, BOUND);
  store<u32>(coder, 255, WIDTH);
  store<u32>(coder, 0, HELD);
}

/**
 * Codes the decisions from one address to another.
 *
 * @param out address for the bytes; a carry into earlier ones adds 1 to the byte before it
 * @returns the end of the bytes
 */
export function code(coder: usize, from: usize, to: usize, out: usize): usize {
  end = out;
  let bound = load<u64>(coder, BOUND);
  let width = load<u32>(coder, WIDTH);
  let held = load<u32>(coder, HELD);
  for (; from < to; from += 2) {
    const decision = <u32>load<u16>(from);
    const is = decision & 1;
    const split = 1 + (((width - 1) * <u32>load<u8>(PROBABILITIES + <usize>(decision >> 1))) >> 8);
    bound += <u64>(split & (0 - is));
    width = select(width - split, split, is);
    const shift = clz(width) - 24;
    width <<= shift;
    bound <<= shift;
    held += shift;
    if (held >= 32) {
      held -= 32;
      if (bound >> (held + 40)) carry();
      store<u32>(end, bswap(<u32>(bound >> (held + 8))));
      end += 4;
      bound &= ((<u64>1) << (held + 8)) - 1;
    }
  }
  store<u64>(coder, bound, BOUND);
  store<u32>(coder, width, WIDTH);
  store<u32>(coder, held, HELD);
  return end;
}

function carry(): void {
  let at = end - 1;
  while (load<u8>(at) === 255) store<u8>(at--, 0);
  store<u8>(at, load<u8>(at) + 1);
}

/**
 * Writes the remaining bits, as `code` does, and a byte of padding: libwebp's decoder reads ahead, and takes a
 * partition that it has read to its end for a truncated one.
 */
export function closeCoder(coder: usize, out: usize): usize {
  end = out;
  const bound = load<u64>(coder, BOUND);
  const bits = load<u32>(coder, HELD) + 8;
  if (bound >> bits) carry();
  for (let shift = <i32>bits - 8; shift > -16; shift -= 8) {
    store<u8>(end++, <u8>(shift >= 0 ? bound >> shift : bound << -shift));
  }
  return end;
}
