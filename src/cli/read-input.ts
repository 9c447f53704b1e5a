// Reads a file named on the command line; an error says why it cannot be read.

import { readFile } from 'node:fs/promises';
import { AppError } from '#errors';

/** @throws AppError `invalid_request` */
export async function readInput(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const problem = { ENOENT: 'does not exist', EISDIR: 'is a folder', EACCES: 'may not be read' }[code];
    throw new AppError('invalid_request', `${path} ${problem ?? 'cannot be read'}.`, { cause });
  }
}
