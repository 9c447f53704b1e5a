import { expect, test } from 'vitest';
import { warningsHeader } from '#server/http/middleware/answer.ts';

const header = (messages: readonly string[]) =>
  warningsHeader(messages.map((message) => ({ code: 'unknown-layer', layer: null, message })));

test('a JSON array of sentences', () => expect(header(['One.', 'Two.'])).toBe('["One.","Two."]'));

test('beyond ASCII is escaped, by UTF-16 unit', () => {
  expect(header(['é😀\u007f\n'])).toBe('["\\u00e9\\ud83d\\ude00\\u007f\\n"]');
  expect(JSON.parse(header(['é😀\u007f\n']))).toEqual(['é😀\u007f\n']);
});

test('twenty are shown, more are counted', () => {
  const messages = Array.from({ length: 25 }, (_, index) => `m${index}`);
  expect(JSON.parse(header(messages))).toEqual([...messages.slice(0, 20), '+5 more']);
  expect(JSON.parse(header(messages.slice(0, 20)))).toHaveLength(20);
});

test('it never exceeds 2 KiB', () => {
  const text = header(Array.from({ length: 20 }, () => '😀'.repeat(40)));
  expect(text.length).toBeLessThanOrEqual(2048);
  const shown: string[] = JSON.parse(text);
  expect(shown.at(-1)).toBe(`+${20 - (shown.length - 1)} more`);
});

test('a very long sentence is cut', () => {
  const [only = ''] = JSON.parse(header(['x'.repeat(10_000)])) as string[];
  expect(only).toBe(`${'x'.repeat(299)}…`);
});
