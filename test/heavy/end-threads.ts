// A process that starts threads and ends them while they start: `node end-threads.ts ENDS`. It says how many there were.

import { setTimeout as pause } from 'node:timers/promises';
import { startThread } from '#renderer/start-thread.ts';

const ENDS = Number(process.argv[2]);
const SOURCES = new URL('../../src/', import.meta.url);
const THREADS = ['renderer/renderer-thread.ts', 'service/checking-thread.ts'].map((file) => new URL(file, SOURCES));
const OPTIONS = { workerData: { fontFolders: [], concurrency: 1, keptMemory: 2 ** 25 }, resourceLimits: {} };

/** ms that a thread takes to answer a call that it does not know, which says that its modules have run. */
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
      // Each moment of a start once, in an order that looks like none: the golden ratio's multiples.
      await pause(start * ((turn * 0.618) % 1));
      await thread.terminate();
    }
  }),
);
console.log(`${ended} ended`);
