import { expect, test } from 'vitest';
import { KeptMemory } from '#output/kept-memory.ts';

test('what was not used for longest goes first', () => {
  const memory = new KeptMemory(2500);
  const kept = memory.of<string>('letters');
  kept.set('a', 'A', 1000);
  kept.set('b', 'B', 1000);
  kept.get('a');
  kept.set('c', 'C', 1000);
  expect(['a', 'b', 'c'].map((key) => kept.get(key))).toEqual(['A', undefined, 'C']);
});

test('kinds share the bound, and not their keys', () => {
  const memory = new KeptMemory(10_000);
  memory.of<number>('letters').set('a', 1, 300);
  memory.of<number>('pictures').set('a', 2, 5000);
  expect(memory.of<number>('letters').get('a')).toBe(1);
  expect(Object.fromEntries(memory.bytesByKind)).toEqual({ letters: 500, pictures: 5200 });
  memory.resize(600);
  expect(Object.fromEntries(memory.bytesByKind)).toEqual({ letters: 500, pictures: 0 });
});

test('a value set again counts once', () => {
  const memory = new KeptMemory(10_000);
  memory.of('letters').set('a', 1, 300);
  memory.of('letters').set('a', 2, 100);
  expect(memory.bytesByKind.get('letters')).toBe(300);
});

test('what is heavier than the bound is not kept, and pushes nothing out', () => {
  const memory = new KeptMemory(1000);
  memory.of('letters').set('a', 1, 300);
  memory.of('rasters').set('b', 2, 5000);
  expect([memory.of('letters').get('a'), memory.of('rasters').get('b')]).toEqual([1, undefined]);
});
