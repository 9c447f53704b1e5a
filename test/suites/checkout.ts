// Finds the check-out of a public test suite: in a folder that the caller names, or cloned by git at a pinned commit.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Suite {
  /** The folder's name, and the repository's. */
  readonly name: string;
  /** `owner/name` on GitHub. */
  readonly repository: string;
  /** The commit to whose fixtures `intended.ts` refers. */
  readonly commit: string;
}

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/platen/suites');

/**
 * Returns the folder of a suite.
 *
 * @param root a folder with a check-out of each suite, by its name; null = clone a suite unless it is cloned already
 * @returns null if it is not there, or cannot be fetched
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
