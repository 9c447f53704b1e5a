// Deadlines that a busy machine does not shorten: time in which work waited for a processor is not its own.

import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import { resultWithin } from './deadline.ts';

/** Work that used at least this part of its time on a processor was slow itself: it never waited for long. */
const NEARLY = 0.9;
/** A thread that had less of a processor while it had work lacked one. */
const FAIR_SHARE = 2 / 3;
/** How many times its time work may take at most. */
const AT_LAST = 4;

/** Whether work that has gone on for `ms` and used so much processor time is slow by itself. */
export const isSlowItself = (used: number, ms: number): boolean => used >= NEARLY * ms;

/**
 * Calls `late` when work has taken its time, or up to four times as long as long as others have the processor.
 *
 * @param ms its time
 * @param used the processor time that it has used, ms
 * @param late called once; `isItsOwn` is false where it was late because of others
 * @param atLast after how many ms it is late, however busy others are
 * @returns what ends the watch
 */
export function whenLate(
  ms: number,
  used: () => Promise<number>,
  late: (isItsOwn: boolean) => void,
  atLast = AT_LAST * ms,
): () => void {
  const begun = performance.now();
  let isOver = false;
  const look = async () => {
    const isItsOwn = isSlowItself(await used(), ms);
    if (isOver) return;
    if (isItsOwn || performance.now() - begun > atLast) late(isItsOwn);
    else timer = setTimeout(look, ms / 4);
  };
  let timer = setTimeout(look, ms);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** How long a thread may take to say what it used, ms: one that is in foreign code does not. */
const ASKED = 200;

/**
 * Counts the processor time of a thread from now on, ms. One that does not say what it used, in foreign code or on a busy
 * machine, has used at most what the whole process has; one that has ended, none.
 */
export function countThreadTime(thread: Worker): () => Promise<number> {
  const [begun, all] = [performance.now(), process.cpuUsage()];
  const before = timeOfThread(thread);
  return async () => {
    const [then, now] = [await before, await timeOfThread(thread)];
    if (then !== null && now !== null) return Math.max(0, now - then);
    const { user, system } = process.cpuUsage(all);
    return Math.min(performance.now() - begun, (user + system) / 1e3);
  };
}

/** Null when it does not answer. */
async function timeOfThread(thread: Worker): Promise<number | null> {
  // Node before 24.6 has no such method.
  if (!('cpuUsage' in thread)) return null;
  const usage = thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return resultWithin(ASKED, usage, () => new Error()).then(
    ({ user, system }) => (user + system) / 1e3,
    () => null,
  );
}

/** Active time of a thread from which on its share of a processor is known, ms. */
const TELLING = 300;

/** A machine where some task lacked a processor in this part of a minute is too busy to blame what waited. */
const BUSY_MINUTE = 0.5;

/**
 * @returns whether the calling thread was late because of others since: it had less than its share of a processor while it
 *   had work, or it waited for other threads on a busy machine; false where Node does not tell (before 23.9)
 */
export function watchOwnThread(): () => Promise<boolean> {
  const [begun, before, loop] = [performance.now(), process.threadCpuUsage?.(), performance.eventLoopUtilization()];
  return async () => {
    if (!before) return false;
    const { user, system } = process.threadCpuUsage(before);
    const used = (user + system) / 1e3;
    const { active } = performance.eventLoopUtilization(loop);
    if (active > TELLING && used < FAIR_SHARE * active) return true;
    if (used >= FAIR_SHARE * (performance.now() - begun)) return false;
    const pressure = await readFile('/proc/pressure/cpu', 'latin1').catch(() => '');
    return lackedIn(pressure) > BUSY_MINUTE;
  };
}

/** The part of the last minute, 0 to 1, in which some task waited for a processor (Linux's PSI); 0 if it is not told. */
export const lackedIn = (pressure: string): number => Number(/^some .*avg60=([\d.]+)/m.exec(pressure)?.[1] ?? 0) / 100;

/** ms per tick of /proc (USER_HZ, which is 100 for all programs). */
const TICK = 10;

/** The processor time of a process, ms; as much as time has passed where the system does not tell (all but Linux). */
export async function processorTimeOfProcess(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  return stat === null ? performance.now() : processorTimeIn(stat);
}

/** Fields 14 and 15 of /proc/[pid]/stat (proc_pid_stat(5)), ms; those of children that have ended are left out. */
export function processorTimeIn(stat: string): number {
  // The second field is the program's name in parentheses, and may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK;
}
