// Allows one server per database: a lock on a file beside it.
//
// Only servers take the lock; the command line works beside a running server.

import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '#base/errors.ts';
import { makeFolder } from '../make-folder.ts';
import type { Connection } from './client.ts';
import { connect } from './connect.ts';

/**
 * @throws AppError `conflict` while another server holds the lock, or where locks are unreliable
 */
export async function lockFile(databaseFile: string): Promise<AsyncDisposable> {
  await makeFolder(dirname(databaseFile));
  await refuseNetworkFilesystem(dirname(databaseFile));
  const lock = await tryLock(`${databaseFile}.lock`);
  if (lock) return lock;
  throw new AppError(
    'conflict',
    `Another Platen server is running on ${databaseFile}. Stop it first, or set PLATEN_DATA to another folder.`,
  );
}

/** Filesystem types of Linux's statfs(2) whose locks do not work between machines: NFS, SMB, CIFS, SMB 2. */
const NETWORK_FILESYSTEMS = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

async function refuseNetworkFilesystem(folder: string): Promise<void> {
  if (!NETWORK_FILESYSTEMS.has((await statfs(folder)).type)) return;
  throw new AppError(
    'conflict',
    `${folder} is on a network filesystem, where SQLite cannot keep its data safe. Set PLATEN_DATA to a local folder.`,
  );
}

// The lock is an exclusive transaction on an empty SQLite file, which the system ends when its holder dies, however it dies: there
// is no stale pid, and nothing to clean up after a kill.

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
