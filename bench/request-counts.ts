// Loaded into a server by bench/request-path.ts: counts what its main thread does, and writes the counts to the file COUNTS
// at each SIGUSR2.

import { renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { isMainThread, Worker } from 'node:worker_threads';

export interface RequestCounts {
  /** Statements run by SQLite: each is a task of the thread pool. */
  readonly statements: number;
  /** Messages to other threads, and from them. */
  readonly messages: number;
  /** Turns of the event loop. */
  readonly turns: number;
}

/** Has `before` called at each call of a method. */
function watch<T extends object>(of: T, method: string, before: (...args: readonly unknown[]) => void): void {
  const methods = of as Record<string, (...args: readonly unknown[]) => unknown>;
  const original = methods[method];
  if (!original) return;
  methods[method] = function (this: unknown, ...args) {
    before(...args);
    return Reflect.apply(original, this, args);
  };
}

function count(file: string): void {
  let [statements, messages] = [0, 0];
  // That of the server, which may be another checkout's.
  const sqlite3 = createRequire(join(process.cwd(), 'package.json'))('sqlite3');
  for (const method of ['run', 'all', 'get', 'each']) watch(sqlite3.Statement.prototype, method, () => statements++);
  watch(Worker.prototype, 'postMessage', () => messages++);
  watch(Worker.prototype, 'emit', (name) => {
    if (name === 'message') messages++;
  });
  process.on('SIGUSR2', () => {
    const turns = performance.nodeTiming.uvMetricsInfo.loopCount;
    writeFileSync(`${file}.new`, JSON.stringify({ statements, messages, turns } satisfies RequestCounts));
    renameSync(`${file}.new`, file);
  });
}

const file = process.env.COUNTS;
if (isMainThread && file) count(file);
