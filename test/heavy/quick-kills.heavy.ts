// Kills the server (SIGKILL) again and again soon after each start, and tests that a job that draws in milliseconds is
// done in the end and not blamed for the kills.
//
// There is one job at a time, so that it is the only one running at each kill that hits it.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openServices } from '#server/services.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { postJson } from '../post-json.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const KILLS = Number(process.env.KILLS ?? 8);
/** How long a server runs before it is killed, at most, ms: the kill comes before it can draw, or soon after. */
const LONGEST_LIFE = 2_000;
/** How long after a finished job the server is killed, at most, ms. */
const SHORTEST_LIFE = 100;

const CARD = {
  name: 'Card',
  width: 1200,
  height: 630,
  background: '#0b1020',
  layers: [{ name: 'title', type: 'text', text: '', fontSize: 96, color: '#fff', x: 80, y: 80, width: 1040 }],
};

test(`${KILLS} quick kills: no job ends in error`, async () => {
  await using folder = await temporaryFolder();
  const config = loadConfig({ PLATEN_DATA: folder.path });
  const { key, template } = await (async () => {
    await using services = await openServices(config);
    const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
    return {
      key: (await services.keys.create(id, 'live')).key,
      template: (await services.templates.create(id, CARD)).id,
    };
  })();
  const db = await openDatabase(config.database);
  await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
  const open = (): Promise<string[]> => db('renders').whereIn('status', ['queued', 'processing']).pluck('id');

  const done = async () => (await db('renders').where({ status: 'done' }).pluck('id')).length;

  let url = '';
  let isOver = false;
  const client = (async () => {
    for (let title = 0; !isOver; title += 1) {
      await postJson(`${url}/v1/renders`, key, {
        template,
        modifications: { title: String(title) },
        async: true,
      }).catch(() => sleep(50));
      while (!isOver && (await open()).length > 0) await sleep(20);
    }
  })();
  for (let kills = 0; kills < KILLS; kills += 1) {
    await using server = await startProcess(folder.path);
    url = server.url;
    // Every third server finishes a job first, however slow the machine is, and is killed during the next ones.
    const before = await done();
    if (kills % 3 === 2) await expect.poll(done, { timeout: 30_000, interval: 5 }).toBeGreaterThan(before);
    const longest = kills % 3 === 2 ? SHORTEST_LIFE : LONGEST_LIFE;
    await sleep(longest * Math.random());
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');
  }
  isOver = true;
  await client;
  await using _server = await startProcess(folder.path);
  await expect.poll(open, { timeout: 60_000, interval: 100 }).toEqual([]);
  const rows: { status: string; attempt: number; error: string | null }[] = await db('renders');
  const failed = rows.filter(({ status }) => status === 'error');
  const attempts = Math.max(...rows.map(({ attempt }) => attempt));
  console.info(`${KILLS} kills: ${rows.length} jobs, ${failed.length} in error, at most ${attempts} attempts`);
  expect(failed).toEqual([]);
  expect(rows.length).toBeGreaterThan(1);
});
