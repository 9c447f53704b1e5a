// Opens a blob store at the configured place: the data folder, or an S3 bucket.

import { join } from 'node:path';
import { AppError } from '#base/errors.ts';
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
        : ([cause.code, whyNot(s3.endpoint, cause.cause)] as const);
    throw new AppError(code, `The bucket "${s3.bucket}" of ASSETS_URL cannot be used. ${why}`, { cause });
  }
}

/** Why a store cannot be used that did not refuse. */
function whyNot(endpoint: string, error: unknown): string {
  const { code = '', message = '' } = error as NodeJS.ErrnoException;
  if (/CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ALTNAME/.test(code)) {
    return `The certificate of ${endpoint} is not trusted here (${code}). Name the file of its authority in NODE_EXTRA_CA_CERTS.`;
  }
  // Of the store, or of who gives the credentials.
  if (/^(S3 answered|The credentials)/.test(message)) return message.slice(0, 600);
  return `${endpoint} does not answer${code === '' ? '' : ` (${code})`}.`;
}
