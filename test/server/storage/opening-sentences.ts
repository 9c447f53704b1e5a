// What a server says of a database that it cannot open.

import { expect } from 'vitest';
import { requireSession } from '#server/storage/server-lock.ts';
import { openStorage } from '#server/storage/storage.ts';

/** The sentences of a server's two first connections. */
export async function sentences(location: string): Promise<string[]> {
  const session = await requireSession(location).then(String, String);
  const opened = await openStorage(location).then(String, String);
  return [session, opened];
}

export async function check(location: string, sentence: string): Promise<void> {
  expect(await sentences(location)).toEqual([`AppError: ${sentence}`, `AppError: ${sentence}`]);
}
