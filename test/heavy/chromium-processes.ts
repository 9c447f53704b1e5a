// The processes of Chromium that a test started, as /proc has them: who they are, and what they hold.

import { readdirSync, readFileSync } from 'node:fs';
import { memoryOf } from '#chromium/process-tree.ts';

export interface ChromiumProcess {
  readonly pid: number;
  readonly parent: number;
}

/** Chromium's processes that this one started, and those that lost their parent; nobody else's. */
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

/** Bytes that all of them hold for themselves. */
export async function bytesHeld(): Promise<number> {
  const roots = chromiums().filter(({ parent }) => parent === process.pid);
  return (await Promise.all(roots.map(({ pid }) => memoryOf(pid)))).reduce((sum, bytes) => sum + bytes, 0);
}

/** Whether a process of Chromium's is of this kind; null = the browser itself, which Platen started. */
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
