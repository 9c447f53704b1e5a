// A disk that takes nothing more: trouble that passes when somebody makes room, and is said as such.

import { AppError } from '#errors';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'SQLITE_FULL', 'SQLITE_READONLY']);

/** The error as it is to be thrown on. */
export function unlessFull(error: unknown): unknown {
  if (!FULL.has(String((error as { code?: unknown } | null)?.code))) return error;
  return new AppError('overloaded', 'The server has no room to store anything; try again later.', {
    cause: error,
    retryAfter: 30,
  });
}
