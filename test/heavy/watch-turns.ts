// Preloaded into a server (`--import`): measures how long the answering thread works in one turn of its loop, in processor
// time, so that the machine has no part in it. SIGUSR2 prints the longest since the last one, ms, as a line on stdout.

import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  let longest = 0;
  let worked = process.threadCpuUsage();
  setInterval(() => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, (now.user + now.system - worked.user - worked.system) / 1e3);
    worked = now;
  }, 1).unref();
  process.on('SIGUSR2', () => {
    process.stdout.write(`longest turn ${longest.toFixed(1)}\n`);
    longest = 0;
  });
}
