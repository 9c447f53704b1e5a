// Allows one server per database: a lock on a file beside it.
//
// Only servers take the lock; the command line works beside a running server.

import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '#base/errors.ts';
import { makeFolder } from '../make-folder.ts';
import { tryLock } from './file-lock.ts';

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
