// A process and all that descend from it: what they hold in memory, and their end.
//
// Read from /proc, which Linux alone has. Elsewhere memory reads as 0, and only the process's own group is ended.

import { readdir, readFile } from 'node:fs/promises';

/** Every process that descends from `root`, and `root` itself. */
async function processesOf(root: number): Promise<readonly number[]> {
  const children = new Map<number, number[]>();
  const entries = await readdir('/proc').catch(() => []);
  const reading = entries
    .filter((name) => /^\d+$/.test(name))
    .map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '');
      // The second field is a program's name in parentheses, and may hold anything.
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      if (parent > 0) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    });
  await Promise.all(reading);
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

/** Ends the process, its group and its descendants, at once. */
export async function killTree(root: number): Promise<void> {
  const descendants = await processesOf(root);
  for (const process of [-root, ...descendants]) kill(process);
}

function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
