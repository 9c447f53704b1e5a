// Starts threads and ends them while they start: `node end-threads.ts ENDS FOLDER`, where the folder is `src` or `dist`.
// Prints how many it ended.

import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const ENDS = Number(process.argv[2]);
const FOLDER = process.argv[3] ?? 'src';
const EXTENSION = FOLDER === 'src' ? 'ts' : 'js';
const WORKER_DATA = { fontFolders: [], concurrency: 1, keptMemory: 2 ** 25 };

const urlOf = (module: string) => new URL(`../../${FOLDER}/${module}.${EXTENSION}`, import.meta.url);

interface Start {
  readonly start: () => Worker;
  /** Whether the thread answers a call; otherwise it says that it is ready. */
  readonly isAsked: boolean;
}

const STARTS: readonly Start[] = [
  // Those that src/draw/renderer/start-thread.ts starts.
  ...['draw/renderer/renderer-thread', 'server/service/templates/checking-thread'].map((module) => ({
    start: () =>
      new Worker(urlOf('draw/renderer/thread-entry'), { workerData: WORKER_DATA, argv: [urlOf(module).href] }),
    isAsked: true,
  })),
  { start: () => new Worker(urlOf('draw/encoders/part-thread')), isAsked: false },
];

/** ms until a new thread posts a message, which shows that its modules have been evaluated. */
async function timeOf({ start, isAsked }: Start): Promise<number> {
  const before = performance.now();
  const thread = start();
  const answered = new Promise((resolve) => thread.once('message', resolve));
  if (isAsked) thread.postMessage([{ kind: 'call', id: 0, name: 'status', argument: null }]);
  await answered;
  await thread.terminate();
  return performance.now() - before;
}

const times = await Promise.all(STARTS.map(timeOf));
let ended = 0;
await Promise.all(
  [0, 1, 2].map(async () => {
    while (ended < ENDS) {
      const index = ended++;
      const [{ start }, time] = [STARTS[index % STARTS.length] as Start, times[index % STARTS.length] as number];
      const thread = start();
      // Multiples of the golden ratio, modulo 1, spread the ends evenly over the time of a start, in no obvious order.
      await pause(time * ((index * 0.618) % 1));
      await thread.terminate();
    }
  }),
);
console.log(`${ended} ended`);
