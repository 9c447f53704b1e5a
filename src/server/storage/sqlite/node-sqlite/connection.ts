// Adapts Node's own SQLite to the interface of the driver sqlite3, for installations without that driver's binding.
//
// Implements only the calls and errors that knex's dialect and our prepared statements use. A worker thread does the
// work.

import { Worker } from 'node:worker_threads';
import { YOUNG } from '#base/concurrency/young-generation.ts';
import type { DriverError, Reply, Request } from './worker.ts';

/** The result of a writing statement; `this` of its callback. */
interface Outcome {
  readonly lastID: number;
  readonly changes: number;
}

type Done = (this: Outcome, error: Error | null, rows?: unknown[]) => void;
type Values = readonly unknown[];

export class NodeSqliteConnection {
  readonly #worker: Worker;
  readonly #waiting: ((reply: Reply) => void)[] = [];
  #statements = 0;

  /**
   * @param done called when the file was opened, or with the error
   */
  constructor(filename: string, ...rest: readonly unknown[]) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: { filename },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG.helping },
    });
    this.#worker.on('message', (reply: Reply) => this.#settle(reply));
    this.#worker.on('error', (error) => this.#fail(error.message));
    this.#worker.on('exit', () => this.#fail('The connection is closed.'));
    this.#worker.unref();
    const done = rest.at(-1);
    if (typeof done === 'function') this.#ask({ kind: 'open' }, (reply) => done(errorOf(reply)));
  }

  exec(sql: string, done: (error: Error | null) => void): void {
    this.#ask({ kind: 'exec', sql }, (reply) => done(errorOf(reply)));
  }

  prepare(sql: string, done: (error: Error | null) => void): NodeSqliteStatement {
    this.#statements += 1;
    const statement = this.#statements;
    this.#ask({ kind: 'prepare', statement, sql }, (reply) => done(errorOf(reply)));
    return new NodeSqliteStatement(statement, (request, then) => this.#ask(request, then));
  }

  run(sql: string, ...rest: readonly unknown[]): void {
    this.#once(sql, 'run', rest);
  }

  all(sql: string, ...rest: readonly unknown[]): void {
    this.#once(sql, 'all', rest);
  }

  get(sql: string, done: (error: Error | null, row: unknown) => void): void {
    this.all(sql, [], (error: Error | null, rows?: unknown[]) => done(error, rows?.[0]));
  }

  close(done: (error: Error | null) => void): void {
    this.#ask({ kind: 'close' }, (reply) => done(errorOf(reply)));
  }

  /** Runs a statement once and finalizes it. */
  #once(sql: string, kind: 'run' | 'all', rest: readonly unknown[]): void {
    const done = rest.at(-1) as Done;
    const bindings = (Array.isArray(rest[0]) ? rest[0] : []) as Values;
    const statement = this.prepare(sql, (error) => {
      if (error) done.call({ lastID: 0, changes: 0 }, error);
    });
    statement[kind](bindings, function (error, rows) {
      statement.finalize(() => {});
      // A compile error was reported already.
      if (!isUncompiled(error)) done.call(this, error, rows);
    });
  }

  #ask(request: Request, then: (reply: Reply) => void): void {
    // Keeps the process alive while a statement runs, but not for an idle connection.
    this.#worker.ref();
    this.#waiting.push(then);
    this.#worker.postMessage(request);
  }

  #settle(reply: Reply): void {
    const then = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    then?.(reply);
  }

  #fail(message: string): void {
    while (this.#waiting.length > 0) this.#settle({ error: { code: 'SQLITE_MISUSE', errno: 21, message } });
  }
}

class NodeSqliteStatement {
  readonly #id: number;
  readonly #ask: (request: Request, then: (reply: Reply) => void) => void;

  constructor(id: number, ask: (request: Request, then: (reply: Reply) => void) => void) {
    this.#id = id;
    this.#ask = ask;
  }

  run(bindings: Values, done: Done): void {
    this.#step('run', bindings, done);
  }

  all(bindings: Values, done: Done): void {
    this.#step('all', bindings, done);
  }

  /** Nothing to do: Node resets a statement after each run, also a failed one. */
  reset(done: () => void): void {
    done();
  }

  finalize(done: () => void): void {
    this.#ask({ kind: 'finalize', statement: this.#id }, () => done());
  }

  #step(kind: 'run' | 'all', bindings: Values, done: Done): void {
    this.#ask({ kind, statement: this.#id, bindings }, (reply) => {
      if (reply.error) done.call({ lastID: 0, changes: 0 }, errorOf(reply));
      else done.call({ lastID: reply.lastID, changes: reply.changes }, null, [...reply.rows]);
    });
  }
}

const errorOf = ({ error }: Reply): Error | null => (error === null ? null : driverError(error));

function driverError({ code, errno, message }: DriverError): Error {
  return Object.assign(new Error(message), { code, errno });
}

const isUncompiled = (error: Error | null) => error?.message === 'The statement was finalized.';
