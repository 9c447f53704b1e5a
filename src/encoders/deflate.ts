// Compresses bytes to a zlib stream (RFC 1950, RFC 1951): for streams of some kilobytes, of which a PDF has a dozen.
//
// zlib takes 20 to 50 µs to start, mostly to clear memory that it allocates; here the memory is already allocated.
// Streams are as small as zlib's and take half the time.

import { deflateSync } from 'node:zlib';
import { ensureMemory, KERNEL_BASE, openKernel } from './png/kernels.ts';

/**
 * Longest stream that is written as a single block, bytes. Longer ones go to zlib, which splits them into blocks with
 * their own codes.
 */
const LONGEST = 64 * 1024;
/** Bits of the hash of four bytes: about as many hashes as bytes, so that a short stream only clears a small table. */
const HASH_BITS = { least: 8, most: 13 };
/** zlib header: deflate with a window of 32 KiB, default compression level. */
const ZLIB_HEAD = [0x78, 0x9c];
const ADLER_BYTES = 4;
/** Extra bytes, because the kernel reads and writes sixteen at a time. */
const MARGIN = 32;
const COUNTS_BYTES = 4 * 316;

const kernel = openKernel();
const at = layOut();
const memory = Buffer.from(kernel.memory.buffer);

function layOut() {
  let next = KERNEL_BASE;
  const take = (size: number) => {
    const start = next;
    next += Math.ceil(size / 16) * 16;
    return start;
  };
  const places = {
    bytes: take(LONGEST + MARGIN),
    heads: take(4 << HASH_BITS.most),
    links: take(4 * LONGEST),
    // A match covers at least four bytes.
    tokens: take(2 * LONGEST + 16),
    counts: take(COUNTS_BYTES),
    // A literal's longest code has 14 bits.
    out: take(2 * LONGEST + 1024),
  };
  ensureMemory(kernel, next - KERNEL_BASE);
  return places;
}

/** @param stream bytes, or text with one character per byte (Latin-1) */
export function deflate(stream: Uint8Array | string): Uint8Array {
  const { length } = stream;
  if (length === 0 || length > LONGEST) {
    return deflateSync(typeof stream === 'string' ? Buffer.from(stream, 'latin1') : stream);
  }
  if (typeof stream === 'string') memory.write(stream, at.bytes, length, 'latin1');
  else memory.set(stream, at.bytes);
  const bits = Math.min(HASH_BITS.most, Math.max(HASH_BITS.least, 32 - Math.clz32(length)));
  kernel.findRepeats(at.bytes, length, 32 - bits, at.heads, at.links, at.tokens, at.counts);
  kernel.chooseBlock(at.counts);
  const size = kernel.writeBlock(at.tokens, at.bytes, at.counts, at.out, true);
  const deflated = Buffer.allocUnsafe(ZLIB_HEAD.length + size + ADLER_BYTES);
  deflated.set(ZLIB_HEAD);
  memory.copy(deflated, ZLIB_HEAD.length, at.out, at.out + size);
  deflated.writeInt32BE(kernel.adler32(1, at.bytes, length), ZLIB_HEAD.length + size);
  return deflated;
}
