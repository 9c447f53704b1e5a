// The CRC-32 of PNG's chunks (PNG 3, annex D), eight bytes at a time ("slicing-by-8", Kounavis and Berry, 2005).

const SLICES = 8;

/** `TABLE[256 * k + b]`: the checksum of byte `b` followed by `k` more bytes. */
const TABLE = new Uint32Array(256 * SLICES);
for (let byte = 0; byte < 256; byte++) {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  TABLE[byte] = sum;
}
for (let i = 256; i < TABLE.length; i++) {
  const before = TABLE[i - 256] ?? 0;
  TABLE[i] = (before >>> 8) ^ (TABLE[before & 255] ?? 0);
}

const after = (slice: number, byte: number) => TABLE[256 * slice + (byte & 255)] ?? 0;

export function crc32(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let sum = ~0;
  let at = 0;
  for (; at + SLICES <= bytes.length; at += SLICES) {
    const low = sum ^ view.getUint32(at, true);
    const high = view.getUint32(at + 4, true);
    sum =
      after(7, low) ^
      after(6, low >>> 8) ^
      after(5, low >>> 16) ^
      after(4, low >>> 24) ^
      after(3, high) ^
      after(2, high >>> 8) ^
      after(1, high >>> 16) ^
      after(0, high >>> 24);
  }
  for (; at < bytes.length; at++) sum = (sum >>> 8) ^ after(0, sum ^ (bytes[at] ?? 0));
  return ~sum >>> 0;
}
