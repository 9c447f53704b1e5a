// Preloaded into a server (`--import`): measures how long the answering thread works in one turn of its loop, in processor
// time, so that other processes have no part in it. SIGUSR2 prints the longest since the last one, ms, as a line on stdout.
//
// A guest's processor time holds what its host gave to others ("steal" in proc(5)): a turn of 5 ms was seen as 315. What was
// stolen from all processors meanwhile is taken off a turn that looks long.

import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Below it a turn is not looked at more closely, ms. */
const LOOKS_LONG = 10;
/** How often what was stolen is read, ms. */
const EVERY = 50;

/** By the host since the machine started, from all processors, ms; 0 where the system does not say. */
function stolen(): number {
  try {
    // proc(5): the eighth figure of the first line, in hundredths of a second.
    return 10 * Number(readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/)[8] ?? 0);
  } catch {
    return 0;
  }
}

if (isMainThread) {
  let longest = 0;
  let asCounted = 0;
  let before = { at: performance.now(), stolen: stolen() };
  let worked = process.threadCpuUsage();
  setInterval(() => {
    const usage = process.threadCpuUsage();
    const turn = (usage.user + usage.system - worked.user - worked.system) / 1e3;
    asCounted = Math.max(asCounted, turn);
    const now = performance.now();
    if (turn > LOOKS_LONG || now - before.at > EVERY) {
      const all = stolen();
      longest = Math.max(longest, turn - (all - before.stolen));
      before = { at: now, stolen: all };
    } else longest = Math.max(longest, turn);
    worked = process.threadCpuUsage();
  }, 1).unref();
  process.on('SIGUSR2', () => {
    process.stdout.write(`longest turn ${longest.toFixed(1)} of ${asCounted.toFixed(1)} counted\n`);
    longest = 0;
    asCounted = 0;
  });
}
