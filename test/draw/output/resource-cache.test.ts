import { expect, test } from 'vitest';
import { ResourceCache } from '#draw/output/resource-cache.ts';
import { randomFrom } from '../../../bench/statistics.ts';

test('what was not used for longest goes first', () => {
  const memory = new ResourceCache(2500);
  const kept = memory.of<string>('letters');
  kept.set('a', 'A', 1000);
  kept.set('b', 'B', 1000);
  kept.get('a');
  kept.set('c', 'C', 1000);
  expect(['a', 'b', 'c'].map((key) => kept.get(key))).toEqual(['A', undefined, 'C']);
});

test('what is asked for stays, however many others come once', () => {
  const memory = new ResourceCache(100_000);
  const kept = memory.of<number>('templates');
  for (let i = 0; i < 40; i++) kept.set(`wanted ${i}`, i, 1800);
  for (let round = 0; round < 50; round++) {
    for (let i = 0; i < 40; i++) {
      if (kept.get(`wanted ${i}`) === undefined) kept.set(`wanted ${i}`, i, 1800);
    }
    for (let i = 0; i < 100; i++) kept.set(`once ${round} ${i}`, i, 1800);
  }
  const found = Array.from({ length: 40 }, (_, i) => kept.get(`wanted ${i}`)).filter((value) => value !== undefined);
  expect(found.length).toBe(40);
});

test('what comes back after it was let go is taken to be wanted', () => {
  const memory = new ResourceCache(10_000);
  const kept = memory.of<number>('templates');
  const scan = (name: string) => {
    for (let i = 0; i < 10; i++) kept.set(`${name} ${i}`, i, 1800);
  };
  kept.set('back', 1, 1800);
  scan('first');
  expect(kept.get('back')).toBeUndefined();
  kept.set('back', 1, 1800);
  scan('second');
  expect(kept.get('back')).toBe(1);
});

test('any order of keeping and finding stays within the bound', () => {
  const memory = new ResourceCache(50_000);
  const kinds = ['letters', 'pictures'].map((name) => memory.of<number>(name));
  const random = randomFrom(1);
  for (let i = 0; i < 20_000; i++) {
    const [kind, key] = [kinds[i % 2], `${Math.floor(random() ** 3 * 300)}`];
    const value = kind?.get(key);
    if (value !== undefined) expect(value).toBe(Number(key));
    else kind?.set(key, Number(key), Math.floor(random() * 8000));
    const total = [...memory.bytesByKind.values()].reduce((sum, bytes) => sum + bytes, 0);
    if (total > 50_000 || total < 0) expect.fail(`${total} bytes`);
  }
});

test('kinds share the bound, and not their keys', () => {
  const memory = new ResourceCache(10_000);
  memory.of<number>('letters').set('a', 1, 300);
  memory.of<number>('pictures').set('a', 2, 5000);
  expect(memory.of<number>('letters').get('a')).toBe(1);
  expect(Object.fromEntries(memory.bytesByKind)).toEqual({ letters: 500, pictures: 5200 });
  memory.resize(600);
  expect(Object.fromEntries(memory.bytesByKind)).toEqual({ letters: 500, pictures: 0 });
});

test('a value set again counts once', () => {
  const memory = new ResourceCache(10_000);
  memory.of('letters').set('a', 1, 300);
  memory.of('letters').set('a', 2, 100);
  expect(memory.bytesByKind.get('letters')).toBe(300);
});

test('what is heavier than the bound is not kept, and pushes nothing out', () => {
  const memory = new ResourceCache(1000);
  memory.of('letters').set('a', 1, 300);
  memory.of('rasters').set('b', 2, 5000);
  expect([memory.of('letters').get('a'), memory.of('rasters').get('b')]).toEqual([1, undefined]);
});
