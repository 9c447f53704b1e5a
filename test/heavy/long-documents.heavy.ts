// Tests that a document's memory does not grow with its rows: long tables, each in a process of its own. Linux only.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FLAGS, withSettings } from '../../bin/node-settings.mjs';

interface Drawn {
  readonly bytes: number;
  readonly pages: number;
  /** MB. */
  readonly peak: number;
}

function drawn(rows: number, ...more: readonly string[]): Drawn {
  const script = join(import.meta.dirname, 'draw-long-document.ts');
  const options = { env: withSettings(process.env), encoding: 'utf8' } as const;
  // With room for little more than what lives, the peak tells what is kept, and not what the collector has left for later.
  return JSON.parse(
    execFileSync(process.execPath, [...FLAGS, '--max-old-space-size=64', script, String(rows), ...more], options),
  );
}

test('a table of 20,000 rows takes at most a fifth more memory than one of 5,000', { timeout: 240_000 }, () => {
  const [few, many] = [drawn(5_000), drawn(20_000)];
  console.log(few, many);
  expect(many.pages / few.pages).toBeCloseTo(4, 0);
  expect(many.peak / few.peak).toBeLessThan(1.2);
  expect(many.bytes / many.pages).toBeLessThan(7_000);
});

test('nor do 10,000 rows with a barcode each, of 2,500', { timeout: 240_000 }, () => {
  const [few, many] = [drawn(2_500, 'codes'), drawn(10_000, 'codes')];
  console.log(few, many);
  expect(many.pages / few.pages).toBeCloseTo(4, 0);
  expect(many.peak / few.peak).toBeLessThan(1.2);
});
