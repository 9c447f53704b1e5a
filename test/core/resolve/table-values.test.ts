// Tests that sums of a long table's entries so far are each made from the one before.

import { expect, test } from 'vitest';
import { TableValues } from '#core/resolve/table-values.ts';
import { type Entries, TableLayer } from '#core/template/table-layer.ts';

const CELL = { when: null, text: '', calculate: { sum: 'amount' } } as unknown as Parameters<TableValues['textOf']>[0];

/** The sums of `1` per entry in each range, and how many entries were read for them. */
function sumsOf(ranges: readonly (readonly [from: number, to: number])[]) {
  let reads = 0;
  const at = () => {
    reads += 1;
    return { amount: '1' };
  };
  const rows = { length: 1_000, at } as unknown as Entries;
  const table = { ...TableLayer.parse({ name: 't', type: 'table', columns: ['hug'] }), rows };
  const values = new TableValues(table, {} as never, '');
  const texts = ranges.map(([from, to]) => values.textOf(CELL, { ...values.all(new Map()), from, to }));
  return { texts, reads };
}

test('what is carried after each entry reads it once', () => {
  const ends = Array.from({ length: 1_000 }, (_, index) => index + 1);
  const { texts, reads } = sumsOf(ends.map((to) => [0, to] as const));
  expect(texts).toEqual(ends.map(String));
  expect(reads).toBe(1_000);
});

test('sub-totals and what is carried read an entry a few times', () => {
  const ends = Array.from({ length: 1_000 }, (_, index) => index + 1);
  const { texts, reads } = sumsOf(ends.flatMap((to) => [[to - 1, to] as const, [0, to] as const]));
  expect(texts).toEqual(ends.flatMap((to) => ['1', String(to)]));
  expect(reads).toBeLessThan(3_000);
});
