// A process and all that descend from it: what they hold in memory, and their end.
//
// Read from /proc, which Linux alone has. Elsewhere memory reads as 0, and only the process's own group is ended.

import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** Every process that descends from `root`, and `root` itself. */
async function processesOf(root: number): Promise<readonly number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const reading = pids.map(
    async (pid) => [pid, await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')] as const,
  );
  return descending(root, await Promise.all(reading));
}

/** The same, of what /proc says of each. */
function descending(root: number, stats: readonly (readonly [pid: number, stat: string])[]): readonly number[] {
  const children = new Map<number, number[]>();
  for (const [pid, stat] of stats) {
    // The second field is a program's name in parentheses, and may hold anything.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (parent > 0) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found = [root];
  for (const process of found) found.push(...(children.get(process) ?? []));
  return found;
}

/** Bytes that the process and its descendants hold for themselves: without the files that they share. */
export async function memoryOf(root: number): Promise<number> {
  const sizes = (await processesOf(root)).map(async (process) => {
    const status = await readFile(`/proc/${process}/status`, 'latin1').catch(() => '');
    const kilobytes = (field: string) => Number(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
    return (kilobytes('RssAnon') + kilobytes('RssShmem')) * 1024;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/**
 * Ends the process, its group and its descendants, at once: without a turn of the event loop in which they could go on,
 * on a machine that they may have made slow.
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
    // It has ended.
    return '';
  }
}

function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
