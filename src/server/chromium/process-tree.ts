// Measures the memory of a process and its descendants, and kills them.
//
// Uses /proc, which only Linux has. Elsewhere memory reads as 0, and only the process's own group is killed.

import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** The ids of `root` and all its descendants. */
async function processesOf(root: number): Promise<readonly number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const reading = pids.map(
    async (pid) => [pid, await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')] as const,
  );
  return descending(root, await Promise.all(reading));
}

/** As `processesOf`, from the /proc stat text of each process. */
function descending(root: number, stats: readonly (readonly [pid: number, stat: string])[]): readonly number[] {
  const children = new Map<number, number[]>();
  for (const [pid, stat] of stats) {
    // The second field is the program's name in parentheses, and may contain anything.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (parent > 0) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found = [root];
  for (const process of found) found.push(...(children.get(process) ?? []));
  return found;
}

/**
 * How long the main threads of the process and its descendants have waited for a processor, ms: the second field of
 * /proc/[pid]/schedstat (Documentation/scheduler/sched-stats.rst). 0 where the system does not tell.
 */
export async function waitedForProcessor(root: number): Promise<number> {
  const waits = (await processesOf(root)).map(async (process) => {
    const schedstat = await readFile(`/proc/${process}/schedstat`, 'latin1').catch(() => '');
    return Number(schedstat.split(' ')[1] ?? 0) / 1e6;
  });
  return (await Promise.all(waits)).reduce((sum, wait) => sum + wait, 0);
}

/** Memory of the process and its descendants, bytes: anonymous and shared, without mapped files. */
export async function memoryOf(root: number): Promise<number> {
  const sizes = (await processesOf(root)).map(async (process) => {
    const status = await readFile(`/proc/${process}/status`, 'latin1').catch(() => '');
    const kilobytes = (field: string) => Number(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
    return (kilobytes('RssAnon') + kilobytes('RssShmem')) * 1024;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/**
 * Kills the process, its group and its descendants synchronously: with a turn of the event loop in between they could
 * go on, on a machine that they may have slowed down.
 */
export function killTree(root: number): void {
  const stats = listProcesses().map((pid) => [pid, readStat(pid)] as const);
  for (const process of [-root, ...descending(root, stats)]) kill(process);
}

function listProcesses(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    // The process has ended.
    return '';
  }
}

function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}
