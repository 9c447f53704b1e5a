import { expect, test } from 'vitest';
import { atomically, type Database } from '#server/storage/database.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { newDatabaseAlone, ON_POSTGRES } from './new-database.ts';

async function openNames(location: string): Promise<Database> {
  const db = await openDatabase(location);
  await db.raw(
    'CREATE TABLE names (name TEXT PRIMARY KEY, of TEXT REFERENCES names(name) DEFERRABLE INITIALLY DEFERRED)',
  );
  return db;
}

const names = (db: Database) => db('names').orderBy('name').pluck('name');

test('a transaction holds as a whole, and gives what its work gives', async () => {
  await using made = await newDatabaseAlone();
  const db = await openNames(made.location);
  const given = await atomically(db, async (tx) => {
    await tx('names').insert({ name: 'a' });
    // A nested transaction is the outer one.
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
  await using made = await newDatabaseAlone();
  const db = await openNames(made.location);
  const failing = atomically(db, async (tx) => {
    await tx('names').insert({ name: 'a' });
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  const ended = atomically(db, async (tx) => {
    await tx('names').insert({ name: 'b' });
    // Databases roll back by themselves after some errors.
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
  await using made = await newDatabaseAlone();
  const db = await openNames(made.location);
  const dangling = atomically(db, (tx) => tx('names').insert({ name: 'a', of: 'nobody' }));
  await expect(dangling).rejects.toThrow(/foreign key/i);
  expect(await names(db)).toEqual([]);
  await atomically(db, (tx) => tx('names').insert({ name: 'b' }));
  expect(await names(db)).toEqual(['b']);
  await db.destroy();
});

test('a transaction that is over takes no more statements', async () => {
  await using made = await newDatabaseAlone();
  const db = await openNames(made.location);
  const kept = await atomically(db, async (tx) => ({ tx }));
  await expect(kept.tx('names').insert({ name: 'late' })).rejects.toThrow('The transaction is over.');
  expect(() => db.transaction(async () => {})).toThrow('atomically');
  expect(await names(db)).toEqual([]);
  await db.destroy();
});

test('transactions that begin together all hold', async () => {
  await using made = await newDatabaseAlone();
  const db = await openNames(made.location);
  const seen = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      atomically(db, async (tx) => {
        await tx('names').insert({ name });
        return (await names(tx)).length;
      }),
    ),
  );
  // Transactions run concurrently in PostgreSQL, one after the other in SQLite.
  expect(ON_POSTGRES ? seen.length : seen).toEqual(ON_POSTGRES ? 3 : [1, 2, 3]);
  expect(await names(db)).toEqual(['a', 'b', 'c']);
  await db.destroy();
});
