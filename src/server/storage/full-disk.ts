// Reports a full or inaccessible disk as a temporary error, since it can be fixed while the server runs.

import { AppError } from '#base/errors.ts';

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

/** The code of an error, or of its cause, that says that files may not be accessed; else null. */
export function denialOf(error: unknown): string | null {
  const code = codeOf(error);
  if (DENIED.has(code)) return code;
  return error instanceof Error && error.cause !== undefined ? denialOf(error.cause) : null;
}
