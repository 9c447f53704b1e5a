// Templates and modifications at random: whatever was kept by earlier renders, the picture is that of drawing it anew.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AnyRenders, anyRenders, deviations, roundings } from './any-template.ts';

/** `SEEDS=1-40` asks for others. */
const seeds = seedsOf(process.env.SEEDS ?? '') ?? [7, 11, 13, 30, 65, 67];
const RUNS = 12;

function seedsOf(range: string): readonly number[] | null {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(range) ?? [];
  return first ? Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => Number(first) + i) : null;
}

async function check(renders: AnyRenders): Promise<void> {
  for await (const { most } of deviations(renders)) expect(most).toBeLessThanOrEqual(roundings(renders));
}

for (const seed of seeds) {
  test(`any template, render after render, by seed ${seed}`, async () => {
    await fc.assert(fc.asyncProperty(anyRenders, check), { numRuns: RUNS, seed });
  });
}
