import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { atomically } from '#server/storage/database.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { connect } from '#server/storage/sqlite/connect.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

test('a connection is in WAL mode, synced, patient and checks foreign keys', async () => {
  await using folder = await temporaryFolder();
  const db = await openDatabase(join(folder.path, 'a/b/c.sqlite'));
  const pragma = async (name: string) => Object.values((await db.raw(`PRAGMA ${name}`))[0])[0];
  expect(await pragma('journal_mode')).toBe('wal');
  expect(await pragma('synchronous')).toBe(2);
  expect(await pragma('busy_timeout')).toBe(5000);
  expect(await pragma('foreign_keys')).toBe(1);
  await db.destroy();
});

test('two connections that read and then write in transactions never make each other fail', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'db.sqlite');
  const [one, two] = [await openDatabase(file), await openDatabase(file)];
  await one.raw('CREATE TABLE counter (n INTEGER)');
  await one('counter').insert({ n: 0 });
  const increment = (db: typeof one) =>
    atomically(db, async (tx) => {
      const { n } = await tx('counter').first('n');
      await tx('counter').update({ n: n + 1 });
    });
  await Promise.all(Array.from({ length: 60 }, (_, index) => increment(index % 2 === 0 ? one : two)));
  expect(await two('counter').first('n')).toEqual({ n: 60 });
  await Promise.all([one.destroy(), two.destroy()]);
});

test.each(['EXCLUSIVE', 'IMMEDIATE', 'DEFERRED'])(
  'a new file that another process has locked (%s) is opened when it is free',
  async (kind) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'db.sqlite');
    // Not yet in WAL mode, as while another process opens the file for the first time.
    const other = connect(file, async () => {});
    await other.raw('CREATE TABLE t (n INTEGER)');
    await other.raw(`BEGIN ${kind}`);
    await other('t').first('n');
    const opened = openDatabase(file);
    const early = await Promise.race([opened.then((db) => db.raw('SELECT 1')), setTimeout(200, 'waits')]);
    expect(early).toBe('waits');
    await other.raw('COMMIT');
    const db = await opened;
    expect(Object.values((await db.raw('PRAGMA journal_mode'))[0])[0]).toBe('wal');
    await Promise.all([db.destroy(), other.destroy()]);
  },
);
