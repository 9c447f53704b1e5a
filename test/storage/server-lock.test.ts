import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockForServer } from '#storage/server-lock.ts';
import { openStorage } from '#storage/storage.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('a second server on one file is refused, another file is free', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'db.sqlite');
  await using _held = await lockForServer(file);
  await expect(lockForServer(file)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(file) });
  await using _other = await lockForServer(join(folder.path, 'other.sqlite'));
});

test('the lock is free again when its holder lets go', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'db.sqlite');
  await (await lockForServer(file))[Symbol.asyncDispose]();
  await using _again = await lockForServer(file);
});

test('the database itself stays open to others', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'db.sqlite');
  await using _held = await lockForServer(file);
  await using storage = await openStorage(file);
  expect(await storage.accounts.isEmpty()).toBe(true);
});

test('a lock whose holder was killed is taken over', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'db.sqlite');
  const script = `
    const { lockForServer } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/storage/server-lock.ts'))});
    globalThis.held = await lockForServer(${JSON.stringify(file)});
    console.log('held');
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  await expect(lockForServer(file)).rejects.toMatchObject({ code: 'conflict' });
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await using _taken = await lockForServer(file);
});
