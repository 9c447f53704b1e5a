// Bounds the memory of large pictures while they are painted and encoded: they queue instead of piling up.
//
// Accounts take turns. Small pictures take nothing, and so never wait for large ones.

import { ByteBudget } from '#base/concurrency/byte-budget.ts';
import { AppError } from '#base/errors.ts';
import type { Size } from '#core/geometry.ts';
import { MOST_LIBRARY_WEBP, type RasterFormat } from '#draw/encoders/encode.ts';
import { waitForMemory } from '#draw/images/memory-budget.ts';
import { type ExportOptions, isVector, type Output } from '#draw/output/formats.ts';

/** Most bytes of all large pictures of a thread: one of the largest fits. */
const TOTAL = 400_000_000;
/** From this many pixels on, a picture is large. */
const LARGE = 4_000_000;
/** How long a picture waits, ms: less than a render's deadline, so that the caller still gets the error. */
const PATIENCE = 15_000;
/** Bytes per pixel that painting and encoding take. */
const PIXEL = { png: 6, jpeg: 6, webp: 6, avif: 54 } as const satisfies Record<RasterFormat, number>;
/** The same of a WebP that the library encodes. */
const LIBRARY_WEBP = 23;

/** Bytes that a picture takes; 0 for a small one, or for vectors. */
export function canvasBytes({ width, height }: Size, output: Output, { scale }: Pick<ExportOptions, 'scale'>): number {
  const pixels = width * height * scale * scale;
  if (isVector(output) || pixels < LARGE) return 0;
  return (output === 'webp' && pixels <= MOST_LIBRARY_WEBP ? LIBRARY_WEBP : PIXEL[output]) * pixels;
}

export class CanvasMemory {
  readonly #budget: ByteBudget;

  /** @param total bytes */
  constructor(total = TOTAL, patience = PATIENCE) {
    this.#budget = new ByteBudget({ total, share: total, patience });
  }

  /**
   * Runs work that takes this many bytes when they are free.
   *
   * @param whose the account
   * @throws AppError `overloaded` when they do not become free in time; the signal's reason
   */
  async run<T>(bytes: number, whose: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (bytes === 0) return work();
    using _loan = await waitForMemory(this.#budget.take(whose, bytes)).catch(asOverload);
    signal.throwIfAborted();
    return await work();
  }
}

/** Whoever's pictures take the memory: those under way are no fault of the one that waits. */
function asOverload(cause: unknown): never {
  throw new AppError('overloaded', 'The server is busy with large pictures; try again in a few seconds.', {
    retryAfter: 5,
    cause,
  });
}
