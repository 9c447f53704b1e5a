// Reports a full or inaccessible disk as a temporary error, since it can be fixed while the server runs.

import { AppError } from '#errors';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);
const DENIED = new Set(['EACCES', 'EPERM', 'EROFS', 'SQLITE_READONLY', 'SQLITE_PERM', 'SQLITE_CANTOPEN']);

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code);

/** Replaces the error by AppError `overloaded` if the disk is full or inaccessible. */
export function unlessFull(error: unknown): unknown {
  const code = codeOf(error);
  if (!FULL.has(code) && !DENIED.has(code)) return error;
  const problem = FULL.has(code) ? 'has no room to store anything' : 'may not use its data folder';
  return new AppError('overloaded', `The server ${problem}; try again later.`, { cause: error, retryAfter: 30 });
}

/** Whether an error, or its cause, says that files may not be accessed. */
export function isDenied(error: unknown): boolean {
  return DENIED.has(codeOf(error)) || (error instanceof Error && error.cause !== undefined && isDenied(error.cause));
}
