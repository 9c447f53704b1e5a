// Measures the longest turn of the answering thread's event loop, in processor time, so that other processes do not
// count. It is preloaded into a server (`--import`). SIGUSR2 prints the longest turn since the last print, ms, as a
// line on stdout.
//
// A guest's processor time includes what its host gave to others ("steal" in proc(5)): a turn of 5 ms was measured as
// 315. From a turn that looks long, the time stolen from all processors meanwhile is subtracted.

import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** From this duration on, a turn is corrected for stolen time at once, ms. */
const LOOKS_LONG = 10;
/** The interval at which stolen time is read, ms. */
const EVERY = 50;

/**
 * The time that the host has stolen from all processors since the machine started, ms; 0 if the system does not report
 * it.
 */
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
