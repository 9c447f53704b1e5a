// What the rows of macroblocks of one picture leave to those below them, and how far each has come: what threads that make
// rows of one picture have in common.
//
// One row's worth is enough: a row overwrites what it was left only where it has read it, and the row below comes after.

import { ABOVE_OF_ONE } from './kernels.ts';

/** Looks at the row above before a thread goes to sleep: some twenty microseconds. */
const LOOKS = 2000;

/** In shared memory. */
export interface SharedBorders {
  /** Macroblocks that are done, for each row. */
  readonly done: Int32Array;
  /** 64 bytes for each macroblock across. */
  readonly left: Uint8Array;
}

export function newBorders(across: number, rows: number): SharedBorders {
  const left = new Uint8Array(new SharedArrayBuffer(ABOVE_OF_ONE * across));
  // Above the picture there are samples of 127, no levels, and DC modes.
  for (let at = 0; at < left.length; at += ABOVE_OF_ONE) left.fill(127, at, at + 32);
  return { done: new Int32Array(new SharedArrayBuffer(4 * rows)), left };
}

/** A wait for the row above to go on. */
export interface Wait {
  /** Blocks the thread. */
  sleep(): void;
  /** Lets other work go on. */
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

  /** Whether what is above a row's macroblocks up to `end`, and above the next one, is done. */
  isReady(y: number, end: number): boolean {
    const needed = Math.min(end + 1, this.#across);
    for (let looks = 0; looks < LOOKS; looks++) {
      if (y === 0 || Atomics.load(this.#done, y - 1) >= needed) return true;
    }
    return false;
  }

  /** What row `y` waits for, to go on up to `end`. */
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

  /** Copies what stands above macroblocks `from` to `end`, and above the next one. */
  read(from: number, end: number, above: Uint8Array): void {
    above.set(this.#left.subarray(ABOVE_OF_ONE * from, ABOVE_OF_ONE * (end + 1)), ABOVE_OF_ONE * from);
  }

  /** Leaves what those of row `y` show to the row below. */
  leave(y: number, from: number, end: number, above: Uint8Array): void {
    this.#left.set(above.subarray(ABOVE_OF_ONE * from, ABOVE_OF_ONE * end), ABOVE_OF_ONE * from);
    Atomics.store(this.#done, y, end);
    Atomics.notify(this.#done, y);
  }
}
