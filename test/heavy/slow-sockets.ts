// A server whose account has a large file, clients of it that are slow, and a request beside them.
//
// The server, the slow clients and the test are separate processes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { expect } from 'vitest';
import { openServices } from '#server/services.ts';
import { newId } from '../../src/base/ids.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** How many slow clients there are. */
export const SOCKETS = Number(process.env.SOCKETS ?? 200);
/** More than the socket buffers of both ends take, bytes. */
const LARGE = 32 * 2 ** 20;

/** Starts a server on a folder of its own; `asset` is the path of the account's large file. */
export async function serverWithAccount() {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(await temporaryFolder());
  const config = loadConfig({ PLATEN_DATA: folder.path });
  const asset = newId('rnd');
  const key = await (async () => {
    await using services = await openServices(config);
    const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'free' });
    const made = { id: asset, accountId: id, kind: 'render', output: 'png', createdAt: new Date() } as const;
    const done = { ...made, status: 'done', size: LARGE, digest: null, warnings: [], finishedAt: new Date() } as const;
    await services.storage.renders.insert(done, null);
    return (await services.keys.create(id, 'live')).key;
  })();
  const server = parts.use(await startProcess(folder.path, { LOG_LEVEL: 'info' }));
  const file = `${asset}.png`;
  await writeFile(join(folder.path, 'assets', file), Buffer.alloc(LARGE));
  const owned = parts.move();
  const port = new URL(server.url).port;
  return { port, key, asset: `/assets/${file}`, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Starts slow clients of one kind; `lives` waits until all are closed and returns how long each was open, ms. */
export async function slowClients(port: string, count: number, how: string, key: string, path = '') {
  const program = join(import.meta.dirname, 'slow-clients.ts');
  const child = spawn(process.execPath, [program, port, String(count), how, path], {
    env: { PATH: process.env.PATH, KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('open');
  return {
    lives: async (): Promise<number[]> => JSON.parse((await lines.next()).value ?? '[]'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Returns how long a request takes on its own connection, ms. */
export function ask(port: string, key: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    request({ port, path: '/v1/account', agent: false, headers }, (answer) => {
      expect(answer.statusCode).toBe(200);
      answer.resume().on('end', () => resolve(performance.now() - start));
    })
      .on('error', reject)
      .end();
  });
}
