// Tests that a browser profile that a killed server leaves in the temporary folder is removed by the next server.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepProfiles } from '#server/chromium/profiles.ts';
import { hasChromium } from '../server/chromium/chromium.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const CHROMIUM = join(import.meta.dirname, '../server/chromium/chromium.ts');
const KEEPS_A_BROWSER = `const { openBrowsers } = await import(${JSON.stringify(CHROMIUM)});
  await openBrowsers().run(60_000, async () => { console.log('ready'); await new Promise(() => {}); });`;

test.skipIf(!hasChromium)('a profile that SIGKILL left behind', async () => {
  await using folder = await temporaryFolder();
  const args = ['--input-type=module', '-e', KEEPS_A_BROWSER];
  const env = { ...process.env, TMPDIR: folder.path };
  const server = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout, 'data');
  const profiles = async () => (await readdir(folder.path)).filter((name) => name.startsWith('platen-chromium-'));

  await sweepProfiles(folder.path);
  expect(await profiles(), 'while it lives').toHaveLength(1);
  server.kill('SIGKILL');
  await once(server, 'exit');
  expect(await profiles(), 'when it is killed').toHaveLength(1);
  // The browser ends when its pipes are closed, and may still write to the profile meanwhile.
  await expect
    .poll(
      async () => {
        await sweepProfiles(folder.path);
        return profiles();
      },
      { timeout: 5_000 },
    )
    .toEqual([]);
});
