// Tests SIGTERM during a job that takes longer than the server waits: the job is requeued, and the exit is in time.

import { once } from 'node:events';
import { expect, test } from 'vitest';
import { openServices } from '#server/services.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { serve } from '../listen.ts';
import { postJson } from '../post-json.ts';
import { hasChromium } from '../server/chromium/chromium.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test.skipIf(!hasChromium)(
  'a page that takes 45 s is handed back after 25 s, uncounted; exit 0 within 28 s',
  async () => {
    await using folder = await temporaryFolder();
    const asked = Promise.withResolvers<void>();
    await using page = await serve(() => asked.resolve());
    const config = loadConfig({ PLATEN_DATA: folder.path });
    const key = await (async () => {
      await using services = await openServices(config);
      const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'free' });
      return (await services.keys.create(id, 'live')).key;
    })();
    await using server = await startProcess(folder.path, { PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' });
    const answer = await postJson(`${server.url}/v1/screenshots`, key, {
      url: `${page.url}/`,
      timeout: 45_000,
      async: true,
    });
    expect(answer.status).toBe(202);
    await asked.promise;

    const start = performance.now();
    server.child.kill('SIGTERM');
    expect(await once(server.child, 'exit')).toEqual([0, null]);
    const seconds = (performance.now() - start) / 1000;
    console.info(`exit after ${seconds.toFixed(1)} s`);
    expect(seconds).toBeGreaterThan(24);
    expect(seconds).toBeLessThan(28);
    const db = await openDatabase(config.database);
    await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
    expect(await db('renders').select('status', 'attempt', 'worker')).toEqual([
      { status: 'queued', attempt: 0, worker: null },
    ]);
    expect(await db('usage').select('used', 'reserved')).toEqual([{ used: 0, reserved: 1 }]);
  },
);
