// The worker thread of threaded-renderer.ts: runs a local renderer whose jobs and supplies come from another thread.

import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { STAGES, type Stage } from '#base/trace.ts';
import { startPartThreads } from '#draw/encoders/part-threads.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { shareDecodeMemory } from '#draw/images/decode-image.ts';
import { waitForMemory } from '#draw/images/memory-budget.ts';
import { setSvgFonts } from '#draw/images/svg-process.ts';
import { resourceCache } from '#draw/output/resource-cache.ts';
import { LocalRenderer } from './local-renderer.ts';
import type { Supplies } from './renderer.ts';
import type { AtWork, SupplyHandlers, ThreadHandlers, ThreadOptions } from './thread-messages.ts';
import { type Port, ThreadRpc } from './thread-rpc.ts';

/** The nice value of the thread. */
const NICENESS = 4;

giveWay();
void begin(parentPort, workerData as ThreadOptions & { readonly atWork: AtWork });

/** Not at the top level, for the reason given in thread-entry.ts. */
async function begin(port: Port | null, options: ThreadOptions & { readonly atWork: AtWork }) {
  const { atWork, fontFolders, concurrency, keptMemory: limit, fontMemory, paintTime } = options;
  if (!port) throw new Error('This file is the entry of a thread.');
  resourceCache.resize(limit);
  // Started early, so that the first picture need not wait for them.
  startPartThreads();
  const library = await openFontLibrary({
    folders: fontFolders,
    ...(fontMemory !== undefined && { memory: fontMemory }),
  });
  setSvgFonts(library.folders, library.generic);
  const renderer = new LocalRenderer({ library, concurrency, paintTime });

  const beginning = (number: number) => (stage: Stage) => {
    atWork[0] = number;
    atWork[1] = STAGES.indexOf(stage);
  };
  const calls: ThreadRpc<SupplyHandlers> = new ThreadRpc<SupplyHandlers>(port, {
    draw: ({ number, job }, signal) =>
      untrapped(renderer.draw(job, suppliesOf(calls, number), signal, beginning(number))),
    measure: ({ number, subject }, signal) =>
      untrapped(renderer.measure(subject, suppliesOf(calls, number), signal, beginning(number))),
    inspect: ({ number, file }, signal) => {
      beginning(number)('load');
      // It is this thread's own. What was aborted may still be read.
      const free = () => {
        if (!signal.aborted && file.buffer instanceof ArrayBuffer) file.buffer.transfer(0);
      };
      return untrapped(renderer.inspect(file, signal)).finally(free);
    },
    // Writes the compile cache now: a thread that is terminated would not write it.
    warmUp: () => renderer.warmUp().finally(flushCompileCache),
    status: () => renderer.status(),
    leave: async () => process.exit(),
  } satisfies ThreadHandlers);

  shareDecodeMemory({
    async run(bytes, work) {
      const lent = await waitForMemory(calls.call('takeMemory', bytes));
      try {
        return await work();
      } finally {
        // It fails only if the other thread has ended, and then this one ends too.
        calls.call('giveMemory', lent).catch(() => {});
      }
    },
  });
}

/**
 * Ends the thread when WebAssembly trapped, and then never answers: the library's memory is no longer sound, so every
 * later job would fail too. No job of the thread is blamed before it has failed in a new one.
 */
async function untrapped<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    setImmediate(() => {
      throw error;
    });
    return new Promise(() => {});
  }
}

/**
 * Gives the thread that answers requests precedence for a processor. Only Linux has per-thread priorities (sched(7)).
 */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, NICENESS);
  } catch {
    // A sandbox may forbid it; then all threads have the same priority.
  }
}

function suppliesOf(calls: ThreadRpc<SupplyHandlers>, job: number): Supplies {
  return {
    template: () => calls.call('template', job),
    fonts: () => calls.call('fonts', job),
    image: (source, signal) => calls.call('image', { job, source }, signal),
    upload: (id, signal) => calls.call('upload', { job, id }, signal),
  };
}
