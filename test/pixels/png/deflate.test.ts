// Blocks as the kernel writes them, read by zlib: whichever symbols have codes, and however those follow each other.

import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ensureMemory, KERNEL_BASE, openKernel } from '#pixels/kernel.ts';

const MOST_BYTES = 64 * 1024;
const BYTES = KERNEL_BASE;
const TOKENS = BYTES + MOST_BYTES + 64;
const COUNTS = TOKENS + 4 * MOST_BYTES;
const OUT = COUNTS + 4 * 316;

const kernel = openKernel();
ensureMemory(kernel, OUT + 2 * MOST_BYTES + 1024 - KERNEL_BASE);

function block(bytes: Uint8Array, isLast: boolean): Uint8Array {
  const memory = new Uint8Array(kernel.memory.buffer);
  // Whatever an earlier block has left.
  memory.fill(0xff, OUT);
  memory.set(bytes, BYTES);
  kernel.findRuns(BYTES, bytes.length, TOKENS, COUNTS);
  return memory.slice(OUT, OUT + kernel.writeBlock(TOKENS, BYTES, COUNTS, OUT, isLast));
}

/** One block, and the same before a last one. */
function check(bytes: Uint8Array): void {
  expect(Buffer.compare(inflateRawSync(block(bytes, true)), bytes)).toBe(0);
  const twice = Buffer.concat([block(bytes, false), block(bytes, true)]);
  expect(Buffer.compare(inflateRawSync(twice), Buffer.concat([bytes, bytes]))).toBe(0);
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
  const rare = [...Array(20).keys()].flatMap((byte) => Array<number>(Math.ceil(1.6 ** byte)).fill(byte));
  // Far from their equals, so that they are literals.
  check(Uint8Array.from(rare, (_, i) => rare[(i * 7919) % rare.length] ?? 0));
});

test('any bytes', () => {
  const bytes = fc
    .tuple(fc.uniqueArray(fc.nat(255), { minLength: 1 }), fc.array(fc.nat(255), { minLength: 1, maxLength: 500 }))
    .map(([alphabet, picks]) => Uint8Array.from(picks, (pick) => alphabet[pick % alphabet.length] ?? 0));
  fc.assert(fc.property(bytes, check), { numRuns: 500, seed: 1 });
});
