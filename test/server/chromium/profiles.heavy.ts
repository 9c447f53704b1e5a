import { spawnSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeProfile, sweepProfiles } from '#server/chromium/profiles.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** The id of a process that has ended. */
const dead = spawnSync(process.execPath, ['-e', '']).pid;
const host = hostname().replaceAll(/[^A-Za-z0-9]/g, '');

test('the profiles of a process that was killed go, with all that is in them, and nothing else does', async () => {
  await using folder = await temporaryFolder();
  const own = basename(await makeProfile(null, folder.path));
  const abandoned = `platen-chromium-${host}-${dead}-abc123`;
  const others = [
    `platen-chromium-${host}-${process.ppid}-abc123`,
    `platen-chromium-elsewhere-${dead}-abc123`,
    `platen-chromium-${host}-x-abc123`,
    `chromium-${dead}-abc123`,
  ];
  for (const name of [abandoned, ...others]) {
    await mkdir(join(folder.path, name, 'Default'), { recursive: true });
    await writeFile(join(folder.path, name, 'Default', 'Cookies'), 'x');
  }
  await sweepProfiles(folder.path);
  expect((await readdir(folder.path)).sort()).toEqual([own, ...others].sort());
});

test('a folder that is not there', () => expect(sweepProfiles('/nowhere/at/all')).resolves.toBeUndefined());
