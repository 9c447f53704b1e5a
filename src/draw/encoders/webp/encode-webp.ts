// Encodes a raster as lossy WebP in some ten milliseconds per megapixel, and an opaque one in half of that on two
// threads.
//
// The RFC 9649 container with one VP8 key frame, and alpha in a chunk of its own; no metadata is written.

import { setImmediate } from 'node:timers/promises';
import { runInSlices } from '#base/concurrency/time-slice.ts';
import type { Raster } from '#draw/images/raster.ts';
import { type PartThreads, partThreads } from '../part-threads.ts';
import { inContainer } from './container.ts';
import { encodeOpaque, encodeWithAlpha } from './encode-alone.ts';
import { FrameCoder } from './frame-coder.ts';
import { COUNTED } from './kernels.ts';
import { quantizerOf } from './quantizer.ts';
import { type DecidedRow, macroblocks } from './row-decider.ts';
import { giveUp, type RowJob, type RowReport, rowJob, takeRows } from './take-rows.ts';

/** Least pixels for which sharing with other threads pays: 2 ms of encoding. */
const SHARED_PIXELS = 200_000;
/** From this many pixels on, all decisions might take more memory than may be kept. */
const LARGE = 3_000_000;

/**
 * @param quality 0 to 100, on libwebp's scale
 * @param findThreads returns threads that can help, or null
 * @returns null when a pixel is not opaque, or the picture is more than one VP8 frame can hold
 */
export async function encodeWebp(
  raster: Raster,
  quality: number,
  findThreads: typeof partThreads = partThreads,
): Promise<Uint8Array | null> {
  const { width, height } = raster;
  const pixels = width * height;
  const threads = pixels >= SHARED_PIXELS && pixels < LARGE ? findThreads() : null;
  if (!threads) return runInSlices(encodeOpaque(raster, quality));
  const frame = await encodeTogether(raster, quality, threads);
  return frame && inContainer(frame);
}

/** Decides all rows on several threads, then codes them. */
async function encodeTogether(raster: Raster, quality: number, threads: PartThreads): Promise<Uint8Array | null> {
  const decided = await decideTogether(rowJob(raster, quality), threads);
  if (!decided) return null;
  const coder = new FrameCoder(raster, quantizerOf(quality));
  await runInSlices(coder.code(decided.rows, decided.counts));
  return coder.finish();
}

/** All rows in order, with the counts of all of them. */
async function decideTogether(job: RowJob, threads: PartThreads): Promise<RowReport | null> {
  const { promise, resolve, reject } = Promise.withResolvers<RowReport | null>();
  const rows: DecidedRow[] = [];
  const counts = new Uint32Array(COUNTED);
  let missing = macroblocks(job.raster.height);
  const gather = (report: RowReport | null) => {
    if (!report) return resolve(null);
    for (const row of report.rows) rows[row.y] = row;
    for (const [decision, count] of report.counts.entries()) counts[decision] = (counts[decision] ?? 0) + count;
    missing -= report.rows.length;
    // A thread that comes too late to take a row is not waited for: on a busy machine that may take long.
    if (missing === 0) resolve({ rows, counts });
  };
  const fail = (error: unknown) => {
    giveUp(job);
    reject(error);
  };
  for (const report of threads.takeRows(job)) report.then(gather, fail);
  takeRowsBetween(job).then(gather, fail);
  return promise;
}

/**
 * Decides rows on the main thread, each in about a quarter of a millisecond, and yields to its other work in between.
 */
async function takeRowsBetween(job: RowJob): Promise<RowReport | null> {
  const steps = takeRows(job);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await (value ? value.pass() : setImmediate());
  }
}

/**
 * Encodes a picture with alpha in little memory beyond its pixels and its file: it is gone through row by row.
 *
 * @returns null when the picture is more than one VP8 frame can hold
 */
export async function encodeWebpWithAlpha(raster: Raster, quality: number): Promise<Uint8Array | null> {
  return runInSlices(encodeWithAlpha(raster, quality));
}
