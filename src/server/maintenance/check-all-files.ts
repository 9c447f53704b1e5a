// Compares all stored files with their recorded size and digest, and records missing digests.

import { AppError } from '#base/errors.ts';
import { CheckedFiles, digestOfBlob } from '#server/service/files/checked-files.ts';
import type { BlobStore } from '#server/storage/blobs.ts';
import type { Storage } from '#server/storage/storage.ts';
import { FILE_KINDS, type FileKind, type StoredFile } from '#server/storage/stored-files.ts';

export interface FileCheck {
  /** Files that match what was stored. */
  sound: number;
  /** Of the sound files, those whose digest was recorded now. */
  filledIn: number;
  /** One sentence for each damaged file. */
  readonly damaged: string[];
}

/** Rows read per query. */
const BATCH = 500;

/**
 * @param blobs by kind; null where the folder does not exist
 */
export async function checkAllFiles(
  storage: Storage,
  blobs: Readonly<Record<FileKind, BlobStore | null>>,
): Promise<FileCheck> {
  const check: FileCheck = { sound: 0, filledIn: 0, damaged: [] };
  for (const kind of FILE_KINDS) {
    const store = blobs[kind];
    for (let after = '', rows: StoredFile[]; ; after = rows.at(-1)?.id ?? '') {
      rows = await storage.storedFiles.list(kind, after, BATCH);
      for (const file of rows) await checkFile(storage, kind, store, file, check);
      if (rows.length < BATCH) break;
    }
  }
  return check;
}

async function checkFile(
  storage: Storage,
  kind: FileKind,
  store: BlobStore | null,
  file: StoredFile,
  check: FileCheck,
): Promise<void> {
  try {
    const blob = store && (await new CheckedFiles(store).open(file));
    if (blob && file.digest === null) {
      await storage.storedFiles.fillIn(kind, file.id, await digestOfBlob(blob));
      check.filledIn += 1;
    }
    check.sound += 1;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'file_damaged') throw error;
    // A file that was deleted or swept meanwhile has no row any more.
    const row = await storage.storedFiles.find(kind, file.id);
    if (row) check.damaged.push(`${kind}: ${(error.cause as Error).message}`);
  }
}
