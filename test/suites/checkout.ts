// Where a public test suite lies: in a folder that the caller names, or cloned by git at the commit that was looked at.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Suite {
  /** The folder's name, and the repository's. */
  readonly name: string;
  /** `owner/name` on GitHub. */
  readonly repository: string;
  /** The commit whose fixtures `intended.ts` speaks of. */
  readonly commit: string;
}

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/platen/suites');

/**
 * The folder of a suite.
 *
 * @param root a folder that holds a check-out a suite by its name; null = clone what is not cloned yet
 * @returns null where it is not there, or the network does not allow to fetch it
 */
export function checkout({ name, repository, commit }: Suite, root: string | null): string | null {
  if (root !== null) return existsSync(join(root, name)) ? join(root, name) : null;
  const folder = join(CACHE, name);
  const git = (...args: string[]) => spawnSync('git', ['-C', folder, ...args], { timeout: 120_000 }).status === 0;
  if (existsSync(folder) && git('checkout', '--quiet', commit)) return folder;
  mkdirSync(folder, { recursive: true });
  const isFetched =
    git('init', '--quiet') &&
    git('fetch', '--quiet', '--depth=1', `https://github.com/${repository}.git`, commit) &&
    git('checkout', '--quiet', 'FETCH_HEAD');
  return isFetched ? folder : null;
}
