import { expect, test } from 'vitest';
import { atomically, type Database } from '#server/storage/database.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { Statement } from '#server/storage/statement.ts';
import { newDatabaseAlone } from './new-database.ts';

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

async function openBlobs(location: string): Promise<Database> {
  const db = await openDatabase(location);
  await db.raw('CREATE TABLE blobs (id TEXT PRIMARY KEY, size INTEGER)');
  return db;
}

test('a statement binds its values by name, each time anew, beside what never changes', async () => {
  await using made = await newDatabaseAlone();
  const db = await openBlobs(made.location);
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
  await using first = await newDatabaseAlone();
  await using second = await newDatabaseAlone();
  const [one, two] = [await openBlobs(first.location), await openBlobs(second.location)];
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
  await using made = await newDatabaseAlone();
  const db = await openBlobs(made.location);
  await INSERT.run(db, { id: 'hush', size: 1 });
  await expect(INSERT.run(db, { id: 'hush', size: 1 })).rejects.toThrow(/^insert into [`"]blobs[`"].*unique/i);
  await INSERT.run(db, { id: 'hush', size: 1 }).catch((error: Error) => expect(error.message).not.toContain('hush'));
  expect(await INSERT.run(db, { id: 'other', size: 1 })).toBe(1);
  await db.destroy();
});
