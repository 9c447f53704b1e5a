// Files that no row speaks of: what is left by a process that was killed, or failed, between writing and committing.
//
// Each is given an hour, so that none is taken from somebody who is about to commit.

import type { BlobStore } from '#storage/blobs.ts';

const ORPHANED_AFTER = 60 * 60 * 1000;
/** Files that are looked up at once. */
const BATCH = 500;

/**
 * @param owners those of the ids, which are the files' names without their extensions, that own their file
 * @param signal stops it between two files
 */
export async function removeOrphans(
  blobs: BlobStore,
  owners: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
  signal: AbortSignal,
): Promise<void> {
  let old: string[] = [];
  const removeOld = async () => {
    const owned = await owners(old.map(idOf));
    for (const name of old) if (!owned.has(idOf(name))) await blobs.delete(name);
    old = [];
  };
  for await (const { name, age } of blobs.entries()) {
    if (signal.aborted) return;
    if (age > ORPHANED_AFTER) old.push(name);
    if (old.length >= BATCH) await removeOld();
  }
  await removeOld();
}

const idOf = (name: string) => name.replace(/\..*$/, '');
