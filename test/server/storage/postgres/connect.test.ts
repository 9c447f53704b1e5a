import { expect, test } from 'vitest';
import { atomically, queryRows } from '#server/storage/database.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { unlessUnavailable } from '#server/storage/postgres/unavailable.ts';
import { lockForServer } from '#server/storage/server-lock.ts';
import { newDatabaseAlone } from '../new-database.ts';

test('rows read as SQLite’s do', async () => {
  await using made = await newDatabaseAlone();
  const db = await openDatabase(made.location);
  const values =
    'SELECT 9007199254740991::int8 AS large, count(*) AS count, sum(1::int8) AS sum, true AS yes, false AS no';
  expect(await queryRows(db, values)).toEqual([{ large: Number.MAX_SAFE_INTEGER, count: 1, sum: 1, yes: 1, no: 0 }]);
  await db.destroy();
});

test('a text with a NUL, which PostgreSQL cannot hold, is stored with a replacement', async () => {
  await using made = await newDatabaseAlone();
  const db = await openDatabase(made.location);
  await db.raw('CREATE TABLE texts (text TEXT)');
  await db('texts').insert({ text: 'a\0b' });
  expect(await db('texts').pluck('text')).toEqual(['a\ufffdb']);
  await db.destroy();
});

test('an error does not show the values of its statement', async () => {
  await using made = await newDatabaseAlone();
  const db = await openDatabase(made.location);
  const error: Error = await db('nowhere')
    .insert({ secret: 'hush' })
    .catch((error) => error);
  expect(error.message).toMatch(/does not exist/);
  expect(error.message).not.toContain('hush');
  await db.destroy();
});

test('two transactions that want each other’s rows: one is told to try again', async () => {
  await using made = await newDatabaseAlone();
  const db = await openDatabase(made.location);
  await db.raw('CREATE TABLE counters (name TEXT PRIMARY KEY, n INTEGER)');
  await db('counters').insert([
    { name: 'a', n: 0 },
    { name: 'b', n: 0 },
  ]);
  const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const add = (order: readonly string[], turn: number) =>
    atomically(db, async (tx) => {
      await tx('counters').where({ name: order[0] }).increment('n', 1);
      both[turn]?.resolve();
      await Promise.all(both.map(({ promise }) => promise));
      await tx('counters').where({ name: order[1] }).increment('n', 1);
    });
  const ended = await Promise.allSettled([add(['a', 'b'], 0), add(['b', 'a'], 1)]);
  const failed = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(failed).toMatchObject([{ code: 'overloaded', retryAfter: 2 }]);
  expect(await db('counters').pluck('n')).toEqual([1, 1]);
  await db.destroy();
});

test.each([
  ['53100', 'has no room'],
  ['53300', 'cannot be reached'],
  ['57P01', 'cannot be reached'],
  ['57P03', 'cannot be reached'],
  ['40001', 'cannot be reached'],
  ['08006', 'cannot be reached'],
  ['ECONNREFUSED', 'cannot be reached'],
])('%s passes by itself', (code, message) => {
  const error = Object.assign(new Error('…'), { code });
  expect(unlessUnavailable(error)).toMatchObject({ code: 'overloaded', retryAfter: 2 });
  expect((unlessUnavailable(error) as Error).message).toContain(message);
});

test.each(['23505', '42P01', '28P01'])('%s does not', (code) => {
  const error = Object.assign(new Error('…'), { code });
  expect(unlessUnavailable(error)).toBe(error);
});

test('a second server on one database is refused, and let in when the first is gone', async () => {
  await using made = await newDatabaseAlone();
  const held = await lockForServer(made.location);
  await expect(lockForServer(made.location)).rejects.toMatchObject({ code: 'conflict' });
  await held[Symbol.asyncDispose]();
  await using _again = await lockForServer(made.location);
});
