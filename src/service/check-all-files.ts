// Walks all stored files, compares each with what was stored, and notes the digests of those that have none.

import { AppError } from '#errors';
import type { BlobStore } from '#storage/blobs.ts';
import type { Storage } from '#storage/storage.ts';
import { FILE_KINDS, type FileKind, type StoredFile } from '#storage/stored-files.ts';
import { CheckedFiles, digestOfBlob } from './checked-files.ts';

export interface FileCheck {
  /** Files that are as they were stored. */
  sound: number;
  /** Of them, those whose digest was noted now. */
  filledIn: number;
  /** A sentence for each that is not. */
  readonly damaged: string[];
}

/** Rows that are read at once. */
const BATCH = 500;

/** @param blobs of each kind; null where the folder does not exist */
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
    // Whoever deletes it meanwhile, or sweeps it, takes its row too.
    const row = await storage.storedFiles.find(kind, file.id);
    if (row) check.damaged.push(`${kind}: ${(error.cause as Error).message}`);
  }
}
