// Encodes a raster as lossy WebP in some ten milliseconds per megapixel, and an opaque one in half of that on two
// threads.
//
// The RFC 9649 container with one VP8 key frame, and alpha in a chunk of its own; no metadata is written.

import { setImmediate } from 'node:timers/promises';
import { runInSlices } from '#concurrency/time-slice.ts';
import type { Raster } from '#images/raster.ts';
import { type PartThreads, partThreads } from '../part-threads.ts';
import { copyColors } from './color-rows.ts';
import { encodeAlpha } from './encode-alpha.ts';
import { FrameCoder } from './frame-coder.ts';
import { COUNTED } from './kernels.ts';
import { quantizerOf } from './quantizer.ts';
import { type CopyRows, type DecidedRow, macroblocks, RowDecider } from './row-decider.ts';
import { giveUp, type RowJob, type RowReport, rowJob, takeRows } from './take-rows.ts';

/** Least pixels for which sharing with other threads pays: 2 ms of encoding. */
const SHARED_PIXELS = 200_000;
/** From this many pixels on, all decisions might take more memory than may be kept. */
const LARGE = 3_000_000;
/** Most bytes of decisions that are kept: those of a photo of some ten million pixels. */
const MOST_KEPT = 24 * 1024 * 1024;

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
  const frame = threads ? await encodeTogether(raster, quality, threads) : await encodeAlone(raster, quality);
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

/** Decides and codes row by row, so that the decisions of a large picture need not be kept. */
async function encodeAlone(raster: Raster, quality: number): Promise<Uint8Array | null> {
  return runInSlices(decideAndCode(raster, quality));
}

function* decideAndCode(raster: Raster, quality: number, copyRows?: CopyRows): Generator<undefined, Uint8Array | null> {
  const decider = new RowDecider(raster, quality, rowJob(raster, quality).borders, copyRows);
  let coder: FrameCoder | null = null;
  let kept: DecidedRow[] = [];
  let bytes = 0;
  for (let y = 0; y < decider.count; y++) {
    // This thread has made the row above itself, so there is never a wait.
    const row = decider.decide(y).next().value as DecidedRow | null;
    if (!row) {
      decider.release();
      return null;
    }
    kept.push(row);
    bytes += row.decisions.length;
    yield;
    if (bytes < MOST_KEPT && y < decider.count - 1) continue;
    coder ??= new FrameCoder(raster, quantizerOf(quality));
    yield* coder.code(kept, decider.counts);
    kept = [];
    bytes = 0;
  }
  decider.release();
  return coder?.finish() ?? null;
}

/**
 * Encodes a picture with alpha in little memory beyond its pixels and its file: it is gone through row by row.
 *
 * @returns null when the picture is more than one VP8 frame can hold
 */
export async function encodeWebpWithAlpha(raster: Raster, quality: number): Promise<Uint8Array | null> {
  const frame = await runInSlices(decideAndCode(raster, quality, copyColors));
  if (!frame) return null;
  const alpha = await runInSlices(encodeAlpha(raster));
  const header = new Uint8Array(10);
  header[0] = HAS_ALPHA;
  for (const [at, side] of [raster.width, raster.height].entries()) {
    for (let byte = 0; byte < 3; byte++) header[4 + 3 * at + byte] = (side - 1) >> (8 * byte);
  }
  return inRiff([...chunk('VP8X', header), ...chunk('ALPH', alpha), ...chunk('VP8 ', frame)]);
}

/** The flag of the extended header (RFC 9649, section 2.7). */
const HAS_ALPHA = 0x10;

/** Wraps a frame in a RIFF container (RFC 9649, section 2). */
export const inContainer = (frame: Uint8Array): Uint8Array => inRiff(chunk('VP8 ', frame));

function chunk(name: string, content: Uint8Array): Uint8Array[] {
  const head = Buffer.alloc(8);
  head.write(name);
  head.writeUInt32LE(content.length, 4);
  return [head, content, new Uint8Array(content.length % 2)];
}

function inRiff(parts: readonly Uint8Array[]): Uint8Array {
  const head = Buffer.alloc(12);
  head.write('RIFF');
  head.writeUInt32LE(4 + parts.reduce((sum, { length }) => sum + length, 0), 4);
  head.write('WEBP', 8);
  return Buffer.concat([head, ...parts]);
}
