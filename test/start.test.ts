// The server as a process: `node src/main.ts`.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const ROOT = join(import.meta.dirname, '..');

interface Started extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly url: string;
  readonly printed: string;
}

/** Starts it and waits until it has said all that it says at a start. */
async function start(data: string, command = [process.execPath, join(ROOT, 'src/main.ts')]): Promise<Started> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, PLATEN_DATA: data, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let problems = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  child.stderr.on('data', (chunk) => {
    problems += chunk;
  });
  while (!problems.includes('"listening"')) {
    await Promise.race([once(child.stderr, 'data'), once(child, 'exit')]);
    if (child.exitCode !== null) throw new Error(problems);
  }
  return {
    child,
    url: /listening on (\S+)/.exec(printed)?.[1] ?? '',
    printed,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test('a first start prints a key that works; the next start does not; SIGTERM ends it with status 0', async () => {
  await using folder = await temporaryFolder();
  const [key = ''] = await (async () => {
    await using first = await start(folder.path);
    const keys = /plt_live_\w+/.exec(first.printed) ?? [];
    const account = await fetch(`${first.url}/v1/account`, { headers: { authorization: `Bearer ${keys[0]}` } });
    expect([account.status, await account.json()]).toEqual([200, { plan: 'pro', email: null, display_name: 'Demo' }]);
    first.child.kill('SIGTERM');
    expect(await once(first.child, 'exit')).toEqual([0, null]);
    return keys;
  })();
  await using second = await start(folder.path);
  expect(second.printed).toMatch(/^Platen is listening on http:\/\/127\.0\.0\.1:\d+\n\n$/);
  const account = await fetch(`${second.url}/v1/account`, { headers: { authorization: `Bearer ${key}` } });
  expect(account.status).toBe(200);
});

test('a second server on the data folder is refused, until the first is killed', async () => {
  await using folder = await temporaryFolder();
  await using first = await start(folder.path);
  await expect(start(folder.path)).rejects.toThrow(/^platen: Another Platen server is running on /);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  await using _second = await start(folder.path);
});

test('the launcher serves, and passes a signal on', async () => {
  await using folder = await temporaryFolder();
  await using server = await start(folder.path, [process.execPath, join(ROOT, 'bin/platen.mjs'), 'serve']);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await once(server.child, 'exit')).toEqual([0, null]);
});
