import { expect, test } from 'vitest';
import { LruCache } from '#core/lru-cache.ts';

test('what was not used for longest goes first', () => {
  const cache = new LruCache<string, number>(10);
  cache.set('a', 1, 4);
  cache.set('b', 2, 4);
  cache.get('a');
  cache.set('c', 3, 4);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
});

test('what is heavier than the cache is not kept, and pushes nothing out', () => {
  const cache = new LruCache<string, number>(10);
  cache.set('a', 1, 4);
  cache.set('b', 2, 11);
  expect([cache.get('a'), cache.get('b')]).toEqual([1, undefined]);
});

test('setting a key again counts its weight once', () => {
  const cache = new LruCache<string, number>(10);
  for (let round = 0; round < 5; round += 1) cache.set('a', round, 6);
  cache.set('b', 9, 4);
  expect([cache.get('a'), cache.get('b')]).toEqual([4, 9]);
});

test('an entry weighs 1 unless it is said otherwise', () => {
  const cache = new LruCache<number, string>(2);
  for (const key of [1, 2, 3]) cache.set(key, `${key}`);
  expect([cache.get(1), cache.get(2), cache.get(3)]).toEqual([undefined, '2', '3']);
});
