// One of several threads that decide a picture: takes its rows of macroblocks by turns with the others, from a common
// counter, and follows a little behind whoever has the row above.

import type { Raster } from '#images/raster.ts';
import { newBorders, type SharedBorders, type Wait } from './borders.ts';
import { type DecidedRow, macroblocks, RowDecider } from './row-decider.ts';

/** A picture whose rows are to be decided; its pixels are in shared memory where several threads do it. */
export interface RowJob {
  readonly raster: Raster;
  readonly quality: number;
  readonly borders: SharedBorders;
  /** In shared memory: which row to take next. */
  readonly next: Int32Array;
}

export interface RowReport {
  readonly rows: readonly DecidedRow[];
  /** How often each decision was taken in them. */
  readonly counts: Uint32Array;
}

/** The counter of a picture that nobody needs to go on with. */
const OVER = 1 << 30;

export function rowJob(raster: Raster, quality: number): RowJob {
  const borders = newBorders(macroblocks(raster.width), macroblocks(raster.height));
  return { raster, quality, borders, next: new Int32Array(new SharedArrayBuffer(4)) };
}

/**
 * Decides a row at each step until none is left; some steps are but a wait for the row above.
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
    // Whoever waits for this thread's rows would wait for ever.
    if (!isWhole) giveUp(job);
    decider.release();
  }
}

const nextRow = ({ next }: RowJob) => Atomics.add(next, 0, 1);

/** Has all threads end soon: the rows that they still make are of no use. */
export function giveUp({ borders: { done }, next }: RowJob): void {
  Atomics.store(next, 0, OVER);
  for (const y of done.keys()) {
    Atomics.store(done, y, OVER);
    Atomics.notify(done, y);
  }
}
