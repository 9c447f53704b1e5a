// Tells without a statement whether anybody has committed anything: from the index of SQLite's write-ahead log.
//
// The index is memory that all processes on a database share: a file beside it, whose first bytes every commit changes before
// it returns (https://www.sqlite.org/walformat.html, 2.2). To read them takes microseconds, where a statement is a task of the
// thread pool. Only on Linux is it sure that a read of a file sees what others have written to it in memory.

import { closeSync, openSync, readSync } from 'node:fs';

/** The header of the index, twice: a commit writes the second copy and then the first. In words of the processor's order. */
const HEADER = 12;
/** The word that counts commits. */
const COUNT = 2;

/** Indexes by file, with this process's connections to their databases. */
const indexes = new Map<string, { connections: number; descriptor: number | null }>();

export class Commits {
  readonly #file: string;
  /** As it was before the last look, and after own commits since. */
  #seen: Uint32Array | null = null;

  /** @param database its file */
  constructor(database: string) {
    this.#file = `${database}-shm`;
  }

  /** Call when a connection to the database was opened. */
  opened(): void {
    this.#seen = null;
    const index = indexes.get(this.#file);
    if (index) index.connections += 1;
    else indexes.set(this.#file, { connections: 1, descriptor: null });
  }

  /** Call when one was closed. With the last the file goes away; to close it before would release SQLite's locks on it. */
  closed(): void {
    const index = indexes.get(this.#file);
    if (!index) return;
    index.connections -= 1;
    if (index.connections > 0) return;
    indexes.delete(this.#file);
    if (index.descriptor !== null) closeSync(index.descriptor);
  }

  /** Whether certainly nothing was committed since the last `look`, by any process, but what `own` passes over. */
  get isNone(): boolean {
    const seen = this.#seen;
    return seen !== null && (this.#read()?.every((word, at) => word === seen[at]) ?? false);
  }

  /** Runs `read`, after which nothing that was committed before is news. */
  async look<T>(read: () => Promise<T>): Promise<T> {
    const before = this.#read();
    this.#seen = null;
    const result = await read();
    this.#seen = before;
    return result;
  }

  /**
   * Begins a commit of this process.
   *
   * @returns to be called after it, if it has surely written something, and only what a look does not ask for: passes over this
   *   commit, unless another came in between
   */
  own(): () => void {
    const before = this.#seen;
    return () => {
      const now = before && before === this.#seen ? this.#read() : null;
      if (now && before && now[COUNT] === ((before[COUNT] ?? 0) + 1) >>> 0) this.#seen = now;
    };
  }

  /** Null where it cannot be told, as while another process is writing it. */
  #read(): Uint32Array | null {
    const index = indexes.get(this.#file);
    if (!index || process.platform !== 'linux') return null;
    const both = new Uint32Array(2 * HEADER);
    try {
      index.descriptor ??= openSync(this.#file, 'r');
      if (readSync(index.descriptor, both, 0, both.byteLength, 0) < both.byteLength) return null;
    } catch {
      return null;
    }
    const first = both.subarray(0, HEADER);
    return first.every((word, at) => word === both[HEADER + at]) ? first : null;
  }
}
