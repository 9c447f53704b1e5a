// Tests the cache of shaped strings: what it finds again, and what it does not keep.

import { expect, test } from 'vitest';
import type { ShapeOptions } from '#core/text/shaped-glyph.ts';
import { ShapedStrings } from '#core/text/shaped-strings.ts';

const latin: ShapeOptions = { direction: 'ltr', script: 'Latn', language: null, features: {}, before: '', after: '' };

/** How often the given strings are shaped, in turn. */
function timesShaped(...strings: readonly (readonly [string, Partial<ShapeOptions>])[]): number {
  const shaped = new ShapedStrings();
  let count = 0;
  for (const [text, more] of strings) {
    shaped.get(text, { ...latin, ...more }, () => {
      count++;
      return [];
    });
  }
  return count;
}

test('an equal string with equal options is shaped once', () =>
  expect(timesShaped(['a', { features: { liga: 0 } }], ['a', { features: { liga: 0 } }])).toBe(1));

test.each<Partial<ShapeOptions>>([
  { direction: 'ttb' },
  { script: 'Cyrl' },
  { language: 'sr' },
  { features: { liga: 0 } },
  { before: 'b' },
  { after: 'b' },
])('%j is shaped apart', (more) => {
  expect(timesShaped(['a', {}], ['a', more], ['a', {}], ['a', more])).toBe(2);
});

test('features of one name and different values differ', () =>
  expect(timesShaped(['a', { features: { salt: 1 } }], ['a', { features: { salt: 2 } }])).toBe(2));

test('a text is kept in its eight latest variants', () => {
  const variants = Array.from({ length: 9 }, (_, salt) => ['a', { features: { salt } }] as const);
  expect(timesShaped(...variants, ...variants.slice(1))).toBe(9);
  expect(timesShaped(...variants, ['a', { features: { salt: 0 } }])).toBe(10);
});

test('a long text is not kept', () => expect(timesShaped(['a'.repeat(501), {}], ['a'.repeat(501), {}])).toBe(2));
