// PDF files as one: not there yet.

import { AppError } from '#errors';

/** @throws AppError `invalid_request` */
export async function joinPdfs(_files: readonly (() => Promise<Uint8Array>)[]): Promise<Uint8Array> {
  throw new AppError('invalid_request', 'archive: must be "zip"');
}
