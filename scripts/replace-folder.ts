// Replaces a folder's files by those that were built elsewhere, one by one: a server that runs from the folder loads
// some only when it needs them, and finds each under its name at any time.

import { glob, mkdir, mkdtemp, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Builds in a new folder beside `folder`, then moves what was built there, and removes what was not built again.
 *
 * @param build writes to the folder that it is given
 * @param kept the names of subfolders that others build
 */
export async function replaceFolder(
  folder: string,
  kept: readonly string[],
  build: (folder: string) => Promise<void>,
): Promise<void> {
  const built = await mkdtemp(`${folder}-`);
  try {
    await build(built);
    const files = new Set(await filesIn(built));
    for (const file of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await rename(join(built, file), join(folder, file));
    }
    for (const file of await filesIn(folder)) {
      if (!files.has(file) && !kept.some((name) => file.startsWith(`${name}/`))) await remove(folder, file);
    }
  } finally {
    await rm(built, { recursive: true, force: true });
  }
}

/** Removes a file, and the folders that are empty without it: an empty one would look like an installed package. */
async function remove(folder: string, file: string): Promise<void> {
  await rm(join(folder, file));
  for (let parent = dirname(file); parent !== '.'; parent = dirname(parent)) {
    try {
      await rmdir(join(folder, parent));
    } catch {
      return;
    }
  }
}

/** Relative paths. */
async function filesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of glob('**/*', { cwd: folder, withFileTypes: true })) {
    if (entry.isFile()) found.push(join(entry.parentPath, entry.name).slice(folder.length + 1));
  }
  return found;
}
