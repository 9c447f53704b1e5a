// Tests the flags and settings with which the launcher runs Node.

import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { withSettings } from '../bin/node-settings.mjs';
import { temporaryFolder } from './temporary-folder.ts';

test('what the environment says already goes before', () => {
  const given = { PATH: '/bin', NODE_COMPILE_CACHE: '/elsewhere' };
  expect(withSettings(given)).toMatchObject(given);
  expect(withSettings({}).MALLOC_ARENA_MAX).toMatch(/^\d+$/);
});

test('what was compiled is kept among the installed packages', () => {
  expect(existsSync(dirname(dirname(withSettings({}).NODE_COMPILE_CACHE ?? '')))).toBe(true);
});

test('without a Node that is new enough it says where to get one, and promises none to an installed package', async () => {
  await using folder = await temporaryFolder();
  cpSync('bin', join(folder.path, 'bin'), { recursive: true });
  const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.0.0'}})`;
  const said = () =>
    promisify(execFile)(process.execPath, ['--import', older, join(folder.path, 'bin/platen.mjs')]).catch(
      ({ code, stderr }: { code: number; stderr: string }) => [code, stderr],
    );
  expect(await said()).toEqual([
    1,
    'platen: needs Node 22.12 or newer, this is 20.0.0. Install it from https://nodejs.org.\n',
  ]);
  mkdirSync(join(folder.path, 'src'));
  expect(await said()).toEqual([1, expect.stringMatching(/needs Node 24\.0 .* "npm install" in .* brings one along/)]);
});
