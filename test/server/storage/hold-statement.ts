// Stops a statement of the database before it is run, so that a test can do something else at just that moment.

import { AsyncLocalStorage } from 'node:async_hooks';
import { Client } from 'pg';
import sqlite3 from 'sqlite3';
import { vi } from 'vitest';
import { ON_POSTGRES } from './new-database.ts';

export interface Held extends Disposable {
  /** Resolves when the statement is stopped; never, when there were fewer. */
  readonly reached: Promise<void>;
  readonly isReached: () => boolean;
  /** Lets it, and those behind it, go on. */
  readonly release: () => void;
}

const elsewhere = new AsyncLocalStorage<true>();

/** Runs `work`, whose statements are neither counted nor stopped. */
export const meanwhile = <T>(work: () => Promise<T>): Promise<T> => elsewhere.run(true, work);

/**
 * Counts this process's statements from now on, and stops one.
 *
 * @param at the number of the statement, counted from 1
 * @param isCounted called in the context of each statement; by default all of them count
 */
export function holdStatement(at: number, isCounted: () => boolean = () => true): Held {
  let seen = 0;
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isReached = false;
  /** Runs the statement, at once unless it is the one to stop. */
  const pass: Pass = (run) => {
    const isOne = !elsewhere.getStore() && isCounted();
    if (isOne) seen += 1;
    if (seen !== at || isReached || !isOne) {
      run();
      return null;
    }
    isReached = true;
    reached.resolve();
    return released.promise.then(run);
  };
  const spies = ON_POSTGRES ? [holdPostgres(pass)] : holdSqlite(pass);
  return {
    reached: reached.promise,
    isReached: () => isReached,
    release: released.resolve,
    [Symbol.dispose]() {
      released.resolve();
      for (const spy of spies) spy.mockRestore();
    },
  };
}

/** Runs a statement: at once, or when the promise resolves that it returns. */
type Pass = (run: () => unknown) => Promise<unknown> | null;

function holdSqlite(pass: Pass) {
  const { finalize } = sqlite3.Statement.prototype;
  const waiting = new WeakMap<sqlite3.Statement, Promise<unknown>>();
  // The driver gives a statement up right after running it.
  const finalized = vi.spyOn(sqlite3.Statement.prototype, 'finalize').mockImplementation(function (
    this: sqlite3.Statement,
    ...args
  ) {
    const end = () => Reflect.apply(finalize, this, args);
    const before = waiting.get(this);
    if (before) void before.then(end);
    else end();
    return undefined as never;
  });
  const run = (['all', 'run'] as const).map((method) => {
    const original = sqlite3.Statement.prototype[method];
    return vi.spyOn(sqlite3.Statement.prototype, method).mockImplementation(function (
      this: sqlite3.Statement,
      ...args: unknown[]
    ) {
      const wait = pass(() => Reflect.apply(original, this, args));
      if (wait) waiting.set(this, wait);
      return this;
    });
  });
  return [finalized, ...run];
}

function holdPostgres(pass: Pass) {
  const original = Client.prototype.query as (...args: unknown[]) => unknown;
  return vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
    // Let pass the driver's calls of itself, and knex's query of the version.
    if (typeof args.at(-1) !== 'function') return Reflect.apply(original, this, args);
    void pass(() => Reflect.apply(original, this, args));
  } as typeof Client.prototype.query);
}
