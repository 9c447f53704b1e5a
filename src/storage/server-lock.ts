// One server a database, for as long as it keeps its files in a folder of its own.

import { isPostgresUrl } from './database.ts';

/**
 * Only servers take it; the command line works beside a running one.
 *
 * @param location a `postgres:` URL, or SQLite's file
 * @throws AppError `conflict` while another server holds the lock, or where locks cannot be relied on
 */
export async function lockForServer(location: string): Promise<AsyncDisposable> {
  if (isPostgresUrl(location)) return (await import('./postgres/server-lock.ts')).lockDatabase(location);
  return (await import('./sqlite/server-lock.ts')).lockFile(location);
}
