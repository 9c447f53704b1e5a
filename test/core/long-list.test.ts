// Long lists as text: what JSON.parse reads is read, and what it refuses is refused.

import { expect, test } from 'vitest';
import { LongList } from '#core/long-list.ts';

const read = (text: string) => [...new LongList(text, 'modifications.lines')];

const entries = Array.from({ length: 300 }, (_, i) => ({
  item: `a ]},"[{ \\" ${'\\'.repeat(i % 5)}`,
  rows: [[i], {}],
}));

test.each([
  ['as it is written', JSON.stringify(entries)],
  ['with white space', ` \n${JSON.stringify(entries, null, 2)}\t\n`],
  ['of plain values', JSON.stringify(entries.map((_, i) => (i % 2 ? i : `${i}`)))],
  ['of 64', JSON.stringify(entries.slice(0, 64))],
  ['of 65', JSON.stringify(entries.slice(0, 65))],
])('a list %s', (_, text) => expect(read(text)).toEqual(JSON.parse(text)));

const whole = JSON.stringify(entries.slice(0, 64));
test.each([
  ['a comma at its end', `${whole.slice(0, -1)},]`],
  ['two commas', `${whole.slice(0, -1)},,1]`],
  ['no end', whole.slice(0, -1)],
  ['another bracket', `${whole.slice(0, -1)}}`],
  ['more after it', `${whole} 1`],
  ['a text without an end', `${whole.slice(0, -1)},"a]`],
  ['brackets that cross', '[{"a":[1}],2]'],
])('a list with %s', (_, text) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(() => read(text)).toThrow(/begins like a list, but is no JSON/);
});

test('an entry that nests too deep', () => {
  const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
  expect(() => read(`[1,${deep}]`)).toThrow(/nests deeper than 32 levels/);
});
