// Runs on each of the threads that share a picture: takes rows of macroblocks from a shared counter and decides them, a
// little behind the thread that has the row above.

import type { Raster } from '#draw/images/raster.ts';
import { newBorders, type SharedBorders, type Wait } from './borders.ts';
import { type DecidedRow, macroblocks, RowDecider } from './row-decider.ts';

/** A picture whose rows are to be decided; its pixels are in shared memory if several threads take part. */
export interface RowJob {
  readonly raster: Raster;
  readonly quality: number;
  readonly borders: SharedBorders;
  /** In shared memory: the next row to take. */
  readonly next: Int32Array;
}

export interface RowReport {
  readonly rows: readonly DecidedRow[];
  /** Counts of each decision in these rows. */
  readonly counts: Uint32Array;
}

/** Counter value that stops all threads. */
const OVER = 1 << 30;

export function rowJob(raster: Raster, quality: number): RowJob {
  const borders = newBorders(macroblocks(raster.width), macroblocks(raster.height), SharedArrayBuffer);
  return { raster, quality, borders, next: new Int32Array(new SharedArrayBuffer(4)) };
}

/**
 * Decides one row per step until none is left; some steps are only a wait for the row above.
 *
 * @returns null when a pixel is not opaque
 */
export function* takeRows(job: RowJob): Generator<Wait | null, RowReport | null> {
  const decider = new RowDecider(job.raster, job.quality, job.borders);
  const rows: DecidedRow[] = [];
  let isWhole = false;
  try {
    for (let y = nextRow(job); y < decider.count; y = nextRow(job)) {
      const row = yield* decider.decide(y);
      if (!row) return null;
      rows.push(row);
      yield null;
    }
    isWhole = true;
    return { rows, counts: decider.counts };
  } finally {
    // Threads that wait for this thread's rows would wait for ever.
    if (!isWhole) giveUp(job);
    decider.release();
  }
}

const nextRow = ({ next }: RowJob) => Atomics.add(next, 0, 1);

/** Makes all threads stop soon; the rows that they still decide are discarded. */
export function giveUp({ borders: { done }, next }: RowJob): void {
  Atomics.store(next, 0, OVER);
  for (const y of done.keys()) {
    Atomics.store(done, y, OVER);
    Atomics.notify(done, y);
  }
}
