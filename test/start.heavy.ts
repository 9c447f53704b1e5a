// Tests the server as a process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openServices } from '#server/services.ts';
import { loadConfig } from '../src/server/config/config.ts';
import { platen } from './cli/run-platen.ts';
import { ROOT } from './command.ts';
import { freePort, serve } from './listen.ts';
import { postJson } from './post-json.ts';
import { type ServerProcess, startProcess } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('a first start prints a key that works; the next start does not; SIGTERM ends it with status 0', async () => {
  await using folder = await temporaryFolder();
  const [key = ''] = await (async () => {
    await using first = await startProcess(folder.path);
    const keys = /plt_live_\w+/.exec(first.printed) ?? [];
    const account = await fetch(`${first.url}/v1/account`, { headers: { authorization: `Bearer ${keys[0]}` } });
    expect([account.status, await account.json()]).toEqual([200, { plan: 'pro', email: null, display_name: 'Demo' }]);
    first.child.kill('SIGTERM');
    expect(await once(first.child, 'exit')).toEqual([0, null]);
    return keys;
  })();
  await using second = await startProcess(folder.path);
  // Until the studio has an owner, each start prints a set-up link; the key is shown only once.
  expect(second.printed).toMatch(
    /^Platen is listening on (http:\/\/127\.0\.0\.1:\d+)\n\nNobody owns .*\n\n {2}\1\/studio\/setup#pll_\w{43}\n\n$/,
  );
  const account = await fetch(`${second.url}/v1/account`, { headers: { authorization: `Bearer ${key}` } });
  expect(account.status).toBe(200);
});

test('a second server on the data folder is refused, until the first is killed', async () => {
  await using folder = await temporaryFolder();
  await using first = await startProcess(folder.path);
  await expect(startProcess(folder.path)).rejects.toThrow(/^platen: Another Platen server is running on /);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  await using _second = await startProcess(folder.path);
});

test.skipIf(process.platform !== 'linux')('a folder that nobody may write to is told in a sentence', async () => {
  await expect(startProcess('/sys/platen')).rejects.toThrow(
    /^platen: The folder \/sys\/platen cannot be written to\. Let this user write there, or set PLATEN_DATA to another one\.\n$/,
  );
});

test('a file in the place of the data folder is told in a sentence, by doctor too', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'data');
  await writeFile(file, '');
  await expect(startProcess(file)).rejects.toThrow(`platen: ${file}: it is a file, where a folder is needed.\n`);
  const doctor = await platen(file, ['doctor'], { CHROMIUM_PATH: '/nowhere' });
  expect(doctor.status).toBe(1);
  expect(doctor.stdout).toMatch(/^ {2}BROKEN +database: .*ENOTDIR.* Check PLATEN_DATA/m);
});

test('a misspelt variable, and a CHROMIUM_PATH that is not there, are warned of', async () => {
  await using folder = await temporaryFolder();
  const mistakes = { PLATEN_PUBLIC_ULR: 'https://a.example', CHROMIUM_PATH: '/nowhere/chromium' };
  await using server = await startProcess(folder.path, mistakes);
  expect(server.problems).toContain(
    'PLATEN_PUBLIC_ULR is set, but there is no such variable; did you mean PLATEN_PUBLIC_URL?',
  );
  expect(server.problems).toContain('CHROMIUM_PATH names /nowhere/chromium, which is no program that can be run');
});

