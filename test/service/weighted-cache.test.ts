import { expect, test } from 'vitest';
import { WeightedCache } from '#service/weighted-cache.ts';

test('what was not used for longest goes first', () => {
  const cache = new WeightedCache<number>(10);
  cache.set('a', 1, 4);
  cache.set('b', 2, 4);
  cache.get('a');
  cache.set('c', 3, 4);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
});

test('what is heavier than the cache is not kept, and pushes nothing out', () => {
  const cache = new WeightedCache<number>(10);
  cache.set('a', 1, 4);
  cache.set('b', 2, 11);
  expect([cache.get('a'), cache.get('b')]).toEqual([1, undefined]);
});

test('setting a key again counts its weight once', () => {
  const cache = new WeightedCache<number>(10);
  for (let round = 0; round < 5; round += 1) cache.set('a', round, 6);
  cache.set('b', 9, 4);
  expect([cache.get('a'), cache.get('b')]).toEqual([4, 9]);
});
