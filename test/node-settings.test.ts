// Tests the flags and settings with which the launcher runs Node.

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { withSettings } from '../bin/node-settings.mjs';

test('what the environment says already goes before', () => {
  const given = { PATH: '/bin', NODE_COMPILE_CACHE: '/elsewhere' };
  expect(withSettings(given)).toMatchObject(given);
  expect(withSettings({}).MALLOC_ARENA_MAX).toMatch(/^\d+$/);
});

test('what was compiled is kept among the installed packages', () => {
  expect(existsSync(dirname(dirname(withSettings({}).NODE_COMPILE_CACHE ?? '')))).toBe(true);
});
