// Uploads an image to the account's library, and tells the studio's other tabs that its images or fonts have changed.

import { accountPath, call } from './api.ts';
import type { StoredImage } from './contract.ts';

/** @param folder '' = none @throws ApiError */
export function uploadImage(accountId: string, file: File, folder = ''): Promise<StoredImage> {
  const query = { name: file.name, folder };
  return call<StoredImage>('POST', accountPath(accountId, 'images'), { body: file, query });
}

const CHANNEL = 'platen-uploads';

/** Tells them that an image or a font was added, deleted or brought back. */
export function tellUploadsChanged(accountId: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(accountId);
  channel.close();
}

/** Calls `listener` when another tab changed the account's uploads. Returns a function that ends this. */
export function onUploadsChanged(accountId: string, listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data === accountId) listener();
  };
  return () => channel.close();
}
