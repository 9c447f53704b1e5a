// Starts threads and ends them while they start: `node end-threads.ts ENDS`. Prints how many it ended.

import { setTimeout as pause } from 'node:timers/promises';
import { startThread } from '#renderer/start-thread.ts';

const ENDS = Number(process.argv[2]);
const SOURCES = new URL('../../src/', import.meta.url);
const THREADS = ['renderer/renderer-thread.ts', 'service/checking-thread.ts'].map((file) => new URL(file, SOURCES));
const OPTIONS = { workerData: { fontFolders: [], concurrency: 1, keptMemory: 2 ** 25 }, resourceLimits: {} };

/** ms until a new thread answers a call that it does not know, which shows that its modules have been evaluated. */
async function startOf(module: URL): Promise<number> {
  const before = performance.now();
  const thread = startThread(module, OPTIONS);
  const answered = new Promise((resolve) => thread.once('message', resolve));
  thread.postMessage([{ kind: 'call', id: 0, name: 'status', argument: null }]);
  await answered;
  await thread.terminate();
  return performance.now() - before;
}

const starts = await Promise.all(THREADS.map(startOf));
let ended = 0;
await Promise.all(
  [0, 1, 2].map(async () => {
    while (ended < ENDS) {
      const turn = ended++;
      const [module, start] = [THREADS[turn % 2] as URL, starts[turn % 2] as number];
      const thread = startThread(module, OPTIONS);
      // Multiples of the golden ratio, modulo 1, spread the ends evenly over the time of a start, in no obvious order.
      await pause(start * ((turn * 0.618) % 1));
      await thread.terminate();
    }
  }),
);
console.log(`${ended} ended`);
