// Tests the kernel's deflate blocks by inflating them with zlib, for any set of symbols with codes and any order of
// them.

import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ensureMemory, KERNEL_BASE, openKernel } from '#draw/encoders/png/kernels.ts';

const MOST_BYTES = 64 * 1024;
/**
 * The row length: longer than all bytes together, so that they are one row. The kernel may read as far back as a row.
 */
const ROW = 1 + 3 * MOST_BYTES;
const BYTES = KERNEL_BASE + 4 * MOST_BYTES;
const TOKENS = BYTES + MOST_BYTES + 64;
const COUNTS = TOKENS + 4 * MOST_BYTES;
const TABLE = COUNTS + 4 * 320;
const OUT = TABLE + 2 * MOST_BYTES;

/** Most bytes of a block's codes: 17 + 19 × 3 bits, then 316 lengths of at most 7; and of its end. */
const MOST_HEAD = 300;

const kernel = openKernel();
ensureMemory(kernel, OUT + 2 * MOST_BYTES + 1024 - KERNEL_BASE);

type Tell = (length: number) => void;

const asMatches: Tell = (length) => kernel.findMatches(BYTES, BYTES, length, ROW, 3, TABLE, TOKENS, COUNTS);

const asLiterals: Tell = (length) => {
  const counts = new Uint32Array(kernel.memory.buffer, COUNTS, 316).fill(0);
  for (const byte of new Uint8Array(kernel.memory.buffer, BYTES, length)) counts[byte] = (counts[byte] ?? 0) + 1;
  counts[256] = 1;
  new Uint32Array(kernel.memory.buffer, TOKENS, 2).set([length, 0]);
};

function block(bytes: Uint8Array, tell: Tell, isLast: boolean): Uint8Array {
  const memory = new Uint8Array(kernel.memory.buffer);
  // Stands for what an earlier block has left in the output.
  memory.fill(0xff, OUT);
  memory.set(bytes, BYTES);
  tell(bytes.length);
  const bits = kernel.chooseBlock(COUNTS);
  const size = kernel.writeBlock(TOKENS, BYTES, COUNTS, OUT, isLast);
  // The rest is the codes.
  expect(8 * size - bits).toBeGreaterThan(0);
  expect(8 * size - bits).toBeLessThan(8 * MOST_HEAD);
  return memory.slice(OUT, OUT + size);
}

/** Inflates one last block, and the same block followed by a last one. */
function check(bytes: Uint8Array): void {
  for (const tell of [asMatches, asLiterals]) {
    expect(Buffer.compare(inflateRawSync(block(bytes, tell, true)), bytes)).toBe(0);
    const twice = Buffer.concat([block(bytes, tell, false), block(bytes, tell, true)]);
    expect(Buffer.compare(inflateRawSync(twice), Buffer.concat([bytes, bytes]))).toBe(0);
  }
}

const each = (symbols: readonly number[]) => Uint8Array.from(symbols);

test('one byte', () => check(each([7])));
test('one run', () => check(new Uint8Array(1000)));
test('every byte once', () => check(each([...Array(256).keys()])));
test('the first and the last, with no code for 254 between', () => check(each([0, 255, 0, 255])));
for (const apart of [2, 3, 4, 5, 11, 12, 139, 140]) {
  test(`bytes ${apart} apart`, () => check(each([...Array(Math.ceil(256 / apart)).keys()].map((i) => i * apart))));
}
test('codes of 14 bits', () => {
  check(each([...Array(20).keys()].flatMap((byte) => Array<number>(Math.ceil(1.6 ** byte)).fill(byte))));
});

test('any bytes', () => {
  const bytes = fc
    .tuple(fc.uniqueArray(fc.nat(255), { minLength: 1 }), fc.array(fc.nat(255), { minLength: 1, maxLength: 500 }))
    .map(([alphabet, picks]) => Uint8Array.from(picks, (pick) => alphabet[pick % alphabet.length] ?? 0));
  fc.assert(fc.property(bytes, check), { numRuns: 500, seed: 1 });
});
