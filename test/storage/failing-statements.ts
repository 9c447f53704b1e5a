// Makes statements of the database fail: one of them, as on a full disk, or all from one on, as for a process that was
// killed there. What a killed process does after its end cannot be simulated; here it goes on, and reaches nothing.

import sqlite3 from 'sqlite3';
import { vi } from 'vitest';

export interface Failing extends Disposable {
  /** Whether a statement has failed. */
  readonly failed: () => boolean;
}

/**
 * Counts the statements of this process from now on.
 *
 * @param at which of them fails, from 1 up
 * @param how whether the one alone fails, or all that come after it too
 */
export function failStatements(at: number, how: 'one' | 'all'): Failing {
  let seen = 0;
  let failed = false;
  const spies = (['all', 'run'] as const).map((method) => {
    // What is run on a connection, prepared before or not, comes to this.
    const original = sqlite3.Statement.prototype[method];
    return vi.spyOn(sqlite3.Statement.prototype, method).mockImplementation(function (
      this: sqlite3.Statement,
      ...args: unknown[]
    ) {
      seen += 1;
      if (seen !== at && !(how === 'all' && seen > at)) return Reflect.apply(original, this, args);
      failed = true;
      const done = args.at(-1) as (this: unknown, error: Error) => void;
      const error = Object.assign(new Error('SQLITE_FULL: database or disk is full'), { code: 'SQLITE_FULL' });
      queueMicrotask(() => done.call(this, error));
      return this;
    });
  });
  return {
    failed: () => failed,
    [Symbol.dispose]() {
      for (const spy of spies) spy.mockRestore();
    },
  };
}
