// Uploads an image to the account's library.

import { accountPath, call } from './api.ts';
import type { StoredImage } from './contract.ts';

/** @throws ApiError */
export function uploadImage(accountId: string, file: File): Promise<StoredImage> {
  return call<StoredImage>('POST', accountPath(accountId, 'images'), { body: file, query: { name: file.name } });
}
