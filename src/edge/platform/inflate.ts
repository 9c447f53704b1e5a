// Decompresses a zlib stream (RFC 1950) with the Web platform's streams.

/** @throws Error when it is damaged or decompresses to more than `length` bytes */
export async function inflate(packed: Uint8Array, length: number): Promise<Uint8Array> {
  const unpacked = new Uint8Array(length);
  let at = 0;
  const stream = new Blob([packed as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return unpacked.subarray(0, at);
    if (at + value.length > length) throw new Error('longer than it says');
    unpacked.set(value, at);
    at += value.length;
  }
}
