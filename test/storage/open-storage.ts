// Storage in a folder of its own, with an account in it.

import { join } from 'node:path';
import { openStorage, type Storage } from '#storage/storage.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export interface StorageUnderTest extends AsyncDisposable {
  readonly storage: Storage;
  readonly file: string;
}

export const NOW = new Date('2026-11-21T12:00:00Z');

export async function storageUnderTest(): Promise<StorageUnderTest> {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'platen.sqlite');
  const storage = await openStorage(file);
  for (const id of ['acc_a', 'acc_b']) {
    await storage.accounts.insert({ id, email: null, displayName: null, plan: 'free', createdAt: NOW });
  }
  return {
    storage,
    file,
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
