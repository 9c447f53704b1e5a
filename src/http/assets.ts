// Stored renders at their public address. An asset never changes, so it may be kept for ever.

import { AppError } from '#errors';
import { OUTPUTS } from '#output/formats.ts';
import type { Assets } from '#service/assets.ts';
import { clientHas, sendFile, sendNotModified } from './file-response.ts';
import type { Handler } from './request-context.ts';

/** `GET /assets/rnd_….png` */
export function readAsset(assets: Assets): Handler {
  return async (koa) => {
    const name = koa.params.name ?? '';
    const output = OUTPUTS.find((format) => name.endsWith(`.${format}`));
    const blob = output ? await assets.open(name) : null;
    if (!output || !blob) throw new AppError('not_found', 'asset not found');

    const file = { output, name, etag: name, cacheControl: 'public, max-age=31536000, immutable' };
    if (clientHas(koa, file.etag)) sendNotModified(koa, file);
    else sendFile(koa, file, blob.stream(), blob.size);
  };
}
