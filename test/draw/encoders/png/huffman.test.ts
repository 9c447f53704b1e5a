import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ensureMemory, KERNEL_BASE, openKernel } from '#draw/encoders/png/kernels.ts';

const kernel = openKernel();
ensureMemory(kernel, 4 * 286);

/** `length | code << 8` of each symbol. */
function codes(counts: readonly number[], longest: number): Uint32Array {
  const table = new Uint32Array(kernel.memory.buffer, KERNEL_BASE, counts.length);
  table.set(counts);
  kernel.chooseCodes(KERNEL_BASE, counts.length, longest);
  return table;
}

const lengths = (counts: readonly number[], longest: number) => [...codes(counts, longest)].map((entry) => entry & 255);

/** Checks the code length of each symbol. */
function check(counts: readonly number[], longest: number, expected: readonly number[]): void {
  expect(lengths(counts, longest)).toEqual(expected);
}

test('frequent symbols are short', () => check([1, 1, 2, 4], 15, [3, 3, 2, 1]));
test('of two as frequent, the later is', () => check([5, 5, 5], 15, [2, 2, 1]));
test('no symbol is longer than allowed', () => check([1, 1, 2, 4, 8], 3, [3, 3, 3, 3, 1]));
test('what does not occur has no code', () => check([0, 5, 0, 5], 15, [0, 1, 0, 1]));
test('a single symbol gets a companion', () => check([0, 0, 7], 15, [1, 0, 1]));
test('and so does none', () => check([0, 0, 0], 15, [1, 1, 0]));
test('frequent counts sort by all their digits', () => check([65_536, 255, 8_000_000, 256], 15, [2, 3, 1, 3]));

const anyCounts = fc.array(fc.oneof(fc.constant(0), fc.nat(10), fc.nat(1_000_000)), { minLength: 2, maxLength: 286 });

test('every code is complete: no bits are left over, none are used twice', () => {
  fc.assert(
    fc.property(anyCounts, (counts) => {
      const chosen = lengths(counts, 9);
      const sum = chosen.reduce((total, length) => total + (length > 0 ? 2 ** -length : 0), 0);
      expect(sum).toBe(1);
      expect(chosen.every((length, symbol) => length <= 9 && (length > 0 || counts[symbol] === 0))).toBe(true);
    }),
    { seed: 1 },
  );
});

/** The bits that a block takes with an optimal code: the sum of the weights of all merged trees (Huffman). */
function leastBits(counts: readonly number[]): number {
  const trees = counts.filter((count) => count > 0);
  let bits = 0;
  while (trees.length > 1) {
    trees.sort((a, b) => b - a);
    const joined = (trees.pop() ?? 0) + (trees.pop() ?? 0);
    bits += joined;
    trees.push(joined);
  }
  return bits;
}

test('no code takes fewer bits, where lengths are free', () => {
  // With fewer than a thousand occurrences, no code is longer than 15 bits.
  const few = fc.array(fc.nat(30), { minLength: 2, maxLength: 30 });
  const several = few.filter((counts) => counts.filter((count) => count > 0).length > 1);
  fc.assert(
    fc.property(several, (counts) => {
      const bits = lengths(counts, 15).reduce((sum, length, symbol) => sum + length * (counts[symbol] ?? 0), 0);
      expect(bits).toBe(leastBits(counts));
    }),
    { seed: 1 },
  );
});

test('codes count up within a length, first bit lowest', () => {
  const show = (entry: number) => `${entry & 255}:${(entry >> 8).toString(2)}`;
  // RFC 1951, section 3.2.2: 010 011 100 101 110 00 1110 1111, with the bits reversed.
  expect([...codes([4, 4, 4, 4, 4, 8, 2, 2], 15)].map(show)).toEqual([
    '3:10',
    '3:110',
    '3:1',
    '3:101',
    '3:11',
    '2:0',
    '4:111',
    '4:1111',
  ]);
});
