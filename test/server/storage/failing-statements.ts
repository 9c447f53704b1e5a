// Makes statements of the database fail: one of them, as on a full disk, or all from one on, as for a process that is
// killed at that point. The process itself is not ended: it goes on, but cannot reach the database.

import { Client } from 'pg';
import sqlite3 from 'sqlite3';
import { vi } from 'vitest';
import { ON_POSTGRES } from './new-database.ts';

export interface Failing extends Disposable {
  /** Whether a statement has failed yet. */
  readonly failed: () => boolean;
}

/**
 * Counts the statements of this process from now on, and makes some fail.
 *
 * @param at the number of the statement that fails, counted from 1
 * @param how whether only this statement fails, or all later ones too
 */
export function failStatements(at: number, how: 'one' | 'all'): Failing {
  let seen = 0;
  let failed = false;
  const fails = () => {
    seen += 1;
    if (seen !== at && !(how === 'all' && seen > at)) return false;
    failed = true;
    return true;
  };
  const spies = ON_POSTGRES ? [failPostgres(fails)] : failSqlite(fails);
  return {
    failed: () => failed,
    [Symbol.dispose]() {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

/** @param fails called for each statement; returns whether it fails */
function failSqlite(fails: () => boolean) {
  return (['all', 'run'] as const).map((method) => {
    // Every statement on a connection, prepared or not, is run by these methods.
    const original = sqlite3.Statement.prototype[method];
    return vi.spyOn(sqlite3.Statement.prototype, method).mockImplementation(function (
      this: sqlite3.Statement,
      ...args: unknown[]
    ) {
      if (!fails()) return Reflect.apply(original, this, args);
      const done = args.at(-1) as (this: unknown, error: Error) => void;
      const error = Object.assign(new Error('SQLITE_FULL: database or disk is full'), { code: 'SQLITE_FULL' });
      queueMicrotask(() => done.call(this, error));
      return this;
    });
  });
}

function failPostgres(fails: () => boolean) {
  const original = Client.prototype.query as (...args: unknown[]) => unknown;
  return vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
    const done = args.at(-1);
    // Let pass the driver's calls of itself, and knex's query of the version.
    if (typeof done !== 'function' || !fails()) return Reflect.apply(original, this, args);
    const error = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });
    queueMicrotask(() => done(error));
  } as typeof Client.prototype.query);
}
