import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atomically } from '#server/storage/database.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

async function openCounter(path: string) {
  const db = await openDatabase(join(path, 'db.sqlite'));
  await db.raw('CREATE TABLE counter (name TEXT PRIMARY KEY, n INTEGER NOT NULL)');
  return db;
}

test('a statement that runs again takes its new values and says what it changed', async () => {
  await using folder = await temporaryFolder();
  const db = await openCounter(folder.path);
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    expect(await db('counter').insert({ name, n: index })).toEqual([index + 1]);
  }
  const add = (least: number) => db('counter').where('n', '>=', least).increment('n', 10);
  expect([await add(1), await add(0), await add(99)]).toEqual([2, 3, 0]);
  expect(await db('counter').orderBy('name').pluck('n')).toEqual([10, 21, 22]);
  await db.destroy();
});

test('a statement that failed can be run again, also in a transaction', async () => {
  await using folder = await temporaryFolder();
  const db = await openCounter(folder.path);
  const insert = (name: string) => atomically(db, (tx) => tx('counter').insert({ name, n: 0 }));
  await insert('a');
  await expect(insert('a')).rejects.toThrow(/UNIQUE/);
  await insert('b');
  await expect(db('later').first()).rejects.toThrow(/no such table/);
  await db.raw('CREATE TABLE later (n INTEGER)');
  expect(await db('later').first()).toBeUndefined();
  expect(await db('counter').pluck('name')).toEqual(['a', 'b']);
  await db.destroy();
});

test('a statement that met a locked file leaves nothing open: what others write is committed', async () => {
  await using folder = await temporaryFolder();
  const db = await openCounter(folder.path);
  const other = await openDatabase(join(folder.path, 'db.sqlite'));
  await db('counter').insert({ name: 'a', n: 0 });
  const add = () => db('counter').increment('n', 1);
  await add();
  await db.raw('PRAGMA busy_timeout = 1');
  await atomically(other, () => expect(add()).rejects.toMatchObject({ code: 'overloaded' }));

  await db('counter').insert({ name: 'b', n: 0 });
  expect(await other('counter').orderBy('name').pluck('n')).toEqual([1, 0]);
  await other('counter').where({ name: 'b' }).update({ n: 5 });
  await atomically(db, (tx) => tx('counter').where({ name: 'b' }).increment('n', 1));
  expect(await other('counter').orderBy('name').pluck('n')).toEqual([1, 6]);
  await Promise.all([db.destroy(), other.destroy()]);
});

test('many different statements and long values leave a connection that closes', async () => {
  await using folder = await temporaryFolder();
  const db = await openCounter(folder.path);
  await db('counter').insert({ name: 'x'.repeat(100_000), n: 1 });
  for (let n = 0; n < 300; n++) await db('counter').whereRaw(`n = ${n}`).first();
  expect((await db('counter').first('name')).name).toHaveLength(100_000);
  await db.destroy();
});
