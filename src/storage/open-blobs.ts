// Opens a blob store at the configured place: the data folder, or an S3 bucket.

import { join } from 'node:path';
import { AppError } from '#errors';
import { type BlobStore, openFileBlobs } from './blobs.ts';
import type { S3Location } from './s3/s3-client.ts';

export interface BlobPlace {
  readonly dataFolder: string;
  /** Null: files are kept in the data folder. */
  readonly s3: S3Location | null;
}

/** The stores; each has its own folder. */
export type BlobFolder = 'assets' | 'images' | 'uploaded-fonts' | 'variants';

/**
 * @throws AppError `conflict` when the bucket refuses access, `overloaded` when it cannot be reached; Error as file
 *   operations do
 */
export async function openBlobs({ dataFolder, s3 }: BlobPlace, folder: BlobFolder): Promise<BlobStore> {
  if (s3 === null) return openFileBlobs(join(dataFolder, folder));
  const { openS3Blobs, S3Refusal } = await import('./s3/s3-blobs.ts');
  try {
    return await openS3Blobs({ location: s3, folder, cacheFolder: join(dataFolder, 'cache') });
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    const [code, why] =
      cause instanceof S3Refusal
        ? (['conflict', cause.detail] as const)
        : ([cause.code, `${s3.endpoint} does not answer.`] as const);
    throw new AppError(code, `The bucket "${s3.bucket}" of ASSETS_URL cannot be used. ${why}`, { cause });
  }
}
