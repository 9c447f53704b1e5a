// SVG text of our own in, RGBA pixels out, as draw-svg-text.ts makes them, in a process that is killed when it takes too
// long or too much: nothing ends resvg on a thread once it has begun.

import { fileURLToPath } from 'node:url';
import type { Size } from '#core/geometry.ts';
import { KillableProcesses, WorkStopped } from '#images/killable-processes.ts';
import type { Raster } from '#images/raster.ts';
import { TooMuchToDraw } from './too-much-to-draw.ts';

export interface DrawingTask {
  readonly svg: string;
  readonly size: Size;
}

/** `problem`: in the rasteriser's own words. */
export type DrawingAnswer = { readonly pixels: Uint8Array } | { readonly problem: string };

/** How what takes long is waited for. */
export interface Patience {
  /** Ends it at once. */
  readonly signal: AbortSignal;
  /** Has it done where it keeps nobody from their turn. */
  readonly aside: <T>(work: () => Promise<T>) => Promise<T>;
}

/** ms that one drawing may take: less than the deadline of a render, so that its layer can be named in time. */
const MOST_TIME = 20_000;
/** Bytes that its process may hold beyond as many canvases as groups may be drawn on inside one another. */
const MOST_MEMORY = 512 * 1024 * 1024;
const MOST_CANVASES = 12;

const processes = new KillableProcesses<DrawingTask, DrawingAnswer>({
  entry: fileURLToPath(new URL('./svg-text-worker.ts', import.meta.url)),
  env: () => ({}),
});

/**
 * Draws a document whose `width` and `height` are `size`.
 *
 * @param patience where none is told, it is drawn at once
 * @throws TooMuchToDraw, the signal's reason, or what `aside` throws
 */
export async function drawSvgApart(svg: string, size: Size, patience: Patience | undefined): Promise<Raster> {
  const memory = MOST_MEMORY + MOST_CANVASES * 4 * size.width * size.height;
  const limits = { time: MOST_TIME, memory, signal: patience?.signal };
  const draw = () => processes.run({ svg, size }, limits).catch(explain);
  const answer = await (patience ? patience.aside(draw) : draw());
  if ('problem' in answer) throw new Error(answer.problem);
  return { ...size, pixels: answer.pixels };
}

function explain(error: unknown): never {
  if (!(error instanceof WorkStopped)) throw error;
  const what = error.tookTooMuch === 'time' ? 'too long' : 'too much memory';
  throw new TooMuchToDraw(`takes ${what} to draw; make it smaller or simpler`, { cause: error });
}
