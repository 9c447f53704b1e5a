// The worker thread that runs Node's own SQLite: one connection, one request at a time, in order of arrival.
//
// `node:sqlite` is synchronous, and a commit waits for the disk: that must not happen on the main thread.

import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Requests to the thread: `open` the file, which reads nothing of it; `prepare` a statement under an id; `run` one, or
 * read `all` its rows; `finalize` it; `exec` SQL without values; `close`.
 */
export type Request =
  | { readonly kind: 'prepare'; readonly statement: number; readonly sql: string }
  | { readonly kind: 'run' | 'all'; readonly statement: number; readonly bindings: readonly unknown[] }
  | { readonly kind: 'finalize'; readonly statement: number }
  | { readonly kind: 'exec'; readonly sql: string }
  | { readonly kind: 'open' | 'close' };

/** The result of a request. Replies come in the order of the requests. */
export type Reply =
  | { readonly error: null; readonly rows: readonly unknown[]; readonly lastID: number; readonly changes: number }
  | { readonly error: DriverError };

/** An error in the form of the driver sqlite3. */
export interface DriverError {
  /** SQLite's primary result code by name: `SQLITE_BUSY`. */
  readonly code: string;
  /** SQLite's extended result code. */
  readonly errno: number;
  readonly message: string;
}

/** Primary result codes (https://www.sqlite.org/rescode.html) by number. */
const NAMES: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  3: 'SQLITE_PERM',
  4: 'SQLITE_ABORT',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  20: 'SQLITE_MISMATCH',
  21: 'SQLITE_MISUSE',
  23: 'SQLITE_AUTH',
  26: 'SQLITE_NOTADB',
};

const DONE = { error: null, rows: [], lastID: 0, changes: 0 } as const;

const statements = new Map<number, StatementSync>();
let database: DatabaseSync | null = null;

function answer(request: Request): Reply {
  // Opened by the first request, so that a problem with the file becomes its error.
  database ??= new DatabaseSync(workerData.filename);
  switch (request.kind) {
    case 'prepare':
      statements.set(request.statement, database.prepare(request.sql));
      return DONE;
    case 'finalize':
      // Node finalizes unreferenced statements; there is no call for it.
      statements.delete(request.statement);
      return DONE;
    case 'exec':
      database.exec(request.sql);
      return DONE;
    case 'open':
      return DONE;
    case 'close':
      statements.clear();
      database.close();
      return DONE;
    case 'run': {
      const { changes, lastInsertRowid } = statementOf(request.statement).run(...request.bindings.map(toValue));
      return { error: null, rows: [], lastID: Number(lastInsertRowid), changes: Number(changes) };
    }
    case 'all':
      return { ...DONE, rows: statementOf(request.statement).all(...request.bindings.map(toValue)) };
  }
}

function statementOf(id: number): StatementSync {
  const statement = statements.get(id);
  if (!statement) throw new Error('The statement was finalized.');
  return statement;
}

/** Converts values as sqlite3 does: true to 1, a date to its milliseconds, undefined to null. */
function toValue(value: unknown): SQLInputValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return value.getTime();
  return value as SQLInputValue;
}

function failureOf(error: unknown): DriverError {
  const { errcode, message } = error as { errcode?: number; message: string };
  if (errcode === undefined) return { code: 'SQLITE_MISUSE', errno: 21, message };
  const code = NAMES[errcode & 0xff] ?? 'SQLITE_ERROR';
  return { code, errno: errcode, message: `${code}: ${message}` };
}

parentPort?.on('message', (request: Request) => {
  let reply: Reply;
  try {
    reply = answer(request);
  } catch (error) {
    reply = { error: failureOf(error) };
  }
  parentPort?.postMessage(reply);
  if (request.kind === 'close' && reply.error === null) parentPort?.close();
});
