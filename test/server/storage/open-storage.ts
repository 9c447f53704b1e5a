// Opens storage on a new database with two accounts.

import { openStorage, type Storage } from '#server/storage/storage.ts';
import { newDatabaseAlone } from './new-database.ts';

export interface StorageUnderTest extends AsyncDisposable {
  readonly storage: Storage;
  /** The location of the database, as `openDatabase` takes it. */
  readonly location: string;
}

export const NOW = new Date('2026-11-21T12:00:00Z');

export async function storageUnderTest(): Promise<StorageUnderTest> {
  await using parts = new AsyncDisposableStack();
  const { location } = parts.use(await newDatabaseAlone('migrated'));
  const storage = parts.use(await openStorage(location));
  for (const id of ['acc_a', 'acc_b']) {
    await storage.accounts.insert({ id, email: null, displayName: null, plan: 'free', createdAt: NOW });
  }
  const owned = parts.move();
  return { storage, location, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
