// Tests `platen account` and `platen user` where they suspend, export and delete, and `platen key create --expires`.

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { unzip } from '../unzip.ts';
import { platen } from './run-platen.ts';

test('an account and a person are suspended, exported and deleted; a key expires', async () => {
  await using folder = await temporaryFolder();
  const run = async (...args: string[]) => platen(folder.path, args);
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  const { id } = await json('account', 'create', '--email', 'me@example.com', '--plan', 'free');
  await run('user', 'create', '--email', 'ada@example.com');
  await run('user', 'create', '--email', 'bob@example.com');
  await run('key', 'create', '--expires', '2099-01-31');
  expect((await run('key', 'list')).stdout).toMatch(/ {2}never used {2}expires 2099-01-31T00:00:00\.000Z\n$/);
  expect((await run('key', 'create', '--expires', '2020-01-31')).stderr).toMatch(/expiresAt: must be in the future/);
  expect((await run('key', 'create', '--expires', 'soon')).stderr).toMatch(/neither a number of days such as 90d/);

  expect(await json('account', 'suspend', id)).toEqual({ id, suspended: true });
  expect((await run('account', 'list')).stdout).toBe(`${id}  free  me@example.com  suspended by its operator\n`);
  expect(await json('account', 'resume', id)).toEqual({ id, suspended: false });
  expect((await json('user', 'suspend', 'ada@example.com')).suspended).toBe(true);
  expect((await run('user', 'list')).stdout).toMatch(/^ada@example\.com {2}ada {2}owner of acc_\w+ {2}suspended$/m);
  expect((await json('user', 'resume', 'ada@example.com')).suspended).toBe(false);

  const [whole, person] = [join(folder.path, 'account.zip'), join(folder.path, 'ada.zip')];
  await run('account', 'export', id, '-o', whole);
  await run('user', 'export', 'ada@example.com', '-o', person);
  expect((await stat(whole)).mode & 0o777).toBe(0o600);
  expect([...unzip(await readFile(whole)).keys()]).toEqual(expect.arrayContaining(['people.json', 'export.json']));
  expect([...unzip(await readFile(person)).keys()]).toEqual(['person.json', 'audit_log/1.json']);

  expect(await run('user', 'delete', 'ada@example.com')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/--yes/),
  });
  expect((await json('user', 'delete', 'ada@example.com', '--yes')).deleted).toBe(true);
  expect((await run('user', 'delete', 'bob@example.com', '--yes')).stderr).toMatch(/last owner of me@example\.com/);
  expect(await run('account', 'delete', id)).toMatchObject({ status: 1, stderr: expect.stringMatching(/--yes/) });
  expect(await json('account', 'delete', id, '--yes')).toEqual({ id, deleted: true });
  expect((await run('account', 'list')).stdout).toBe('No accounts yet; "platen account create" makes one.\n');
  expect((await run('account', 'delete', id, '--yes')).stderr).toMatch(/There is no account/);
  expect((await json('user', 'delete', 'bob@example.com', '--yes')).deleted).toBe(true);
});
