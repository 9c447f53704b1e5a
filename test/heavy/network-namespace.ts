// A program run by root in a network and mount namespace of its own, where it may make addresses as it likes.

import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Only root may make a network, and containers may forbid it even so. */
export const canUnshare = ((): boolean => {
  try {
    execFileSync('unshare', ['-n', '-m', 'ip', 'link'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
})();

/** What a program beside this file prints, as JSON; it is ended after so many ms. */
export async function printedInNamespace(program: string, timeout: number): Promise<unknown> {
  const file = join(import.meta.dirname, program);
  const { stdout } = await promisify(execFile)('unshare', ['-n', '-m', process.execPath, file], {
    maxBuffer: 10_000_000,
    timeout,
  });
  return JSON.parse(stdout);
}

/** Runs `ip`; of those who are in the namespace, for them alone. */
export const ip = (...args: string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });
