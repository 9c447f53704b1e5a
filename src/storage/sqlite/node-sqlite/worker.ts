// The thread in which Node's own SQLite runs: one connection, one request at a time, in the order in which they come.
//
// `node:sqlite` is synchronous, and a commit waits for the disk: not on the thread that answers.

import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** What is asked: to open the file, which reads nothing of it, to compile a statement under an id, to run one, or to run text with no values. */
export type Request =
  | { readonly kind: 'prepare'; readonly statement: number; readonly sql: string }
  | { readonly kind: 'run' | 'all'; readonly statement: number; readonly bindings: readonly unknown[] }
  | { readonly kind: 'finalize'; readonly statement: number }
  | { readonly kind: 'exec'; readonly sql: string }
  | { readonly kind: 'open' | 'close' };

/** What became of it. Requests are answered in their order. */
export type Reply =
  | { readonly error: null; readonly rows: readonly unknown[]; readonly lastID: number; readonly changes: number }
  | { readonly error: Failure };

/** As the driver sqlite3 says it. */
export interface Failure {
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
  // Opened by the first request, so that what is wrong with the file is its error.
  database ??= new DatabaseSync(workerData.filename);
  switch (request.kind) {
    case 'prepare':
      statements.set(request.statement, database.prepare(request.sql));
      return DONE;
    case 'finalize':
      // Node finalizes what nobody refers to; there is no call for it.
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

/** As sqlite3 binds them: true is 1, a date its milliseconds, what is missing null. */
function toValue(value: unknown): SQLInputValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return value.getTime();
  return value as SQLInputValue;
}

function failureOf(error: unknown): Failure {
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
