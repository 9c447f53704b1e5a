// Random templates for minutes: drawn from kept rasters each looks as it does in one piece, whatever was kept by those
// before it.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyRenders, deviations, roundings } from '../output/raster/retained/any-template.ts';

const SEEDS = Array.from({ length: 40 }, (_, i) => 1001 + i);
const RUNS = 40;
/** A slow machine sees fewer of them. */
const MOST_MILLISECONDS = 180_000;

test('1,600 templates, render after render', async () => {
  const begun = performance.now();
  const property = fc.asyncProperty(anyRenders, async (renders) => {
    for await (const { most } of deviations(renders)) expect(most).toBeLessThanOrEqual(roundings(renders));
  });
  for (const seed of SEEDS) {
    const left = MOST_MILLISECONDS - (performance.now() - begun);
    if (left < 1_000) break;
    await fc.assert(property, { numRuns: RUNS, seed, interruptAfterTimeLimit: left });
  }
});