test('a database that cannot be used is told in a sentence, without its password', async () => {
  await using folder = await temporaryFolder();
  await expect(startProcess(folder.path, { DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/cards' })).rejects.toThrow(
    /^platen: The database "cards" at 127\.0\.0\.1:1 as me, of DATABASE_URL, cannot be used: nothing listens there\. [^\n]*\n$/,
  );
});

test('the launcher serves, and passes a signal on', async () => {
  await using folder = await temporaryFolder();
  await using server = await startProcess(folder.path, {}, [process.execPath, join(ROOT, 'bin/platen.mjs'), 'serve']);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await once(server.child, 'exit')).toEqual([0, null]);
});

test('--port and --host win over PORT and HOST', async () => {
  await using folder = await temporaryFolder();
  const command = [process.execPath, join(ROOT, 'bin/platen.mjs'), 'serve', '--port', '0', '--host', 'localhost'];
  await using server = await startProcess(folder.path, { PORT: '1', HOST: '192.0.2.1' }, command);
  expect(server.url).toMatch(/^http:\/\/localhost:\d{4,5}$/);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const wrong = [process.execPath, join(ROOT, 'bin/platen.mjs'), 'serve', '--port', '65536'];
  await expect(startProcess(folder.path, {}, wrong)).rejects.toThrow('It must be a whole number from 0 to 65535.');
});

test('npm start: a signal to npm alone reaches the server, and both end with status 0', async () => {
  await using folder = await temporaryFolder();
  await using server = await startProcess(folder.path, {}, ['npm', 'start', '--prefix', ROOT]);
  expect(server.pid).not.toBe(server.child.pid);
  process.kill(server.child.pid ?? 0, 'SIGTERM');
  expect(await once(server.child, 'exit')).toEqual([0, null]);
  expect(() => process.kill(server.pid, 0)).toThrow('ESRCH');
});

test('npm run dev serves the API and the studio at one address, and ends with its server', async () => {
  await using folder = await temporaryFolder();
  const [port, studioPort] = [await freePort(), await freePort()];
  const env = { ...process.env, PLATEN_DATA: folder.path, PORT: String(port), STUDIO_PORT: String(studioPort) };
  const dev = spawn(process.execPath, ['scripts/dev.ts'], { cwd: ROOT, env, stdio: 'ignore' });
  const exit = once(dev, 'exit');
  const ask = (path: string, at = studioPort) =>
    fetch(`http://localhost:${at}${path}`).then(
      ({ status }) => status,
      () => null,
    );
  try {
    await expect.poll(() => ask('/readyz'), { timeout: 60_000, interval: 100 }).toBe(200);
    expect(await ask('/studio/')).toBe(200);
  } finally {
    dev.kill();
    await exit;
  }
  await expect.poll(() => ask('/readyz', port), { timeout: 30_000 }).toBeNull();
});

test('told to stop, a server takes requests for PLATEN_DRAIN_DELAY, says 503 at /readyz, and closes connections', async () => {
  await using folder = await temporaryFolder();
  await using server = await startProcess(folder.path, { PLATEN_DRAIN_DELAY: '2' });
  const ask = async (path: string) => {
    const { status, headers } = await fetch(`${server.url}${path}`);
    return [status, headers.get('connection')];
  };
  expect(await ask('/readyz')).toEqual([200, 'keep-alive']);
  const told = performance.now();
  server.child.kill('SIGTERM');
  const exit = once(server.child, 'exit');
  await expect.poll(() => ask('/readyz'), { interval: 20 }).toEqual([503, 'close']);
  expect(await ask('/healthz')).toEqual([200, 'close']);
  expect(await exit).toEqual([0, null]);
  expect(performance.now() - told).toBeGreaterThan(2_000);
});

/** The status of an answer, or the code of the error. */
const statusOf = (url: string): Promise<number | string> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    (error: Error & { cause?: { code?: string } }) => error.cause?.code ?? String(error),
  );

/**
 * Sends signals to the process group while clients ask, and returns what they got and how the server ended. Like those
 * of a load balancer, the clients stop after `/readyz` has answered 503 or nothing.
 */
