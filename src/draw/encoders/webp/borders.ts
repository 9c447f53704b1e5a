// Shared state of the threads that encode rows of macroblocks of one picture: the edges that each row leaves for the
// one below, and how far each row has come.
//
// A buffer for one row is enough: a row overwrites only the edges that it has already read, and the row below comes
// later.

import { ABOVE_OF_ONE } from './kernels.ts';

/** Times that the row above is polled before a thread sleeps: some twenty microseconds. */
const LOOKS = 2000;

/** In shared memory, if several threads take part. */
export interface SharedBorders {
  /** Finished macroblocks per row. */
  readonly done: Int32Array;
  /** 64 bytes per macroblock across. */
  readonly left: Uint8Array;
}

/** @param Memory its kind: a runtime at the edge may have none that is shared */
export function newBorders(
  across: number,
  rows: number,
  Memory: new (bytes: number) => ArrayBuffer | SharedArrayBuffer,
): SharedBorders {
  const left = new Uint8Array(new Memory(ABOVE_OF_ONE * across));
  // Above the picture, samples are 127, there are no levels, and modes are DC.
  for (let at = 0; at < left.length; at += ABOVE_OF_ONE) left.fill(127, at, at + 32);
  return { done: new Int32Array(new Memory(4 * rows)), left };
}

/** A wait for progress in the row above. */
export interface Wait {
  /** Blocks the thread. */
  sleep(): void;
  /** Waits without blocking the thread. */
  pass(): Promise<void>;
}

export class Borders {
  readonly #done: Int32Array;
  readonly #left: Uint8Array;
  readonly #across: number;

  constructor({ done, left }: SharedBorders) {
    this.#done = done;
    this.#left = left;
    this.#across = left.length / ABOVE_OF_ONE;
  }

  /** Whether the macroblocks above those of a row up to `end`, and above the next one, are done. Polls briefly. */
  isReady(y: number, end: number): boolean {
    const needed = Math.min(end + 1, this.#across);
    for (let looks = 0; looks < LOOKS; looks++) {
      if (y === 0 || Atomics.load(this.#done, y - 1) >= needed) return true;
    }
    return false;
  }

  /** The wait of row `y` until it can go on up to `end`. */
  wait(y: number, end: number): Wait {
    const seen = () => Atomics.load(this.#done, y - 1);
    const isReady = (done: number) => done >= Math.min(end + 1, this.#across);
    return {
      sleep: () => {
        const done = seen();
        if (!isReady(done)) Atomics.wait(this.#done, y - 1, done);
      },
      pass: async () => {
        const done = seen();
        if (!isReady(done)) await Atomics.waitAsync(this.#done, y - 1, done).value;
      },
    };
  }

  /** Copies the edges above macroblocks `from` to `end`, and above the next one. */
  read(from: number, end: number, above: Uint8Array): void {
    above.set(this.#left.subarray(ABOVE_OF_ONE * from, ABOVE_OF_ONE * (end + 1)), ABOVE_OF_ONE * from);
  }

  /** Stores the bottom edges of macroblocks of row `y` for the row below. */
  leave(y: number, from: number, end: number, above: Uint8Array): void {
    this.#left.set(above.subarray(ABOVE_OF_ONE * from, ABOVE_OF_ONE * end), ABOVE_OF_ONE * from);
    Atomics.store(this.#done, y, end);
    Atomics.notify(this.#done, y);
  }
}
