import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atomically, type Database, openDatabase } from '#storage/database.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function openNames(path: string): Promise<Database> {
  const db = await openDatabase(join(path, 'db.sqlite'));
  await db.raw(
    'CREATE TABLE names (name TEXT PRIMARY KEY, of TEXT REFERENCES names(name) DEFERRABLE INITIALLY DEFERRED)',
  );
  return db;
}

const names = (db: Database) => db('names').orderBy('name').pluck('name');

test('a transaction holds as a whole, and gives what its work gives', async () => {
  await using folder = await temporaryFolder();
  const db = await openNames(folder.path);
  const given = await atomically(db, async (tx) => {
    await tx('names').insert({ name: 'a' });
    // Inside of one, another is the same.
    return atomically(tx, async (inner) => {
      await inner('names').insert({ name: 'b' });
      return names(inner);
    });
  });
  expect([given, await names(db)]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
  await db.destroy();
});

test('work that throws leaves nothing behind, and its error is the one that is heard', async () => {
  await using folder = await temporaryFolder();
  const db = await openNames(folder.path);
  const failing = atomically(db, async (tx) => {
    await tx('names').insert({ name: 'a' });
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  const ended = atomically(db, async (tx) => {
    await tx('names').insert({ name: 'b' });
    // What SQLite does by itself on some errors.
    await tx.raw('ROLLBACK');
    throw new Error('the disk is full');
  });
  await expect(ended).rejects.toThrow('the disk is full');
  expect(await names(db)).toEqual([]);
  await atomically(db, (tx) => tx('names').insert({ name: 'c' }));
  expect(await names(db)).toEqual(['c']);
  await db.destroy();
});

test('a commit that fails leaves nothing behind, and a database that goes on', async () => {
  await using folder = await temporaryFolder();
  const db = await openNames(folder.path);
  const dangling = atomically(db, (tx) => tx('names').insert({ name: 'a', of: 'nobody' }));
  await expect(dangling).rejects.toThrow(/FOREIGN KEY/);
  expect(await names(db)).toEqual([]);
  await atomically(db, (tx) => tx('names').insert({ name: 'b' }));
  expect(await names(db)).toEqual(['b']);
  await db.destroy();
});

test('a transaction that is over takes no more statements', async () => {
  await using folder = await temporaryFolder();
  const db = await openNames(folder.path);
  const kept = await atomically(db, async (tx) => ({ tx }));
  await expect(kept.tx('names').insert({ name: 'late' })).rejects.toThrow('The transaction is over.');
  expect(() => db.transaction(async () => {})).toThrow('atomically');
  expect(await names(db)).toEqual([]);
  await db.destroy();
});

test('transactions that begin together come one after the other', async () => {
  await using folder = await temporaryFolder();
  const db = await openNames(folder.path);
  const seen = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      atomically(db, async (tx) => {
        await tx('names').insert({ name });
        return (await names(tx)).length;
      }),
    ),
  );
  expect(seen).toEqual([1, 2, 3]);
  await db.destroy();
});
