// Tests that a look without a statement misses no change: of another process, beside own commits, after a new connection.

import { execFileSync } from 'node:child_process';
import sqlite3 from 'sqlite3';
import { expect, test, vi } from 'vitest';
import { Commits } from '#server/storage/sqlite/commits.ts';
import { openSqlite } from '#server/storage/sqlite/connect.ts';
import { openStorage, type Storage } from '#server/storage/storage.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { NOW } from '../open-storage.ts';

async function storageOnFile() {
  await using parts = new AsyncDisposableStack();
  const file = `${parts.use(await temporaryFolder()).path}/platen.sqlite`;
  const storage = parts.use(await openStorage(file));
  await storage.accounts.insert({ id: 'acc_a', email: null, displayName: null, plan: 'free', createdAt: NOW });
  const key = { id: 'key_a', accountId: 'acc_a', kind: 'live', hash: 'hash', lastCharacters: 'abcd' } as const;
  await storage.keys.insert({ ...key, createdAt: NOW, name: null, createdBy: null });
  const owned = parts.move();
  return { file, storage, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Runs SQL in another process. */
function elsewhere(file: string, sql: string): void {
  const script = `const { Database } = require('sqlite3');
    const db = new Database(process.argv[1]);
    db.exec(process.argv[2], (error) => { if (error) throw error; db.close(); });`;
  execFileSync(process.execPath, ['-e', script, file, sql]);
}
const REVOKE = 'UPDATE keys SET revoked_at = 1';

/** How often the number of changes was asked for since. */
function countLooks() {
  const original = sqlite3.Statement.prototype.all;
  let count = 0;
  const spy = vi.spyOn(sqlite3.Statement.prototype, 'all').mockImplementation(function (
    this: sqlite3.Statement,
    ...args: unknown[]
  ) {
    if (/change_count/.test((this as unknown as { sql: string }).sql)) count += 1;
    return Reflect.apply(original, this, args);
  });
  return { get: () => count, [Symbol.dispose]: () => spy.mockRestore() };
}

let renders = 0;
const storeRender = ({ renders: store }: Pick<Storage, 'renders'>, key = 'hash') => {
  renders += 1;
  const render = { id: `rnd_${renders}`, accountId: 'acc_a', kind: 'render', output: 'png', status: 'done' } as const;
  const more = { size: 1, digest: null, warnings: [], createdAt: NOW, finishedAt: NOW };
  return store.insertByKey(key, { ...render, ...more }, '2026-11');
};

// Node's own SQLite runs no statements of this driver, and only Linux can tell.
test.skipIf(process.env.NODE_SQLITE || process.platform !== 'linux')(
  'renders that are stored, and units that are reserved, make no look necessary',
  async () => {
    await using opened = await storageOnFile();
    const { storage } = opened;
    const at = await storage.changes.current();
    using looks = countLooks();
    expect(await storeRender(storage)).toBe(true);
    expect(await storage.changes.current()).toBe(at);
    // Together in one transaction, which one of them does not write in.
    expect(await Promise.all([1, 2, 3].map(() => storeRender(storage)).concat(storeRender(storage, 'none')))).toEqual([
      ...[true, true, true],
      false,
    ]);
    const unit = { renderId: 'rnd_reserved', accountId: 'acc_a', period: '2026-11' };
    expect(await storage.usage.reserve(unit, 10, NOW)).toBe(true);
    expect(await storage.changes.current()).toBe(at);
    expect(looks.get()).toBe(0);
    await storage.usage.release(unit.renderId);
    expect(await storage.changes.current()).toBe(at);
    expect(looks.get()).toBe(1);
  },
);

test('a key that another process revokes is revoked at once, whatever this one is storing', async () => {
  await using opened = await storageOnFile();
  const { storage, file } = opened;
  let at = await storage.changes.current();
  const expectNews = async () => {
    const now = await storage.changes.current();
    expect(now).toBeGreaterThan(at);
    at = now;
  };
  for (const isStored of [() => storeRender(storage), async () => false]) {
    elsewhere(file, REVOKE);
    await expectNews();
    await isStored();
    expect(await storage.changes.current()).toBe(at);
  }
  // One commit in between, and it is not ours: the key is revoked, so that nothing is stored.
  elsewhere(file, REVOKE);
  expect(await storeRender(storage)).toBe(false);
  await expectNews();
  elsewhere(file, 'UPDATE keys SET revoked_at = NULL');
  expect(await storeRender(storage)).toBe(true);
  await expectNews();
});

test('what is changed in a transaction with renders is news', async () => {
  await using opened = await storageOnFile();
  const { storage } = opened;
  const at = await storage.changes.current();
  await Promise.all([
    storeRender(storage),
    storage.transaction(async ({ keys }) => void (await keys.revoke('key_a', NOW))),
    storeRender(storage),
  ]);
  expect(await storage.changes.current()).toBeGreaterThan(at);
});

test('nothing is taken for unchanged that was seen through a connection that is gone', async () => {
  await using folder = await temporaryFolder();
  const file = `${folder.path}/one.sqlite`;
  const commits = new Commits(file);
  const open = async () => {
    const db = await openSqlite(file);
    await db.raw('CREATE TABLE IF NOT EXISTS numbers (number INTEGER)');
    commits.opened();
    return db;
  };
  const close = async (db: Awaited<ReturnType<typeof open>>) => {
    await db.destroy();
    commits.closed();
  };
  const first = await open();
  await commits.look(() => first.raw('SELECT * FROM numbers'));
  expect(commits.isNone).toBe(process.platform === 'linux');
  await first.raw('INSERT INTO numbers VALUES (1)');
  expect(commits.isNone).toBe(false);
  await commits.look(() => first.raw('SELECT * FROM numbers'));
  await close(first);
  expect(commits.isNone).toBe(false);
  const second = await open();
  expect(commits.isNone).toBe(false);
  await close(second);
});
