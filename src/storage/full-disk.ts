// A disk that takes nothing, or that we may not use: trouble that passes when somebody mends it, and is said as such.

import { AppError } from '#errors';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);
const DENIED = new Set(['EACCES', 'EPERM', 'EROFS', 'SQLITE_READONLY', 'SQLITE_PERM', 'SQLITE_CANTOPEN']);

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code);

/** The error as it is to be thrown on. */
export function unlessFull(error: unknown): unknown {
  const code = codeOf(error);
  if (!FULL.has(code) && !DENIED.has(code)) return error;
  const problem = FULL.has(code) ? 'has no room to store anything' : 'may not use its data folder';
  return new AppError('overloaded', `The server ${problem}; try again later.`, { cause: error, retryAfter: 30 });
}

/** Whether an error, or what caused it, says that files may not be written or read. */
export function isDenied(error: unknown): boolean {
  return DENIED.has(codeOf(error)) || (error instanceof Error && error.cause !== undefined && isDenied(error.cause));
}
