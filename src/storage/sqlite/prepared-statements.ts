// Statements that are compiled once for a connection, and then only bound and stepped.
//
// The driver alone compiles, runs and throws away each statement, in turns of its thread pool; a render has a dozen.

import { promisify } from 'node:util';
import type { CompiledQuery } from '../database.ts';

/** What we use of the driver's connection. */
export interface Preparing {
  prepare(sql: string, done: (error: Error | null) => void): Statement;
}

interface Statement {
  run(bindings: readonly unknown[], done: (this: Outcome, error: Error | null) => void): void;
  all(bindings: readonly unknown[], done: (this: Outcome, error: Error | null, rows?: unknown[]) => void): void;
  reset(done: () => void): void;
  finalize(done: () => void): void;
}

/** What a statement that writes did. */
interface Outcome {
  readonly lastID: number;
  readonly changes: number;
}

type Done = (this: Outcome, error: Error | null, rows?: unknown[]) => void;

/** Statements kept; the server's own are about ninety. */
const MOST = 128;

/** A statement keeps what it was last bound to: with a longer text than this, characters, it is not kept. */
const LONGEST_BINDING = 16_384;

/** Whether a statement is worth keeping: one of the few texts that run again and again, and one that holds little. */
export function isWorthKeeping({ sql, bindings = [] }: CompiledQuery): boolean {
  const isLong = (value: unknown) => typeof value === 'string' && value.length > LONGEST_BINDING;
  return /^(select|insert|update|delete|begin|commit|pragma data_version)\b/i.test(sql) && !bindings.some(isLong);
}

/** Looks like the driver's connection to those who run statements. One statement may run at a time. */
export class PreparedStatements {
  readonly #connection: Preparing;
  // In the order of their last use.
  readonly #statements = new Map<string, Promise<Statement>>();

  constructor(connection: Preparing) {
    this.#connection = connection;
  }

  /** Runs a statement that returns no rows; `done` has as its `this` what it changed. */
  run(sql: string, bindings: readonly unknown[] = [], done: Done): void {
    this.#execute(sql, done, (statement, then) => statement.run(bindings, then));
  }

  /** Runs a statement to its last row. */
  all(sql: string, bindings: readonly unknown[] = [], done: Done): void {
    this.#execute(sql, done, (statement, then) => statement.all(bindings, then));
  }

  /** To be called before the connection is closed, which fails as long as it has statements. */
  async finalize(): Promise<void> {
    const statements = [...this.#statements.values()];
    this.#statements.clear();
    await Promise.all(statements.map((statement) => statement.then(finalized, () => {})));
  }

  #execute(sql: string, done: Done, step: (statement: Statement, then: Done) => void): void {
    const prepared = this.#statements.get(sql) ?? this.#prepare(sql);
    this.#statements.delete(sql);
    this.#statements.set(sql, prepared);
    this.#forgetOldest();
    prepared.then(
      (statement) =>
        step(statement, function (error, rows) {
          // The next run overwrites what the statement says of this one.
          const outcome = { lastID: this.lastID, changes: this.changes };
          // To SQLite, one that met a locked file is under way until it is reset, and what others write is committed
          // when the last one ends (https://www.sqlite.org/lang_transaction.html, 2).
          if (error) statement.reset(() => done.call(outcome, error));
          else done.call(outcome, null, rows);
        }),
      (error) => {
        this.#statements.delete(sql);
        done.call({ lastID: 0, changes: 0 }, error);
      },
    );
  }

  async #prepare(sql: string): Promise<Statement> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const statement = this.#connection.prepare(sql, (error) => (error ? reject(error) : resolve()));
    await promise;
    return statement;
  }

  #forgetOldest(): void {
    if (this.#statements.size <= MOST) return;
    for (const [sql, statement] of this.#statements) {
      this.#statements.delete(sql);
      void statement.then(finalized, () => {});
      return;
    }
  }
}

const finalized = (statement: Statement) => promisify(statement.finalize.bind(statement))();
