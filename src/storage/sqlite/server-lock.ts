// Allows one server per database: a lock that the operating system releases when its holder dies, however it dies.
//
// It is an exclusive transaction on an empty SQLite file beside the database, so there is no stale pid and nothing to
// clean up after a kill. Only servers take it; the command line works beside a running server.

import { mkdir, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '#errors';
import type { Connection } from './client.ts';
import { connect } from './connect.ts';

/**
 * @throws AppError `conflict` while another server holds the lock, or where locks are unreliable
 */
export async function lockFile(databaseFile: string): Promise<AsyncDisposable> {
  await mkdir(dirname(databaseFile), { recursive: true });
  await refuseNetworkFilesystem(dirname(databaseFile));
  const lock = connect(`${databaseFile}.lock`, refuseAtOnce);
  try {
    await lock.raw('BEGIN EXCLUSIVE');
  } catch (error) {
    await lock.destroy();
    if (!(error instanceof AppError)) throw error;
    throw new AppError(
      'conflict',
      `Another Platen server is running on ${databaseFile}. Stop it first, or set PLATEN_DATA to another folder.`,
      { cause: error },
    );
  }
  // Closing the connection rolls back, which releases the lock.
  return { [Symbol.asyncDispose]: () => lock.destroy() };
}

async function refuseAtOnce(connection: Connection): Promise<void> {
  await promisify(connection.exec.bind(connection))('PRAGMA busy_timeout = 0');
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
