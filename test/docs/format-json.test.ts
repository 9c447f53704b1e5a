// Tests the JSON format of the documentation: on one line if it fits, else packed, and never another value.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatJson } from '../../scripts/docs/format-json.ts';
import { ROOT } from './fences.ts';

test('what fits stands on one line, what does not is packed', () => {
  expect(formatJson({ a: [1, 2], b: {} })).toBe('{ "a": [1, 2], "b": {} }');
  const text = 'x'.repeat(60);
  expect(formatJson({ a: 1, b: true, c: text, d: [{ e: text }, null] })).toBe(
    `{\n  "a": 1, "b": true,\n  "c": "${text}",\n  "d": [\n    { "e": "${text}" },\n    null\n  ]\n}`,
  );
});

test('no example changes, nor is wider than the column by more than a comma and a bracket', () => {
  for (const file of readdirSync(join(ROOT, 'docs/examples'))) {
    const value = JSON.parse(readFileSync(join(ROOT, 'docs/examples', file), 'utf8'));
    const text = formatJson(value);
    expect(JSON.parse(text), file).toEqual(value);
    expect(Math.max(...text.split('\n').map((line) => line.length)), file).toBeLessThanOrEqual(88);
  }
});
