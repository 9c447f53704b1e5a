// What a server asks of its database beyond its tables: to be its only one, and to keep sessions.

import { isPostgresUrl } from './database.ts';

/**
 * One server a database, for as long as it keeps its files in a folder of its own. Only servers take it; the command line
 * works beside a running one.
 *
 * @param location a `postgres:` URL, or SQLite's file
 * @throws AppError `conflict` while another server holds the lock, or where locks cannot be relied on
 */
export async function lockForServer(location: string): Promise<AsyncDisposable> {
  if (isPostgresUrl(location)) return (await import('./postgres/server-lock.ts')).lockDatabase(location);
  return (await import('./sqlite/server-lock.ts')).lockFile(location);
}

/**
 * Sees that connections to the database keep their session, as they do not behind some poolers.
 *
 * @throws AppError `conflict` saying how to mend it, `overloaded` when the database cannot be reached
 */
export async function requireSession(location: string): Promise<void> {
  if (isPostgresUrl(location)) await (await import('./postgres/require-session.ts')).requireSession(location);
}
