// Tests what makes the benchmark fair: every render has new strings, all renderers get the same ones, and the order is
// shuffled.

import { expect, test } from 'vitest';
import { walkLayers } from '#core/template/template.ts';
import { cssTree } from '../../bench/css-tree.ts';
import { median, randomFrom, shuffled } from '../../bench/statistics.ts';
import { WORKLOADS } from '../../bench/workloads.ts';

for (const { name, template, strings } of WORKLOADS) {
  test(`${name}: no two renders have the same strings, and each string has its layer`, () => {
    const renders = Array.from({ length: 500 }, (_, i) => JSON.stringify(strings(i)));
    expect(new Set(renders).size).toBe(renders.length);
    const texts = [...walkLayers(template.layers)].flatMap(({ layer }) => (layer.type === 'text' ? [layer.name] : []));
    expect(texts).toEqual(expect.arrayContaining(Object.keys(strings(0))));
  });

  test(`${name}: the peers are told every text, and all that the template says`, () => {
    const told = JSON.stringify(cssTree(template, strings(7)));
    for (const text of Object.values(strings(7))) expect(told).toContain(JSON.stringify(text));
  });
}

test('the workloads are those of the targets', () =>
  expect(WORKLOADS.map(({ name, template: { width, height } }) => `${name} ${width}×${height}`)).toEqual([
    'photo-card 1200×630',
    'simple-card 1200×630',
    'dense-card 1080×1350',
  ]));

test('the median of an even number is the mean of the middle two', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([9, 1, 5, 2])).toBe(3.5);
});

test('a seed decides the order, and every order has all', () => {
  const orders = (seed: number) => {
    const random = randomFrom(seed);
    return Array.from({ length: 20 }, () => shuffled(['a', 'b', 'c', 'd'], random).join(''));
  };
  expect(orders(1)).toEqual(orders(1));
  expect(orders(2)).not.toEqual(orders(1));
  expect(new Set(orders(1).map((order) => [...order].sort().join('')))).toEqual(new Set(['abcd']));
  expect(new Set(orders(1)).size).toBeGreaterThan(8);
});
