// Writes bits of a deflate stream, first bit lowest (RFC 1951, §3.1.1).
//
// A position counts bits from the start of a block. The bits of its byte from there on are 0, so that more can be ORed
// in.

/** Writes up to 24 bits, and zeros to the end of the byte. Returns the position after them. */
export function put(out: usize, position: u32, value: u32, count: u32): u32 {
  const at = out + (position >> 3);
  store<u32>(at, <u32>load<u8>(at) | (value << (position & 7)));
  return position + count;
}
