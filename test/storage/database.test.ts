import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atomically, openDatabase } from '#storage/database.ts';
import { migrate } from '#storage/migrate.ts';
import { temporaryFolder } from '../temporary-folder.ts';

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

test('an error does not show the values of its statement', async () => {
  await using folder = await temporaryFolder();
  const db = await openDatabase(join(folder.path, 'db.sqlite'));
  await expect(db('nowhere').insert({ secret: 'hush' })).rejects.toThrow(/no such table/);
  await db('nowhere')
    .insert({ secret: 'hush' })
    .catch((error: Error) => expect(error.message).not.toContain('hush'));
  await db.destroy();
});

test('migrations run once each, in order, also when two processes start together', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'db.sqlite');
  const ran: string[] = [];
  const step = (name: string) => ({
    async up(db: Awaited<ReturnType<typeof openDatabase>>) {
      ran.push(name);
      await db.schema.createTable(name, (table) => table.increments());
    },
  });
  const [one, two] = [await openDatabase(file), await openDatabase(file)];
  await migrate(one, [step('first')]);
  await Promise.all([migrate(one, [step('first'), step('second')]), migrate(two, [step('first'), step('second')])]);
  expect(ran).toEqual(['first', 'second']);
  await Promise.all([one.destroy(), two.destroy()]);
});

test('a migration that fails leaves the old schema whole', async () => {
  await using folder = await temporaryFolder();
  const db = await openDatabase(join(folder.path, 'db.sqlite'));
  const broken = {
    async up(tx: typeof db) {
      await tx.schema.createTable('half', (table) => table.increments());
      throw new Error('stop');
    },
  };
  await expect(migrate(db, [broken])).rejects.toThrow('stop');
  expect(await db.schema.hasTable('half')).toBe(false);
  await db.destroy();
});

test('a database of a newer version is refused', async () => {
  await using folder = await temporaryFolder();
  const db = await openDatabase(join(folder.path, 'db.sqlite'));
  await migrate(db, [{ up: async () => {} }, { up: async () => {} }]);
  await expect(migrate(db, [{ up: async () => {} }])).rejects.toThrow(/written by a newer version/);
  await db.destroy();
});
