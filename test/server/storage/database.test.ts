import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MIGRATIONS, migrate } from '#server/storage/migrate.ts';
import { openDatabase } from '#server/storage/open-database.ts';
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
  const step = (version: number, name: string) => ({
    version,
    async up(db: Awaited<ReturnType<typeof openDatabase>>) {
      ran.push(name);
      await db.schema.createTable(name, (table) => table.increments());
    },
  });
  const [one, two] = [await openDatabase(made.location), await openDatabase(made.location)];
  await migrate(one, [step(100, 'first')]);
  await Promise.all([
    migrate(one, [step(100, 'first'), step(102, 'second')]),
    migrate(two, [step(100, 'first'), step(102, 'second')]),
  ]);
  expect(ran).toEqual(['first', 'second']);
  // A number that was left out is not filled by a step that comes after it, and may be used later.
  await migrate(one, [step(100, 'first'), step(101, 'between'), step(102, 'second')]);
  expect(ran).toEqual(['first', 'second', 'between']);
  await Promise.all([one.destroy(), two.destroy()]);
});

test('a migration that fails leaves the old schema whole', async () => {
  await using made = await newDatabaseAlone();
  const db = await openDatabase(made.location);
  const broken = {
    version: 100,
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
  const step = (version: number) => ({ version, up: async () => {} });
  await migrate(db, [step(100), step(101)]);
  await expect(migrate(db, [step(100)])).rejects.toThrow(/written by a newer version/);
  await db.destroy();
});

test('a database from before the first release is told in a sentence', async () => {
  await using made = await newDatabaseAlone();
  const db = await openDatabase(made.location);
  const step = (version: number) => ({ version, up: async () => {} });
  await migrate(db, [step(1), step(33)]);
  await expect(migrate(db)).rejects.toThrow(
    /before the first release\. .*"platen backup FOLDER".*"platen restore FOLDER"/,
  );
  await db.destroy();
});

test('each migration has the number of its file, and none has another’s', async () => {
  const files = await readdir(join(import.meta.dirname, '../../../src/server/storage/migrations'));
  const numbers = files.filter((file) => file.endsWith('.ts')).map((file) => Number(/^(\d{4})-/.exec(file)?.[1]));
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(numbers.sort((a, b) => a - b));
  expect(new Set(numbers).size).toBe(numbers.length);
});