async function stopUnderLoad(command: string[], signals: readonly (readonly [NodeJS.Signals, number])[]) {
  await using folder = await temporaryFolder();
  await using server = await startProcess(folder.path, { PLATEN_DRAIN_DELAY: '2' }, command, true);
  let ready: number | string = 200;
  const watch = async () => {
    while (ready === 200) ready = await statusOf(`${server.url}/readyz`);
  };
  const answers = new Set<number | string>();
  const ask = async (path: string) => {
    while (ready === 200) answers.add(await statusOf(server.url + path));
  };
  const over = Promise.all([watch(), ask('/v1/openapi.json'), ask('/v1/openapi.json'), ask('/healthz')]);
  const exit = once(server.child, 'exit');
  for (const [signal, pause] of signals) {
    process.kill(-(server.child.pid ?? 0), signal);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  await over;
  return { answers: [...answers], ready, exit: await exit };
}

const STOPPED = { answers: [200], ready: 503, exit: [0, null] };
const LAUNCHER = [process.execPath, join(ROOT, 'bin/platen.mjs'), 'serve'];
const NPM_START = ['npm', 'start', '--prefix', ROOT];

for (const [signals, command] of [
  [[['SIGTERM', 0]], NPM_START],
  [
    [
      ['SIGTERM', 3],
      ['SIGTERM', 0],
    ],
    LAUNCHER,
  ],
  [
    [
      ['SIGINT', 100],
      ['SIGTERM', 0],
    ],
    LAUNCHER,
  ],
  [[['SIGHUP', 0]], LAUNCHER],
] as const) {
  const names = signals.map(([signal]) => signal).join(' and then ');
  test(`${names} to the group of ${command[0] === 'npm' ? 'npm start' : 'platen serve'} under load: all is answered`, async () => {
    expect(await stopUnderLoad([...command], signals)).toEqual(STOPPED);
  });
}

/** A picture that is served only when the test says so. */
async function slowPicture() {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const server = await serve(async (_request, response) => {
    asked.resolve();
    await answer.promise;
    response.end('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>');
  });
  return {
    url: `${server.url}/slow.svg`,
    asked: asked.promise,
    answer: answer.resolve,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Starts a server with a job that waits for the picture. */
async function startWithJob(data: string, src: string) {
  const config = loadConfig({ PLATEN_DATA: data });
  await using services = await openServices(config);
  const { id: account } = await services.accounts.create({ email: null, displayName: null, plan: 'free' });
  const { key } = await services.keys.create(account, 'live');
  const layers = [{ name: 'photo', type: 'image', src, width: 4, height: 4 }];
  const template = (await services.templates.create(account, { name: 'Photo', width: 4, height: 4, layers })).id;
  const server = await startProcess(data, { PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' });
  const answer = await postJson(`${server.url}/v1/renders`, key, { template, async: true });
  expect(answer.status).toBe(202);
  const { id } = await answer.json();
  const poll = async ({ url }: ServerProcess) =>
    (await fetch(`${url}/v1/renders/${id}`, { headers: { authorization: `Bearer ${key}` } })).json();
  return { server, poll };
}

test('SIGTERM waits for the job that runs; the next server has its result', async () => {
  await using folder = await temporaryFolder();
  await using picture = await slowPicture();
  const { server, poll } = await startWithJob(folder.path, picture.url);
  await using first = server;
  await picture.asked;
  first.child.kill('SIGTERM');
  const exit = once(first.child, 'exit');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(first.child.exitCode).toBeNull();
  picture.answer();
  expect(await exit).toEqual([0, null]);
  await using second = await startProcess(folder.path);
  expect(await poll(second)).toMatchObject({ status: 'done' });
});

test('a second signal does not wait, and the job starts again with the next server', async () => {
  await using folder = await temporaryFolder();
  await using picture = await slowPicture();
  const { server, poll } = await startWithJob(folder.path, picture.url);
  await using first = server;
  await picture.asked;
  first.child.kill('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 400));
  first.child.kill('SIGTERM');
  expect(await once(first.child, 'exit')).toEqual([1, null]);
  await using second = await startProcess(folder.path, { PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' });
  expect(await poll(second)).toMatchObject({ status: expect.stringMatching(/^(queued|processing)$/) });
  picture.answer();
  await expect.poll(async () => (await poll(second)).status, { timeout: 30_000 }).toBe('done');
});
