// Tests that painting a display list needs no native module except to decode photos, so that it runs wherever
// WebAssembly does.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type PaintedSamples, paintSamples } from './paint-samples.ts';

test('the samples are painted without sharp and resvg, and the same in every process', async () => {
  const script = join(import.meta.dirname, 'paint-samples.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  const { natives, pixels } = JSON.parse(stdout) as PaintedSamples;
  expect(natives).toEqual([]);
  expect(pixels).toEqual((await paintSamples()).pixels);
});
