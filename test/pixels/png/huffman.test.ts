import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeLengths, codeTable } from '#pixels/png/huffman.ts';

/** Lengths, by symbol. */
function check(counts: readonly number[], longest: number, expected: readonly number[]): void {
  expect([...codeLengths(Uint32Array.from(counts), longest)]).toEqual(expected);
}

test('frequent symbols are short', () => check([1, 1, 2, 4], 15, [3, 3, 2, 1]));
test('no symbol is longer than allowed', () => check([1, 1, 2, 4, 8], 3, [3, 3, 3, 3, 1]));
test('what does not occur has no code', () => check([0, 5, 0, 5], 15, [0, 1, 0, 1]));
test('a single symbol gets a companion', () => check([0, 0, 7], 15, [1, 0, 1]));
test('and so does none', () => check([0, 0, 0], 15, [1, 1, 0]));

test('every code is complete: no bits are left over, none are used twice', () => {
  const counts = fc.array(fc.oneof(fc.constant(0), fc.nat(10), fc.nat(1_000_000)), { minLength: 2, maxLength: 286 });
  fc.assert(
    fc.property(counts, (list) => {
      const lengths = codeLengths(Uint32Array.from(list), 9);
      const sum = lengths.reduce((total, length) => total + (length > 0 ? 2 ** -length : 0), 0);
      expect(sum).toBe(1);
      expect(lengths.every((length, symbol) => length <= 9 && (length > 0 || list[symbol] === 0))).toBe(true);
    }),
    { seed: 1 },
  );
});

test('codes count up within a length, first bit lowest', () => {
  const show = (entry: number) => `${entry & 255}:${(entry >> 8).toString(2)}`;
  // RFC 1951, §3.2.2: 010 011 100 101 110 00 1110 1111, read backwards.
  expect([...codeTable(Uint8Array.from([3, 3, 3, 3, 3, 2, 4, 4]))].map(show)).toEqual([
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
