// An exclusive lock between processes, which the operating system releases when its holder dies, however it dies.
//
// It is an exclusive transaction on an empty SQLite file, so there is no stale pid and nothing to clean up after a kill.

import { promisify } from 'node:util';
import { AppError } from '#base/errors.ts';
import type { Connection } from './client.ts';
import { connect } from './connect.ts';

/**
 * Takes the lock until the result is disposed of.
 *
 * @param path the lock's file, which is created if necessary and stays
 * @returns null while another process holds the lock
 */
export async function tryLock(path: string): Promise<AsyncDisposable | null> {
  const lock = connect(path, refuseAtOnce);
  try {
    await lock.raw('BEGIN EXCLUSIVE');
  } catch (error) {
    await lock.destroy();
    if (error instanceof AppError) return null;
    throw error;
  }
  // Closing the connection rolls back, which releases the lock.
  return { [Symbol.asyncDispose]: () => lock.destroy() };
}

async function refuseAtOnce(connection: Connection): Promise<void> {
  await promisify(connection.exec.bind(connection))('PRAGMA busy_timeout = 0');
}
