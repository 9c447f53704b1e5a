import { expect, test } from 'vitest';
import type { PathData } from '#core/path.ts';
import { charstring, integer } from '#output/pdf/charstring.ts';

const OPERATORS: Readonly<Record<number, string>> = { 5: 'rlineto', 8: 'rrcurveto', 14: 'endchar', 21: 'rmoveto' };

/** Reads a charstring back, as Technical Note 5177 has it. */
function listing(bytes: Uint8Array): string {
  const words: (string | number)[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const b = bytes[i] ?? 0;
    const next = () => bytes[++i] ?? 0;
    if (b >= 251) words.push(-(b - 251) * 256 - next() - 108);
    else if (b >= 247) words.push((b - 247) * 256 + next() + 108);
    else if (b >= 32) words.push(b - 139);
    else if (b === 28) words.push(((next() << 24) >> 16) | next());
    else words.push(OPERATORS[b] ?? `?${b}`);
  }
  return words.join(' ');
}

function check(outline: PathData, expected: string): void {
  expect(listing(charstring(600, outline))).toBe(expected);
}

test('a blank has its width alone', () => check([], '600 endchar'));
test('points are relative to the one before', () =>
  check(
    [['M', 100, 200], ['L', 150, 200], ['L', 150, 100], ['C', 140, 90, 130, 80, 120, 70], ['Z']],
    '600 100 200 rmoveto 50 0 0 -100 rlineto -10 -10 -10 -10 -10 -10 rrcurveto endchar',
  ));
test('rounding does not add up', () => {
  const steps = Array.from({ length: 5 }, (_, i) => ['L', (i + 1) * 0.4, 0] as const);
  check([['M', 0, 0], ...steps], '600 0 0 rmoveto 0 0 1 0 0 0 1 0 0 0 rlineto endchar');
});
test('no more arguments are stacked than an interpreter holds', () => {
  const lines = Array.from({ length: 30 }, (_, i) => ['L', i, i] as const);
  const text = listing(charstring(0, [['M', 0, 0], ...lines]));
  for (const words of text.split(/ ?[a-z]+ ?/)) expect(words.split(' ').length).toBeLessThanOrEqual(48);
  expect(text.match(/rlineto/g)).toHaveLength(2);
});
test('every number comes back', () => {
  for (let value = -33_000; value <= 33_000; value += 7) {
    const kept = Math.min(32_767, Math.max(-32_768, value));
    expect(listing(Uint8Array.from(integer(value)))).toBe(String(kept));
  }
});
