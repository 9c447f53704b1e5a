// Reads a file named on the command line, or standard input; an error says why it cannot be read.

import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { AppError } from '#base/errors.ts';

/** @param path of a file; `-` is standard input @throws AppError `invalid_request` */
export async function readInput(path: string): Promise<Buffer> {
  if (path === '-') return buffer(process.stdin);
  try {
    return await readFile(path);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const problem = { ENOENT: 'does not exist', EISDIR: 'is a folder', EACCES: 'may not be read' }[code];
    throw new AppError('invalid_request', `${path} ${problem ?? 'cannot be read'}.`, { cause });
  }
}
