// Bits of a deflate stream, first bit lowest (RFC 1951, §3.1.1).
//
// A position counts bits from the start of a block. Above it, its byte is 0, so that more can be added.

/** The lowest 56 of 64 bits. */
const SEVEN_BYTES: u64 = (1 << 56) - 1;

/** Writes up to 24 bits, and zeros to the end of a byte. Returns the position behind them. */
export function put(out: usize, position: u32, value: u32, count: u32): u32 {
  const at = out + (position >> 3);
  store<u32>(at, <u32>load<u8>(at) | (value << (position & 7)));
  return position + count;
}

/** Writes bits that stand elsewhere, from one position up to another, and zeros. Returns the position behind them. */
export function copyBits(block: usize, from: u32, to: u32, out: usize, position: u32): u32 {
  let source = block + (from >> 3);
  let at = out + (position >> 3);
  const skipped: u64 = from & 7;
  const held: u64 = position & 7;
  let bits: u64 = load<u8>(at);
  let rest: u64 = to - from;
  // Seven bytes at a time: what is skipped and what is held are fewer than eight bits.
  for (; rest >= 56; rest -= 56) {
    bits |= ((load<u64>(source) >> skipped) & SEVEN_BYTES) << held;
    store<u64>(at, bits);
    bits >>= 56;
    source += 7;
    at += 7;
  }
  bits |= ((load<u64>(source) >> skipped) & (((<u64>1) << rest) - 1)) << held;
  store<u64>(at, bits);
  return position + (to - from);
}
