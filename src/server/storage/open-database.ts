// Opens a database in the dialect of its location.

import type { Database } from './database.ts';

/**
 * Opens a database.
 *
 * @param location a `postgres:` URL, or the path of the SQLite file, which is created if necessary
 * @throws Error when it cannot be opened
 */
export async function openDatabase(location: string): Promise<Database> {
  if (isPostgresUrl(location)) return (await import('./postgres/connect.ts')).openPostgres(location);
  return (await import('./sqlite/connect.ts')).openSqlite(location);
}

export const isPostgresUrl = (location: string): boolean => /^postgres(ql)?:/i.test(location);
