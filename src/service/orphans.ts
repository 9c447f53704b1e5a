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

/**
 * Removes the file of a row whose transaction failed. One that failed may hold all the same, when its end was not heard:
 * then the file stays, and also when nobody can say, for what is nobody's is swept later.
 *
 * @returns whether there is such a row
 */
export async function removeUnlessOwned(
  blobs: BlobStore,
  name: string,
  owners: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<boolean> {
  const owned = await owners([idOf(name)]).catch(() => null);
  if (owned?.has(idOf(name))) return true;
  if (owned) await blobs.delete(name);
  return false;
}

const idOf = (name: string) => name.replace(/\..*$/, '');
