// Serves stored renders at their public address. An asset never changes, so caches may keep it for ever.

import { AppError } from '#base/errors.ts';
import { OUTPUTS } from '#draw/output/formats.ts';
import type { Assets } from '#server/service/files/assets.ts';
import { clientHas, mayRedirect, redirectToStore, sendNotModified, sendStored } from '../middleware/file-response.ts';
import type { Handler } from '../middleware/request-context.ts';

export interface StoredFilesContext {
  readonly assets: Assets;
  /** Whether clients are redirected to the store itself, where it has public addresses. */
  readonly redirects: boolean;
}

/** `GET /assets/rnd_….png` */
export function readAsset({ assets, redirects }: StoredFilesContext): Handler {
  return async (koa) => {
    const name = koa.params.name ?? '';
    const output = OUTPUTS.find((format) => name.endsWith(`.${format}`));
    if (!output) throw new AppError('not_found', 'asset not found');

    const file = { output, name, etag: name, cacheControl: 'public, max-age=31536000, immutable' };
    const address = redirects && mayRedirect(koa) ? await assets.address(name) : null;
    if (address !== null) return redirectToStore(koa, address);
    const blob = await assets.open(name);
    if (!blob) throw new AppError('not_found', 'asset not found');
    if (clientHas(koa, file.etag)) sendNotModified(koa, file);
    else await sendStored(koa, file, blob, blob.accountId ?? undefined);
  };
}
