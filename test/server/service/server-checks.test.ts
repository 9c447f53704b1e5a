// Tests that checks of the server run once for all who ask, and reveal its paths to its operator only.

import { expect, test } from 'vitest';
import { type ServerCheck, ServerChecks } from '../../../src/server/service/server-checks.ts';

const FOUND: ServerCheck[] = [
  { name: 'database', state: 'ok', message: '/srv/platen/platen.sqlite.' },
  { name: 'chromium', state: 'broken', message: '/opt/chromium: no sandbox' },
];

test('a hundred who ask at once cause one run, and so do those of the next minute', async () => {
  let runs = 0;
  let now = 0;
  const examine = async () => {
    runs += 1;
    await Promise.resolve();
    return FOUND;
  };
  const checks = new ServerChecks(examine, () => new Date(now));
  await Promise.all(Array.from({ length: 100 }, () => checks.read(true)));
  now = 59_999;
  expect([await checks.read(true), runs]).toEqual([FOUND, 1]);
  now = 60_000;
  await Promise.all([checks.read(true), checks.read(false)]);
  expect(runs).toBe(2);
});

test('only the operator reads what was found; others read whether it works', async () => {
  const checks = new ServerChecks(
    async () => FOUND,
    () => new Date(0),
  );
  const shown = await checks.read(false);
  expect(shown.map(({ name, state }) => [name, state])).toEqual([
    ['database', 'ok'],
    ['chromium', 'broken'],
  ]);
  expect(JSON.stringify(shown)).not.toMatch(/srv|opt|sandbox/);
});

test('checks that could not be made are made again', async () => {
  const results = [Promise.reject(new Error('no')), Promise.resolve(FOUND)];
  const checks = new ServerChecks(
    async () => (await results.shift()) ?? [],
    () => new Date(0),
  );
  await expect(checks.read(true)).rejects.toThrow('no');
  expect(await checks.read(true)).toEqual(FOUND);
});
