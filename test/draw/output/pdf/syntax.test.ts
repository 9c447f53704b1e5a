import { expect, test } from 'vitest';
import { matrix, num, utf16Hex } from '#draw/output/pdf/syntax.ts';

test.each([
  [0.1 + 0.2, '0.3'],
  [-0.00001, '0'],
  [1e-7, '0'],
  [1e21, '1000000000'],
  [-12.34567, '-12.3457'],
])('%f is %s', (value, text) => expect(num(value)).toBe(text));

test('no number is written with an exponent', () => {
  for (let power = -12; power < 12; power++)
    expect(matrix([10 ** power, 0, 0, -(10 ** power), 0, 0])).not.toContain('e');
});

test('what is not a number is a bug', () => {
  expect(() => num(Number.NaN)).toThrow();
  expect(() => num(Number.POSITIVE_INFINITY)).toThrow();
});

test('text is UTF-16, well formed', () => expect(utf16Hex('é👋\ud83d')).toBe('00e9d83ddc4bfffd'));
