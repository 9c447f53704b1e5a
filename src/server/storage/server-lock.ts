// A server's requirements of its database beyond the tables: exclusive use, and connections that keep their session.

import { isPostgresUrl } from './open-database.ts';
import { explainUnusable } from './unusable-database.ts';

/**
 * Makes sure that only one server uses the database, as is required while it keeps files in a folder of its own. Only
 * servers take this lock; the command line works beside a running server.
 *
 * @param location a `postgres:` URL, or the path of the SQLite file
 * @throws AppError `conflict` while another server holds the lock, or where locks are unreliable
 */
export async function lockForServer(location: string): Promise<AsyncDisposable> {
  if (isPostgresUrl(location)) return (await import('./postgres/server-lock.ts')).lockDatabase(location);
  return (await import('./sqlite/server-lock.ts')).lockFile(location);
}

/**
 * Checks that connections to the database keep their session, which some poolers do not do.
 *
 * @throws AppError `conflict` saying how to fix it, `overloaded` when the database cannot be reached
 */
export async function requireSession(location: string): Promise<void> {
  if (!isPostgresUrl(location)) return;
  const postgres = await import('./postgres/require-session.ts');
  await postgres.requirePostgresSession(location).catch((error) => {
    throw explainUnusable(location, error);
  });
}
