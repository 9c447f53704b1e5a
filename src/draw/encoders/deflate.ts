// Compresses bytes to a zlib stream (RFC 1950, RFC 1951): for streams of some kilobytes, of which a PDF has a dozen.
//
// zlib takes 20 to 50 µs to start, mostly to clear memory that it allocates; here the memory is already allocated.
// Such streams are as small as zlib's and take half the time, those of a table's page two thirds.

import { bytesOfLatin1, deflateLong, writeLatin1 } from '#base/runtime.ts';
import { ensureMemory, KERNEL_BASE, openKernel } from './png/kernels.ts';

/** Longest stream that is written as a single block, bytes: the structure of a PDF has up to 100,000. */
const LONGEST = 104 * 1024;
/**
 * Streams from this length on are searched thoroughly for repeats, bytes: the page of a table, 27 KB, takes 0.3 ms instead
 * of 0.2, and 3.8 KB instead of 4.3.
 */
const LONG = 16 * 1024;
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
const memory = new Uint8Array(kernel.memory.buffer);

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

/**
 * @param stream bytes, or text with one character per byte (Latin-1)
 * @param isSearchedFully whether it is searched for repeats as far as zlib would, which takes twice as long
 */
export function deflate(stream: Uint8Array | string, isSearchedFully = false): Uint8Array {
  const { length } = stream;
  if (deflateLong && (length === 0 || length > LONGEST)) {
    return deflateLong(typeof stream === 'string' ? bytesOfLatin1(stream) : stream);
  }
  return deflateInBlocks(stream, isSearchedFully);
}

/** The same for streams of any length, without zlib: one block for each `LONGEST` bytes. */
export function deflateInBlocks(stream: Uint8Array | string, isSearchedFully = false): Uint8Array {
  const { length } = stream;
  const blocks: Uint8Array[] = [];
  let sum = 1;
  for (let from = 0; from < length || from === 0; from += LONGEST) {
    const part =
      typeof stream === 'string' ? stream.slice(from, from + LONGEST) : stream.subarray(from, from + LONGEST);
    if (typeof part === 'string') writeLatin1(part, memory, at.bytes);
    else memory.set(part, at.bytes);
    sum = kernel.adler32(sum, at.bytes, part.length);
    const effort = part.length < LONG ? 0 : isSearchedFully ? 2 : 1;
    blocks.push(blockOf(part.length, effort, from + LONGEST >= length));
  }
  const size = blocks.reduce((total, block) => total + block.length, 0);
  const deflated = new Uint8Array(ZLIB_HEAD.length + size + ADLER_BYTES);
  deflated.set(ZLIB_HEAD);
  let place = ZLIB_HEAD.length;
  for (const block of blocks) {
    deflated.set(block, place);
    place += block.length;
  }
  new DataView(deflated.buffer).setInt32(place, sum);
  return deflated;
}

/** The block of the bytes in the kernel's memory, which the next one overwrites unless it is the last. */
function blockOf(length: number, effort: number, isLast: boolean): Uint8Array {
  const bits = Math.min(HASH_BITS.most, Math.max(HASH_BITS.least, 32 - Math.clz32(length)));
  kernel.findRepeats(at.bytes, length, 32 - bits, effort, at.heads, at.links, at.tokens, at.counts);
  kernel.chooseBlock(at.counts);
  const size = kernel.writeBlock(at.tokens, at.bytes, at.counts, at.out, isLast);
  const block = memory.subarray(at.out, at.out + size);
  return isLast ? block : block.slice();
}
