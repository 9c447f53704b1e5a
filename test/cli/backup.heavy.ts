// Tests `platen backup` beside a running server, and `platen restore` into an empty folder.

import { appendFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp, checkBackup, restore } from '#server/maintenance/backup.ts';
import { openServices } from '#server/services.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { fillDataFolder } from '../nodes/data-folder-to-move.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { platen } from './run-platen.ts';

test('a backup that is made beside a running server is restored, and all goes on', { timeout: 240_000 }, async () => {
  await using old = await temporaryFolder();
  await using backup = await temporaryFolder();
  await using restored = await temporaryFolder();
  const before = await fillDataFolder(old.path, 20);
  const run = async (data: string, args: readonly string[], env = {}) => {
    const { status, stdout, stderr } = await platen(data, args, env);
    return { status, stdout, said: stderr.trim() };
  };
  expect((await run(restored.path, ['restore', backup.path])).said).toMatch(/holds no finished backup/);
  await using server = await startProcess(old.path);
  const headers = { authorization: `Bearer ${before.key}`, 'content-type': 'application/json' };
  const make = async () => {
    const body = JSON.stringify({ template: before.template });
    const response = await fetch(`${server.url}/v1/renders`, { method: 'POST', headers, body });
    return ((await response.json()) as { id: string }).id;
  };

  const first = JSON.parse((await run(old.path, ['backup', backup.path, '--json'])).stdout);
  // 20 renders, one more, an image, a variant, and the resumed jobs. The demo's samples store no files.
  expect(first).toMatchObject({ copied: first.manifest.files.count, damaged: [] });
  expect(first.manifest.files.count).toBeGreaterThanOrEqual(23);
  const late = await make();
  const second = JSON.parse((await run(old.path, ['backup', backup.path, '--json'])).stdout);
  expect(second.manifest.files.count).toBeGreaterThan(first.manifest.files.count);
  expect(second.copied).toBe(second.manifest.files.count - first.manifest.files.count);
  expect((await readdir(backup.path)).sort()).toEqual(
    ['backup.lock', 'files', 'manifest.json', second.manifest.files.name, second.manifest.database.name].sort(),
  );
  const notKept = await make();

  expect(await run(restored.path, ['backup', backup.path, '--check'])).toMatchObject({ status: 0 });
  expect((await run(old.path, ['restore', backup.path])).said).toMatch(/Another Platen server is running/);
  expect((await run(restored.path, ['restore', backup.path])).status).toBe(0);
  expect((await run(restored.path, ['restore', backup.path])).said).toMatch(/is there already/);
  await server[Symbol.asyncDispose]();

  await using again = await startProcess(restored.path);
  const ask = (path: string) => fetch(`${again.url}${path}`, { headers });
  expect([(await ask(`/v1/renders/${late}`)).status, (await ask(`/v1/renders/${notKept}`)).status]).toEqual([200, 404]);
  for (const { path, bytes } of [before.signed, before.asset]) {
    expect(Buffer.from(await (await ask(path)).arrayBuffer()).equals(bytes)).toBe(true);
  }
  const checked = await run(restored.path, ['doctor', '--check']);
  expect(checked.stdout).toMatch(/stored files: \d+ are as they were stored/);

  // Damage is found, in a file and in the database.
  const assets = join(backup.path, 'files/assets');
  const [asset = ''] = await readdir(assets);
  await appendFile(join(assets, asset), 'x');
  expect((await run(restored.path, ['backup', backup.path, '--check'])).said).toMatch(`assets/${asset} is missing or`);
  await rm(join(assets, asset));
  expect((await run(restored.path, ['backup', backup.path, '--check'])).said).toMatch(`assets/${asset} is missing or`);
  await writeFile(join(backup.path, second.manifest.database.name), 'x');
  expect((await run(`${restored.path}/new`, ['restore', backup.path])).said).toMatch(
    /sqlite is missing or was changed/,
  );
});

test('on PostgreSQL backups are left to its own tools', async () => {
  await using folder = await temporaryFolder();
  const env = { DATABASE_URL: 'postgres://host/name' };
  const { status, stderr } = await platen(folder.path, ['backup', join(folder.path, 'backup')], env);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^platen: The rows are in PostgreSQL .* pg_dump/)]);
});

/** A data folder with one account, closed. */
async function smallFolder() {
  const folder = await temporaryFolder();
  const config = loadConfig({ PLATEN_DATA: folder.path });
  await using services = await openServices(config);
  await services.accounts.create({ email: null, displayName: null, plan: 'free' });
  return { path: folder.path, config, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('two backups into one folder at once: the second waits, and both are right', async () => {
  await using data = await smallFolder();
  await using backup = await temporaryFolder();
  const made = await Promise.all([backUp(data.config, backup.path), backUp(data.config, backup.path)]);
  const [first, second] = made.map(({ manifest }) => manifest.madeAt).sort();
  expect(first).not.toBe(second);
  expect((await checkBackup(backup.path)).madeAt).toBe(second);
  expect((await readdir(backup.path)).length).toBe(5);
});

for (const found of [['-wal'], ['-wal', '-shm'], ['-journal']]) {
  test(`a restore beside ${found.join(' and ')} of a moved database is refused, and nothing is written`, async () => {
    await using data = await smallFolder();
    await using backup = await temporaryFolder();
    await backUp(data.config, backup.path);
    await using target = await temporaryFolder();
    const config = loadConfig({ PLATEN_DATA: target.path });
    for (const suffix of found) await writeFile(config.database + suffix, 'x');
    const named = found.map((suffix) => `${config.database}${suffix}`).join(' and ');
    await expect(restore(config, backup.path)).rejects.toThrow(
      `${named} ${found.length > 1 ? 'are' : 'is'} there already`,
    );
    expect((await readdir(target.path)).filter((name) => name.endsWith('.sqlite') || name === 'assets')).toEqual([]);
    for (const suffix of found) await rm(config.database + suffix);
    await restore(config, backup.path);
    await using services = await openServices(config);
    expect((await services.accounts.list()).length).toBe(1);
  });
}
