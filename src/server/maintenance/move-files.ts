// Copies every file that has a row from one blob store to another. Checks each against what was stored; skips files
// that are there already.

import { AppError } from '#base/errors.ts';
import { CheckedFiles } from '#server/service/files/checked-files.ts';
import type { BlobStore } from '#server/storage/blobs.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { FileKind, StoredFile } from '#server/storage/stored-files.ts';

export interface MovedFiles {
  /** Files now in the target, and their bytes. */
  files: number;
  bytes: number;
  /** Of those, the files copied in this run. */
  copied: number;
  /** One sentence for each file that is damaged or missing at the source, and so is not in the target. */
  readonly damaged: string[];
}

/** Rows read per query, and files copied at once: each may have some 50 MB. */
const BATCH = 500;
const AT_ONCE = 8;

/** Names and sizes of the files in the target. A blob is there completely or not at all. */
async function sizes(blobs: BlobStore): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const { name, size } of blobs.entries()) found.set(name, size);
  return found;
}

/**
 * @param storage holds the rows that own the files
 */
export async function moveFiles(storage: Storage, kind: FileKind, from: BlobStore, to: BlobStore): Promise<MovedFiles> {
  const moved: MovedFiles = { files: 0, bytes: 0, copied: 0, damaged: [] };
  const there = await sizes(to);
  const files = new CheckedFiles(from);

  const move = async (file: StoredFile) => {
    if (there.get(file.name) !== file.size) {
      const bytes = await files.read(file).catch((error) => {
        if (!(error instanceof AppError) || error.code !== 'file_damaged') throw error;
        moved.damaged.push(`${kind}: ${(error.cause as Error).message}`);
        return null;
      });
      if (bytes === null) return;
      await to.put(file.name, bytes, file.format ?? undefined);
      moved.copied += 1;
    }
    moved.files += 1;
    moved.bytes += file.size;
  };

  for (let after = '', rows: StoredFile[]; ; after = rows.at(-1)?.id ?? '') {
    rows = await storage.storedFiles.list(kind, after, BATCH);
    const waiting = rows.values();
    const work = async () => {
      for (const file of waiting) await move(file);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (rows.length < BATCH) return moved;
  }
}
