// Decodes raster files within a memory limit: cheap ones in this process, expensive ones in processes that can be
// killed.
//
// Each kind has its own budget, so that ordinary pictures never wait behind large ones.

import { fileURLToPath } from 'node:url';
import { AppError } from '#base/errors.ts';
import type { ImageFormat } from '#core/sniff.ts';
import type { DecodeCost } from './decode-cost.ts';
import { type DecodeAnswer, type DecodeTask, performDecode } from './decode-task.ts';
import { DECODE_SECONDS, HEAVY_DECODE_SECONDS, MAX_DECODE_BYTES, SCALE_SECONDS } from './limits.ts';
import { MemoryBudget, type SharedMemory } from './memory-budget.ts';
import { decoded, isTimeout } from './open-image.ts';
import { noMemory, ProcessEnded, ProcessPool, WorkStopped } from './process-pool.ts';

export interface HeavyTask {
  readonly file: Uint8Array;
  readonly task: DecodeTask;
  /** Time limit. */
  readonly seconds: number;
}

/** `problem`: libvips's message. */
export type HeavyAnswer = { readonly answer: DecodeAnswer } | { readonly problem: string };

/** A file with its decoding cost. */
export interface WeighedFile {
  readonly format: ImageFormat;
  readonly bytes: Uint8Array;
  readonly cost: DecodeCost;
}

/** Most bytes that decoding in this process takes at any time; a file that takes more by itself is heavy. */
const LIGHT_BYTES = 80_000_000;
/** Bytes that a process may use on top of its task's estimate: Node, libvips and the file. */
const PROCESS_BYTES = 96_000_000;
/** Most bytes that an idle process may use. */
const RESTING_BYTES = 64_000_000;
/** ms on top of libvips's own time limit. */
const GRACE = 1_000;

/**
 * How long decoding in this process takes at most. libvips counts the time that passes, also while others have the
 * processor: what takes longer is begun again in a process, whose own time is known.
 */
const LIGHT_SECONDS = 3;

const light = new MemoryBudget(LIGHT_BYTES);
let heavy: SharedMemory = new MemoryBudget(MAX_DECODE_BYTES);
const processes = new ProcessPool<HeavyTask, HeavyAnswer>({
  entry: fileURLToPath(new URL('./decode-worker.ts', import.meta.url)),
  // The settings of bin/node-settings.mjs: freed pictures are returned to the system at once.
  env: () => ({ MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '1048576', MALLOC_ARENA_MAX: '2' }),
  resting: RESTING_BYTES,
});

/** Sets the memory budget for heavy files: one budget for all threads of a process. */
export function shareDecodeMemory(memory: SharedMemory): void {
  heavy = memory;
}

/** Whether drawing an image may wait for seconds, for memory or for other images. */
export const isHeavy = ({ full }: DecodeCost): boolean => full > LIGHT_BYTES;

/**
 * Decodes a file. Both the wait for memory and the decoding itself have time limits.
 *
 * @param what the file's name in errors ("PNG file")
 * @throws AppError `invalid_request` when the file cannot be decoded or takes too much, `overloaded` when it waited too
 * long, others had the processor, or the system has no memory left
 */
export function decodeImage(
  what: string,
  { format, bytes, cost }: WeighedFile,
  task: DecodeTask,
): Promise<DecodeAnswer> {
  const estimate = estimateOf(cost, task);
  // An AVIF header may declare less than the file decodes to, and its decoder allocates that before it can be stopped.
  const isApart = format === 'avif' || estimate > LIGHT_BYTES;
  const seconds = task.want === 'picture' ? SCALE_SECONDS : isApart ? HEAVY_DECODE_SECONDS : DECODE_SECONDS;
  const apart = () => decodeApart(what, { file: bytes, task, seconds }, estimate);
  const work = () =>
    isApart
      ? apart()
      : performDecode(bytes, task, LIGHT_SECONDS).catch((error) => {
          if (!isTimeout(error)) throw error;
          return apart();
        });
  return (estimate > LIGHT_BYTES ? heavy : light).run(estimate, () => decoded(what, work()));
}

function estimateOf(cost: DecodeCost, task: DecodeTask): number {
  if (task.want !== 'picture') return cost.full;
  const { scaled, after } = task.cuts;
  const result = after ?? scaled;
  return (task.shrinks ? cost.shrunk : cost.full) + 4 * result.width * result.height;
}

async function decodeApart(what: string, heavyTask: HeavyTask, estimate: number): Promise<DecodeAnswer> {
  const limits = { time: heavyTask.seconds * 1000 + GRACE, memory: estimate + PROCESS_BYTES };
  const answer = await processes.run(heavyTask, limits).catch((error) => explain(what, error));
  if ('problem' in answer) throw new Error(answer.problem);
  return aligned(answer.answer);
}

/** Bytes in messages may be unaligned; readers of pixels need 4-byte alignment. */
function aligned(answer: DecodeAnswer): DecodeAnswer {
  return answer instanceof Uint8Array && answer.byteOffset % 4 !== 0 ? new Uint8Array(answer) : answer;
}

function explain(what: string, cause: unknown): never {
  if (cause instanceof ProcessEnded) {
    if (cause.signal === 'SIGKILL') throw noMemory(what, cause);
    throw new AppError('invalid_request', `The ${what} cannot be decoded: the decoder failed on it.`, { cause });
  }
  if (!(cause instanceof WorkStopped)) throw cause;
  const took = cause.tookTooMuch === 'time' ? 'too long' : 'more memory than it may';
  throw new AppError('invalid_request', `The ${what} takes ${took} to decode.`, { cause });
}
