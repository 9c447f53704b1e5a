// Caches prepared statements: compiled once per connection, then only bound and stepped.
//
// The driver on its own compiles, runs and finalizes each statement in separate tasks of its thread pool; a render runs
// a dozen statements.

import { promisify } from 'node:util';
import type { CompiledQuery } from '../database.ts';

/** The part of the driver's connection that is used here. */
export interface Preparing {
  prepare(sql: string, done: (error: Error | null) => void): Statement;
}

interface Statement {
  run(bindings: readonly unknown[], done: (this: Outcome, error: Error | null) => void): void;
  all(bindings: readonly unknown[], done: (this: Outcome, error: Error | null, rows?: unknown[]) => void): void;
  reset(done: () => void): void;
  finalize(done: () => void): void;
}

/** The result of a writing statement. */
interface Outcome {
  readonly lastID: number;
  readonly changes: number;
}

type Done = (this: Outcome, error: Error | null, rows?: unknown[]) => void;

/** Maximum cached statements; the server itself uses about ninety. */
const MOST = 128;

/** A statement keeps its last bindings in memory. With a text longer than this, in characters, it is not cached. */
const LONGEST_BINDING = 16_384;

/** Whether a statement is worth caching: one of the few texts that run repeatedly, with small bindings. */
export function isWorthKeeping({ sql, bindings = [] }: CompiledQuery): boolean {
  const isLong = (value: unknown) => typeof value === 'string' && value.length > LONGEST_BINDING;
  return /^(select|insert|update|delete|begin|commit)\b/i.test(sql) && !bindings.some(isLong);
}

/** Implements the part of the driver's connection that runs statements. One statement may run at a time. */
export class PreparedStatements {
  readonly #connection: Preparing;
  // In order of last use.
  readonly #statements = new Map<string, Promise<Statement>>();

  constructor(connection: Preparing) {
    this.#connection = connection;
  }

  /** Runs a statement that returns no rows; `this` of `done` says what it changed. */
  run(sql: string, bindings: readonly unknown[] = [], done: Done): void {
    this.#execute(sql, done, (statement, then) => statement.run(bindings, then));
  }

  /** Runs a statement to its last row. */
  all(sql: string, bindings: readonly unknown[] = [], done: Done): void {
    this.#execute(sql, done, (statement, then) => statement.all(bindings, then));
  }

  /** Call before closing the connection, which fails while it has statements. */
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
          // Copied, since the next run overwrites them on the statement.
          const outcome = { lastID: this.lastID, changes: this.changes };
          // To SQLite, a statement that met a locked file is running until it is reset, and other statements' writes
          // are committed only when the last one ends (https://www.sqlite.org/lang_transaction.html, 2).
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
