// Opens the server's renderer: one worker thread, and another while slow renders are drawn.

import { MAX_DECODE_BYTES } from '#draw/images/limits.ts';
import { MemoryBudget } from '#draw/images/memory-budget.ts';
import type { Renderer } from '#draw/renderer/renderer.ts';
import { SlowJobIsolation } from '#draw/renderer/slow-job-isolation.ts';
import { ThreadedRenderer } from '#draw/renderer/threaded-renderer.ts';
import type { Config } from '#server/config/config.ts';
import type { Log } from '#server/observability/log.ts';

/** The longest turn of the thread for quick jobs, ms: a hundred times what one is estimated to take at most. */
const MOST_TURN = 5_000;

export function openRenderer({ fontFolders, renderConcurrency, rasterMemory, fontMemory }: Config, log: Log): Renderer {
  const memory = new MemoryBudget(MAX_DECODE_BYTES);
  const warn = (message: string, err: unknown) => log.error({ err }, message);
  const open = (concurrency: number, keptMemory: number, fontShare: number, turn: { readonly mostTurn?: number }) =>
    new ThreadedRenderer(
      { fontFolders, concurrency, keptMemory, fontMemory: fontMemory * fontShare, ...turn },
      warn,
      memory,
    );
  const quick = open(renderConcurrency, rasterMemory, 2 / 3, { mostTurn: MOST_TURN });
  return new SlowJobIsolation(quick, () => open(1, 0, 1 / 3, {}));
}
