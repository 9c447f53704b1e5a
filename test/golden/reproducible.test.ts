// Tests that the same template gives the same bytes in another process and at another time.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { renderDigests } from './render-digests.ts';

test('two processes write the same PNG and PDF of a fixture', { timeout: 180_000 }, async () => {
  const script = join(import.meta.dirname, 'render-digests.ts');
  // The other process has another time zone and locale, neither of which may have an effect.
  const env = { ...process.env, TZ: 'Pacific/Auckland', LC_ALL: 'tr_TR.UTF-8' };
  const other = promisify(execFile)(process.execPath, [script], { env, maxBuffer: 1 << 24 });
  const [ours, theirs] = await Promise.all([renderDigests(), other]);
  expect(JSON.parse(theirs.stdout)).toEqual(ours);
});
