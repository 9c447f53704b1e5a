// Runs a program as root in its own network and mount namespace, where it can add any address.

import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Whether namespaces can be created: only root may, and containers may forbid it even then. */
export const canUnshare = ((): boolean => {
  try {
    execFileSync('unshare', ['-n', '-m', 'ip', 'link'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
})();

/** Runs a program of this folder and parses what it prints as JSON; it is killed after `timeout` ms. */
export async function printedInNamespace(program: string, timeout: number, ...args: string[]): Promise<unknown> {
  const file = join(import.meta.dirname, program);
  const { stdout } = await promisify(execFile)('unshare', ['-n', '-m', process.execPath, file, ...args], {
    maxBuffer: 10_000_000,
    timeout,
  });
  return JSON.parse(stdout);
}

/** Runs `ip`; in a namespace, it changes only that namespace. */
export const ip = (...args: string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });
