// Bits of a deflate stream, first bit lowest (RFC 1951, §3.1.1).
//
// A position counts bits from the start of a block. Above it, its byte is 0, so that more can be added.

/** Writes up to 24 bits, and zeros to the end of a byte. Returns the position behind them. */
export function put(out: usize, position: u32, value: u32, count: u32): u32 {
  const at = out + (position >> 3);
  store<u32>(at, <u32>load<u8>(at) | (value << (position & 7)));
  return position + count;
}
