// Tests the workload families: a seed decides the drawings, another seed gives others, and the other renderers can
// express all of each drawing.

import { expect, test } from 'vitest';
import { applyModifications } from '#core/resolve/apply-modifications.ts';
import { RARER_LAYERS } from '#core/resolve/resolve.ts';
import { cssTree } from '../../bench/css-tree.ts';
import { FAMILY_NAMES, openFamily } from '../../bench/families/family-list.ts';

const DRAWS = 40;
const drawn = (name: string, seed: number) => {
  const family = openFamily(name, seed);
  return Array.from({ length: DRAWS }, (_, i) => family.draw(i));
};

for (const name of FAMILY_NAMES) {
  test(`${name}: decided by the seed, new in every drawing, and the peers are told all of it`, () => {
    const drawings = drawn(name, 3);
    expect(drawn(name, 3)).toEqual(drawings);
    if (name !== 'cards') expect(drawn(name, 4)[0]).not.toEqual(drawings[0]);
    expect(new Set(drawings.map(({ modifications }) => JSON.stringify(modifications))).size).toBe(DRAWS);
    for (const { template, modifications } of drawings) {
      const applied = applyModifications(template, modifications, RARER_LAYERS);
      expect(applied.diagnostics).toEqual([]);
      expect(() => cssTree(applied.template)).not.toThrow();
    }
  });
}

test('sixty templates in rotation come up once in sixty drawings, in another order the next time', () => {
  const family = openFamily('rotation', 1);
  const turn = (from: number) => Array.from({ length: 60 }, (_, i) => family.draw(from + i).template);
  const [first, second] = [turn(0), turn(60)];
  expect(new Set(first).size).toBe(60);
  expect(new Set([...first, ...second]).size).toBe(60);
  expect(second).not.toEqual(first);
});

test('of a thousand templates, a hundred get nine tenths of the drawings', () => {
  const family = openFamily('zipf', 1);
  const times = new Map<string, number>();
  for (let i = 0; i < 2000; i++) {
    const { name } = family.draw(i).template;
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  const counts = [...times.values()].sort((a, b) => b - a);
  expect(counts.slice(0, 100).reduce((sum, count) => sum + count, 0) / 2000).toBeCloseTo(0.9, 1);
  expect(times.size).toBeGreaterThan(200);
});
