// Kills a server that writes (SIGKILL), moves only its database away, and restores a backup there; kills restores too.
//
// What the killed server left beside its database must never become part of the restored one.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { backUp } from '#server/maintenance/backup.ts';
import { openServices } from '#server/services.ts';
import { queryRows } from '#server/storage/database.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { platen } from '../cli/run-platen.ts';
import { commandLine } from '../command.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const KILLS = Number(process.env.KILLS ?? 2);
/** Longest life of a server after its backup, and of a restore, ms. */
const LONGEST_LIFE = 1_000;

/** About 8 kB, so that the write-ahead log is checkpointed in some rounds and not in others. */
const template = (name: string) => ({
  name,
  width: 100,
  height: 100,
  layers: [{ name: 'title', type: 'text', text: 'x'.repeat(8_000), width: 100 }],
});

/** Names of all templates, after an integrity check. */
async function templatesOf(file: string): Promise<string[]> {
  const db = await openDatabase(file);
  await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
  expect(await queryRows(db, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  return (await db('templates').orderBy('id').pluck('id')) as string[];
}

test(`${KILLS} kills: a restore beside what is left is refused, and is exact once that is moved too`, async () => {
  let written = 0;
  for (let kills = 0; kills < KILLS; kills += 1) {
    await using folder = await temporaryFolder();
    await using backup = await temporaryFolder();
    const config = loadConfig({ PLATEN_DATA: folder.path });
    const key = await (async () => {
      await using services = await openServices(config);
      const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
      for (let i = 0; i < 100; i += 1) await services.templates.create(id, template(`before ${i}`));
      return (await services.keys.create(id, 'live')).key;
    })();
    await using server = await startProcess(folder.path);
    const expected = await templatesOf(config.database);
    await backUp(config, backup.path);

    let isOver = false;
    const client = (async () => {
      while (!isOver) {
        const body = JSON.stringify(template(`after ${written}`));
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const answer = await fetch(`${server.url}/v1/templates`, { method: 'POST', headers, body }).catch(() => null);
        if (answer?.ok) written += 1;
      }
    })();
    await sleep(LONGEST_LIFE * Math.random());
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');
    isOver = true;
    await client;

    const away = join(folder.path, 'away');
    await mkdir(away);
    await rename(config.database, join(away, 'platen.sqlite'));
    const refused = await platen(folder.path, ['restore', backup.path]);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(/platen\.sqlite-wal .*there already/)]);
    for (const name of await readdir(folder.path)) {
      if (/\.sqlite-(wal|shm)$/.test(name)) await rename(join(folder.path, name), join(away, name));
    }

    const [program, ...args] = commandLine('restore', backup.path);
    const interrupted = spawn(program, args, {
      env: { PATH: process.env.PATH, PLATEN_DATA: folder.path },
      stdio: 'ignore',
    });
    await Promise.race([once(interrupted, 'exit'), sleep(LONGEST_LIFE * Math.random())]);
    if (interrupted.exitCode === null) {
      interrupted.kill('SIGKILL');
      await once(interrupted, 'exit');
    }
    const again = await platen(folder.path, ['restore', backup.path]);
    if (again.status !== 0) expect(again.stderr).toMatch(/platen\.sqlite is there already/);
    expect(await templatesOf(config.database)).toEqual(expected);
    // The moved database is whole together with its log.
    expect((await templatesOf(join(away, 'platen.sqlite'))).length).toBeGreaterThanOrEqual(expected.length);
  }
  console.info(`${KILLS} kills: ${written} templates saved after the backups, none of them restored`);
  expect(written).toBeGreaterThan(0);
});
