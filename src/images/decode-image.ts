// Decodes raster files within a bound of memory: light ones in this process, heavy ones in processes that may be killed.
//
// Each kind has a budget of its own, so that no ordinary picture waits behind large ones.

import { fileURLToPath } from 'node:url';
import { AppError } from '#errors';
import type { DecodeCost } from './decode-cost.ts';
import { type DecodeAnswer, type DecodeTask, performDecode } from './decode-task.ts';
import { KillableProcesses, ProcessEnded, WorkStopped } from './killable-processes.ts';
import { DECODE_SECONDS, HEAVY_DECODE_SECONDS, MAX_DECODE_BYTES, SCALE_SECONDS } from './limits.ts';
import { MemoryBudget, type SharedMemory } from './memory-budget.ts';
import { decoded } from './open-image.ts';
import type { ImageFormat } from './sniff.ts';

export interface HeavyTask {
  readonly file: Uint8Array;
  readonly task: DecodeTask;
  /** How long it may take. */
  readonly seconds: number;
}

/** `problem`: in libvips's own words. */
export type HeavyAnswer = { readonly answer: DecodeAnswer } | { readonly problem: string };

/** A file, and what decoding it takes. */
export interface WeighedFile {
  readonly format: ImageFormat;
  readonly bytes: Uint8Array;
  readonly cost: DecodeCost;
}

/** Bytes that files decoded in this process take together; one that takes more alone is heavy. */
const LIGHT_BYTES = 80_000_000;
/** Bytes that a process may hold beyond what its task was estimated to take: Node, libvips and the file. */
const PROCESS_BYTES = 96_000_000;
/** What one may hold between two tasks. */
const RESTING_BYTES = 64_000_000;
/** ms beyond libvips's own time limit. */
const GRACE = 1_000;

const light = new MemoryBudget(LIGHT_BYTES);
let heavy: SharedMemory = new MemoryBudget(MAX_DECODE_BYTES);
const processes = new KillableProcesses<HeavyTask, HeavyAnswer>({
  entry: fileURLToPath(new URL('./decode-worker.ts', import.meta.url)),
  // As bin/node-settings.mjs has it: freed pictures go back to the system at once.
  env: () => ({ MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '1048576', MALLOC_ARENA_MAX: '2' }),
  resting: RESTING_BYTES,
});

/** Has heavy files take their memory of this: of one budget for all threads of a process. */
export function shareDecodeMemory(memory: SharedMemory): void {
  heavy = memory;
}

/** Whether drawing an image may have to wait for memory, or for others' images, for seconds. */
export const isHeavy = ({ full }: DecodeCost): boolean => full > LIGHT_BYTES;

/**
 * Has a file decoded. How long it may wait for memory is bounded, as is the time that it then takes.
 *
 * @param what it is called in errors ("PNG file")
 * @throws AppError `invalid_request` when the file cannot be decoded or takes too much, `overloaded` when it waited too
 *   long or the system has no memory left
 */
export function decodeImage(
  what: string,
  { format, bytes, cost }: WeighedFile,
  task: DecodeTask,
): Promise<DecodeAnswer> {
  const estimate = estimateOf(cost, task);
  // An AVIF header may say less than what the file decodes to, and its decoder takes that before it can be told.
  const isApart = format === 'avif' || estimate > LIGHT_BYTES;
  const seconds = task.want === 'picture' ? SCALE_SECONDS : isApart ? HEAVY_DECODE_SECONDS : DECODE_SECONDS;
  const work = () =>
    isApart ? decodeApart(what, { file: bytes, task, seconds }, estimate) : performDecode(bytes, task, seconds);
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

/** Messages put bytes anywhere; whoever takes pixels reads them as words of four. */
function aligned(answer: DecodeAnswer): DecodeAnswer {
  return answer instanceof Uint8Array && answer.byteOffset % 4 !== 0 ? new Uint8Array(answer) : answer;
}

function explain(what: string, cause: unknown): never {
  if (cause instanceof ProcessEnded) {
    // By nobody of ours: the system ends what is largest when it has no memory left.
    if (cause.signal === 'SIGKILL') throw noMemory(what, cause);
    throw new AppError('invalid_request', `The ${what} cannot be decoded: the decoder failed on it.`, { cause });
  }
  if (!(cause instanceof WorkStopped)) throw cause;
  const took = cause.tookTooMuch === 'time' ? 'too long' : 'more memory than it may';
  throw new AppError('invalid_request', `The ${what} takes ${took} to decode.`, { cause });
}

const noMemory = (what: string, cause: unknown) =>
  new AppError('overloaded', `The server has no memory to decode the ${what} at the moment; try again later.`, {
    cause,
    retryAfter: 5,
  });
