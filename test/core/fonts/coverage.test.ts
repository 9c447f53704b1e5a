// Tests that coverage survives its compact text form: the same ranges are read back.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Coverage } from '#core/fonts/coverage.ts';

function check(codePoints: readonly number[], text: string): void {
  const coverage = Coverage.of(codePoints);
  expect(coverage.toString()).toBe(text);
  expect(Coverage.parse(text).toString()).toBe(text);
}

test('no code points are no text', () => check([], ''));
test('one code point is its number in base 36', () => check([36], '10'));
test('neighbours join into a range', () => check([65, 66, 67], '1t+2'));
test('the gap counts from the end of the range before', () => check([65, 66, 70], '1t+1 4'));
test('order and repetition do not matter', () => check([70, 66, 65, 66], '1t+1 4'));

test('has() answers as a set does, also after a round trip', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 300 })), (codePoints) => {
      const set = new Set(codePoints);
      const coverage = Coverage.parse(Coverage.of(codePoints).toString());
      expect(coverage.size).toBe(set.size);
      for (let codePoint = 0; codePoint <= 301; codePoint++) expect(coverage.has(codePoint)).toBe(set.has(codePoint));
    }),
  );
});
