// Tests that what is written at once is committed together, and that each still holds or fails by itself.

import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { expect, test, vi } from 'vitest';
import { atomically, type Database, execute } from '#server/storage/database.ts';
import { openSqlite } from '#server/storage/sqlite/connect.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const openNames = async (folder: string): Promise<Database> => {
  const db = await openSqlite(join(folder, 'names.sqlite'));
  await db.raw(
    'CREATE TABLE names (name TEXT PRIMARY KEY, of TEXT REFERENCES names(name) DEFERRABLE INITIALLY DEFERRED)',
  );
  return db;
};
const names = (db: Database): Promise<string[]> => db('names').orderBy('name').pluck('name');
const insert = (db: Database, name: string) =>
  execute(db, { sql: 'INSERT INTO names (name) VALUES (?)', bindings: [name], method: 'insert' });
const inserted = (db: Database, name: string, of: string | null = null) =>
  atomically(db, async (tx) => {
    await tx('names').insert({ name, of });
    return name;
  });

/** Counts commits: those by COMMIT, and statements outside of a transaction. */
function countCommits() {
  let [commits, isOpen] = [0, false];
  const spies = (['all', 'run'] as const).map((method) => {
    const original = sqlite3.Statement.prototype[method];
    return vi.spyOn(sqlite3.Statement.prototype, method).mockImplementation(function (
      this: sqlite3.Statement,
      ...args: unknown[]
    ) {
      const { sql } = this as unknown as { sql: string };
      if (/^BEGIN/.test(sql)) isOpen = true;
      if (/^(COMMIT|ROLLBACK$)/.test(sql)) isOpen = false;
      if (sql === 'COMMIT' || (!isOpen && /^insert/i.test(sql))) commits += 1;
      return Reflect.apply(original, this, args);
    });
  });
  return {
    count: () => commits,
    [Symbol.dispose]() {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

const some = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `n${String(from + i).padStart(2, '0')}`);

// Node's own SQLite runs no statements of this driver.
test.skipIf(process.env.NODE_SQLITE)(
  'transactions and statements that come while one is under way share a commit',
  async () => {
    await using folder = await temporaryFolder();
    const db = await openNames(folder.path);
    using commits = countCommits();
    const [a, b] = [some(8), some(8, 8)];
    const done = await Promise.all([...a.map((name) => inserted(db, name)), ...b.map((name) => insert(db, name))]);
    expect(done.slice(0, 8)).toEqual(a);
    expect(await names(db)).toEqual([...a, ...b]);
    expect(commits.count()).toBe(1);
    // However many there are, those that read wait for some of them only.
    await Promise.all(some(40, 16).map((name) => insert(db, name)));
    expect(await names(db)).toHaveLength(56);
    expect(commits.count()).toBeLessThanOrEqual(1 + 4);
    await db.destroy();
  },
);

test('one that fails leaves nothing behind, and the others hold', async () => {
  await using folder = await temporaryFolder();
  const db = await openNames(folder.path);
  const failing = (name: string) =>
    atomically(db, async (tx) => {
      await tx('names').insert({ name });
      throw new Error(`not ${name}`);
    });
  const settled = await Promise.allSettled([
    failing('first'),
    inserted(db, 'a'),
    failing('third'),
    insert(db, 'b'),
    insert(db, 'a'),
    inserted(db, 'c'),
    failing('last'),
  ]);
  expect(settled.map((one) => (one.status === 'fulfilled' ? 'done' : String(one.reason.message)))).toEqual([
    'not first',
    'done',
    'not third',
    'done',
    expect.stringContaining('UNIQUE constraint failed'),
    'done',
    'not last',
  ]);
  expect(await names(db)).toEqual(['a', 'b', 'c']);
  await db.destroy();
});

test('when their commit fails, none of them is told that it holds', async () => {
  await using folder = await temporaryFolder();
  const db = await openNames(folder.path);
  const settled = await Promise.allSettled([inserted(db, 'a'), inserted(db, 'b', 'nobody'), insert(db, 'c')]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await names(db)).toEqual([]);
  expect(await Promise.all([inserted(db, 'd'), inserted(db, 'e')])).toEqual(['d', 'e']);
  expect(await names(db)).toEqual(['d', 'e']);
  await db.destroy();
});

test('when SQLite undoes the whole transaction, those that have shared it fail, and the next begin anew', async () => {
  await using folder = await temporaryFolder();
  const db = await openNames(folder.path);
  const undone = () =>
    atomically(db, async (tx) => {
      await tx('names').insert({ name: 'b' });
      await tx.raw('ROLLBACK');
      throw new Error('the disk is full');
    });
  const settled = await Promise.allSettled([inserted(db, 'a'), undone(), insert(db, 'c')]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  await inserted(db, 'd');
  expect(await names(db)).toEqual(['c', 'd']);
  await db.destroy();
});
