// Recognises temporary errors of PostgreSQL and of the connection to it, and reports them with a time to retry.

import { AppError } from '#base/errors.ts';

/**
 * SQLSTATE codes (PostgreSQL's manual, appendix A); in addition, all codes that begin with 08 are connection errors.
 */
const PASSING = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '53000', // insufficient_resources
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  '55P03', // lock_not_available: lock_timeout
  '57014', // query_canceled: statement_timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
  '25006', // read_only_sql_transaction: a standby that was not promoted yet
]);

/** Error codes of sockets and name resolution. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ENOTFOUND',
]);

/** The driver's messages without a code when a connection ends or does not answer. */
const CUT_OFF =
  /connection terminated|connection ended|timeout expired|query read timeout|client has encountered a connection error|client was closed/i;

/** Whether the error is temporary: the same statement may succeed in a moment. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // From a host with several addresses.
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  // A pooler's answer to unknown settings: retrying does not help.
  if (/unsupported startup parameter/i.test(error.message)) return false;
  const code = String((error as { code?: unknown }).code ?? '');
  return PASSING.has(code) || UNREACHABLE.has(code) || code.startsWith('08') || CUT_OFF.test(error.message);
}

/** Replaces a temporary error by AppError `overloaded`. */
export function unlessUnavailable(error: unknown): unknown {
  if (error instanceof AppError || !isUnavailable(error)) return error;
  const isFull = (error as { code?: unknown }).code === '53100';
  const problem = isFull ? 'The database has no room to store anything' : 'The database cannot be reached';
  return new AppError('overloaded', `${problem}; try again in a moment.`, { cause: error, retryAfter: 2 });
}
