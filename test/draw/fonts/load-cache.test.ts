// Tests the load cache: concurrent requests share one load, and the bound on bytes is kept.

import { expect, test } from 'vitest';
import { LoadCache } from '#draw/fonts/face-cache.ts';

/** Requests keys whose values are their own sizes, one by one, and checks which were loaded. */
async function check(capacity: number, keys: string, expectedLoads: string): Promise<void> {
  const loads: string[] = [];
  const cache = new LoadCache<number>(capacity, (value) => value);
  for (const key of keys.split(' ')) {
    await cache.get(key, async () => {
      loads.push(key);
      return Number.parseInt(key, 10);
    });
  }
  expect(loads.join(' ')).toBe(expectedLoads);
}

test('what fits is loaded once', () => check(10, '4a 4b 4a 4b', '4a 4b'));
test('the one least recently asked for goes first', () => check(10, '4a 4b 4a 4c 4a 4b', '4a 4b 4c 4b'));
test('a large one pushes out as many as it must', () => check(10, '4a 4b 9c 4b', '4a 4b 9c 4b'));
test('one beyond the bound is never kept', () => check(10, '11a 11a', '11a 11a'));

test('all who ask while it loads get the one value', async () => {
  const cache = new LoadCache<object>(10, () => 1);
  let loads = 0;
  const load = async () => ({ number: ++loads });
  const [a, b] = await Promise.all([cache.get('k', load), cache.get('k', load)]);
  expect(a).toBe(b);
  expect(loads).toBe(1);
});

test('values that have grown are weighed again, and the one least recently asked for goes', async () => {
  const cache = new LoadCache<{ size: number }>(10, ({ size }) => size);
  const [a, b] = [{ size: 4 }, { size: 4 }];
  await cache.get('a', async () => a);
  await cache.get('b', async () => b);
  b.size = 7;
  cache.reweigh();
  expect([cache.kept('a'), cache.kept('b')]).toEqual([undefined, b]);
});

test('a failure is not kept', async () => {
  const cache = new LoadCache<string>(10, () => 1);
  await expect(cache.get('k', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await cache.get('k', async () => 'back')).toBe('back');
});
