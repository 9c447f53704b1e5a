// Lists the Chromium processes that a test started, with their memory, from /proc.

import { readdirSync, readFileSync } from 'node:fs';
import { memoryOf } from '#server/chromium/process-tree.ts';

export interface ChromiumProcess {
  readonly pid: number;
  readonly parent: number;
}

/**
 * Returns the Chromium processes below this process, and orphaned ones (adopted by process 1) with their descendants.
 */
export function chromiums(): readonly ChromiumProcess[] {
  const all: ChromiumProcess[] = [];
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (/\((chromium|headless|chrome)/.test(stat)) {
        all.push({ pid: Number(name), parent: Number(parent) });
      }
    } catch {
      // It has ended.
    }
  }
  const own = new Set([process.pid, 1]);
  for (let size = 0; size < own.size; ) {
    size = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  return all.filter(({ pid }) => own.has(pid));
}

/** The memory of all browsers that this process started, with their children, without mapped files, bytes. */
export async function bytesHeld(): Promise<number> {
  const roots = chromiums().filter(({ parent }) => parent === process.pid);
  return (await Promise.all(roots.map(({ pid }) => memoryOf(pid)))).reduce((sum, bytes) => sum + bytes, 0);
}

/** Whether a process is a Chromium process of this type; null = the browser process, which Platen started. */
export function isOf(pid: number, kind: string | null): boolean {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
    return kind === null
      ? line.includes('--remote-debugging-pipe') && !line.includes('--type=')
      : line.includes(`--type=${kind}`);
  } catch {
    // It has ended.
    return false;
  }
}
