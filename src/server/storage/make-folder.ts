// Makes a folder and those above it, with the error of the system where that cannot be.
//
// Node's own `mkdir({ recursive: true })` takes ENOENT for a missing parent: it never returns where a filesystem answers
// so to every new folder, as /proc does, and turns EROFS into ENOENT.

import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** @throws Error of the first folder that cannot be made: EROFS, EACCES, ENOTDIR and the like */
export async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process may have made it meanwhile.
    if (code === 'EEXIST' && (await isFolder(folder))) return;
    if (code === 'ENOENT')
      throw Object.assign(new Error(`EPERM: no folder can be made at ${folder}`), {
        code: 'EPERM',
        path: folder,
        cause: error,
      });
    throw error;
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
