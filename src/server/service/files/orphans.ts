// Removes orphans: files without a row, left by a process that was killed or failed between writing and committing.
//
// A file is removed only after an hour, so that none is taken from a request that is about to commit.

import { AppError } from '#base/errors.ts';
import type { BlobStore } from '#server/storage/blobs.ts';

const ORPHANED_AFTER = 60 * 60 * 1000;
/** Files looked up per query. */
const BATCH = 500;

/**
 * @param owners returns those of the ids (file names without extension) that own their file
 * @param signal stops between two files
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
 * Removes the file of a row whose transaction failed. A failed transaction may have committed all the same, when the
 * reply was lost: then the file stays. It also stays when the database did not answer in time and may still commit, and
 * when the query fails: orphans are swept later.
 *
 * @param failure of the transaction
 * @returns whether the row exists
 */
export async function removeUnlessOwned(
  blobs: BlobStore,
  name: string,
  owners: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
  failure: unknown,
): Promise<boolean> {
  const owned = await owners([idOf(name)]).catch(() => null);
  if (owned?.has(idOf(name))) return true;
  const isOver = !(failure instanceof AppError && failure.code === 'overloaded');
  if (owned && isOver) await blobs.delete(name);
  return false;
}

const idOf = (name: string) => name.split('.', 1)[0] ?? '';
