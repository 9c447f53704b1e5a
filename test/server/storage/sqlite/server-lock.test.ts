import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFile } from '#server/storage/sqlite/server-lock.ts';
import { openStorage } from '#server/storage/storage.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

test('a second server on one file is refused, another file is free', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'db.sqlite');
  await using _held = await lockFile(file);
  await expect(lockFile(file)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(file) });
  await using _other = await lockFile(join(folder.path, 'other.sqlite'));
});

test('the lock is free again when its holder lets go', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'db.sqlite');
  await (await lockFile(file))[Symbol.asyncDispose]();
  await using _again = await lockFile(file);
});

test('the database itself stays open to others', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'db.sqlite');
  await using _held = await lockFile(file);
  await using storage = await openStorage(file);
  expect(await storage.accounts.isEmpty()).toBe(true);
});

test('a lock whose holder was killed is taken over', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'db.sqlite');
  const script = `
    const { lockFile } = await import(${JSON.stringify(join(import.meta.dirname, '../../../../src/server/storage/sqlite/server-lock.ts'))});
    globalThis.held = await lockFile(${JSON.stringify(file)});
    console.log('held');
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  await expect(lockFile(file)).rejects.toMatchObject({ code: 'conflict' });
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await using _taken = await lockFile(file);
});
