import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atomically, type Database, openDatabase } from '#storage/database.ts';
import { Statement } from '#storage/statement.ts';
import { temporaryFolder } from '../temporary-folder.ts';

interface Row {
  id: string;
  size: number | null;
}

const INSERT = new Statement<Row>((db, { id, size }) => db('blobs').insert({ size, id }));
const LARGER = new Statement<{ least: number }, Row>((db, { least }) =>
  db('blobs').where('size', '>', least).orderBy('id').limit(2),
);
const GROW = new Statement<{ id: string; by: number }>((db, { id, by }) =>
  db('blobs')
    .where({ id })
    .whereNotNull('size')
    .update({ size: db.raw('size + ?', [by]) }),
);

async function openBlobs(path: string, name = 'db.sqlite'): Promise<Database> {
  const db = await openDatabase(join(path, name));
  await db.raw('CREATE TABLE blobs (id TEXT PRIMARY KEY, size INTEGER)');
  return db;
}

test('a statement binds its values by name, each time anew, beside what never changes', async () => {
  await using folder = await temporaryFolder();
  const db = await openBlobs(folder.path);
  for (const [id, size] of Object.entries({ a: 1, b: 2, c: 3, d: 4, e: null })) {
    expect(await INSERT.run(db, { id, size })).toBe(1);
  }
  expect(await LARGER.rows(db, { least: 0 })).toEqual([
    { id: 'a', size: 1 },
    { id: 'b', size: 2 },
  ]);
  expect(await LARGER.first(db, { least: 3 })).toEqual({ id: 'd', size: 4 });
  expect(await LARGER.first(db, { least: 4 })).toBeUndefined();
  expect([await GROW.run(db, { id: 'd', by: 6 }), await GROW.run(db, { id: 'e', by: 6 })]).toEqual([1, 0]);
  expect(await LARGER.rows(db, { least: 4 })).toEqual([{ id: 'd', size: 10 }]);
  await db.destroy();
});

test('one statement serves several databases, and transactions on them', async () => {
  await using folder = await temporaryFolder();
  const [one, two] = [await openBlobs(folder.path, 'one'), await openBlobs(folder.path, 'two')];
  await INSERT.run(one, { id: 'a', size: 1 });
  await atomically(two, async (tx) => {
    await INSERT.run(tx, { id: 'b', size: 2 });
    expect(await LARGER.rows(tx, { least: 0 })).toHaveLength(1);
  });
  expect([await LARGER.first(one, { least: 0 }), await LARGER.first(two, { least: 0 })]).toEqual([
    { id: 'a', size: 1 },
    { id: 'b', size: 2 },
  ]);
  await Promise.all([one.destroy(), two.destroy()]);
});

test('a failure says which statement, without its values, and leaves it to be run again', async () => {
  await using folder = await temporaryFolder();
  const db = await openBlobs(folder.path);
  await INSERT.run(db, { id: 'hush', size: 1 });
  await expect(INSERT.run(db, { id: 'hush', size: 1 })).rejects.toThrow(/^insert into `blobs`.*UNIQUE/);
  await INSERT.run(db, { id: 'hush', size: 1 }).catch((error: Error) => expect(error.message).not.toContain('hush'));
  expect(await INSERT.run(db, { id: 'other', size: 1 })).toBe(1);
  await db.destroy();
});
