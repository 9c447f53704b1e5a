import { expect, test } from 'vitest';
import { migrate } from '#storage/migrate.ts';
import { openDatabase } from '#storage/open-database.ts';
import { newDatabaseAlone } from './new-database.ts';

test('an error does not show the values of its statement', async () => {
  await using made = await newDatabaseAlone();
  const db = await openDatabase(made.location);
  await expect(db('nowhere').insert({ secret: 'hush' })).rejects.toThrow(/no such table|does not exist/);
  await db('nowhere')
    .insert({ secret: 'hush' })
    .catch((error: Error) => expect(error.message).not.toContain('hush'));
  await db.destroy();
});

test('migrations run once each, in order, also when two processes start together', async () => {
  await using made = await newDatabaseAlone();
  const ran: string[] = [];
  const step = (name: string) => ({
    async up(db: Awaited<ReturnType<typeof openDatabase>>) {
      ran.push(name);
      await db.schema.createTable(name, (table) => table.increments());
    },
  });
  const [one, two] = [await openDatabase(made.location), await openDatabase(made.location)];
  await migrate(one, [step('first')]);
  await Promise.all([migrate(one, [step('first'), step('second')]), migrate(two, [step('first'), step('second')])]);
  expect(ran).toEqual(['first', 'second']);
  await Promise.all([one.destroy(), two.destroy()]);
});

test('a migration that fails leaves the old schema whole', async () => {
  await using made = await newDatabaseAlone();
  const db = await openDatabase(made.location);
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
  await using made = await newDatabaseAlone();
  const db = await openDatabase(made.location);
  await migrate(db, [{ up: async () => {} }, { up: async () => {} }]);
  await expect(migrate(db, [{ up: async () => {} }])).rejects.toThrow(/written by a newer version/);
  await db.destroy();
});
