// Packed lists: what was added is read back, in any order, whatever was packed meanwhile.

import { expect, test } from 'vitest';
import { asJson, PackedList } from '#core/packed-list.ts';

interface Entry {
  readonly text: string;
  readonly number: number | null;
}

const entry = (i: number): Entry => ({ text: `é "${i}\u0000\ud800`, number: i % 3 === 0 ? null : i / 7 });

function listOf(count: number) {
  const list = new PackedList<Entry>(asJson());
  for (let i = 0; i < count; i += 1) list.add(entry(i));
  return list;
}

test.each([0, 1, 15, 16, 17, 255, 256, 257, 5_000])('%i values', (count) => {
  const list = listOf(count);
  const all = Array.from({ length: count }, (_, i) => entry(i));
  expect(list.length).toBe(count);
  expect([...list]).toEqual(all);
  expect(Array.from({ length: count }, (_, i) => list.at(count - 1 - i))).toEqual(all.toReversed());
  expect([list.at(-1), list.at(count)]).toEqual([undefined, undefined]);
  list.add(entry(count));
  expect(list.at(count)).toEqual(entry(count));
});

test('a part that cannot be packed is kept as it is', () => {
  const list = new PackedList<number>({ pack: () => null, unpack: () => [] });
  for (let i = 0; i < 1_000; i += 1) list.add(i);
  expect([...list]).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
});

test('short lists hold the objects that were added', () => {
  const list = new PackedList<Entry>(asJson());
  const added = Array.from({ length: 256 }, (_, i) => entry(i));
  for (const each of added) list.add(each);
  expect(added.every((each, i) => list.at(i) === each)).toBe(true);
});
