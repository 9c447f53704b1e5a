// `/v1/images`: upload, list, read and delete images; and the files themselves at their public address.

import { AppError } from '#base/errors.ts';
import { type Image, type ImageLibrary, imagePath } from '#server/service/files/images.ts';
import { answerWith, type JsonAnswer } from '../middleware/answer.ts';
import { callerOf } from '../middleware/authentication.ts';
import {
  clientHas,
  isServed,
  mayRedirect,
  redirectToStore,
  sendNotModified,
  sendStored,
} from '../middleware/file-response.ts';
import { MAX_LIMIT, pageRequest } from '../middleware/list-query.ts';
import { permitOf } from '../middleware/permit.ts';
import type { Handler } from '../middleware/request-context.ts';
import { readUpload } from '../middleware/upload.ts';

/** Maximum size of an image, bytes. */
export const MAX_IMAGE = 15 * 1024 * 1024;

export interface ImagesContext {
  readonly images: ImageLibrary;
  /** The server's own URL, without a trailing slash. */
  readonly address: () => string;
}

export function uploadImage({ images, address }: ImagesContext): Handler {
  return async (koa) => {
    const { accountId } = callerOf(koa);
    const bytes = await readUpload(koa, MAX_IMAGE);
    const showUploaded = (image: Image): JsonAnswer => ({ status: 201, body: show(image, address()) });
    await answerWith(koa, showUploaded, (onCommit) => images.upload(accountId, bytes, onCommit));
  };
}

export function listImages({ images, address }: ImagesContext): Handler {
  return async (koa) => {
    const { items, next } = await images.page(callerOf(koa).accountId, null, pageRequest(koa, MAX_LIMIT));
    koa.body = { images: items.map((image) => show(image, address())), ...(next !== null && { next }) };
  };
}

export function readImage({ images, address }: ImagesContext): Handler {
  return async (koa) => {
    koa.body = show(await images.find(callerOf(koa).accountId, koa.params.id ?? ''), address());
  };
}

export function deleteImage({ images }: ImagesContext): Handler {
  return async (koa) => {
    await images.delete(callerOf(koa).accountId, koa.params.id ?? '', permitOf(koa));
    koa.status = 204;
  };
}

/** `GET /images/img_….png` */
export function openImage({ images, redirects }: Pick<ImagesContext, 'images'> & { redirects: boolean }): Handler {
  return async (koa) => {
    const address = redirects && mayRedirect(koa) ? await images.storeAddress(koa.path) : null;
    if (address !== null) return redirectToStore(koa, address);
    const found = await images.open(koa.path);
    if (!found || !isServed(found.image.format)) throw new AppError('not_found', 'image not found');
    const { id, format } = found.image;
    const file = { output: format, name: `${id}.${format}`, etag: id, cacheControl: 'public, max-age=86400' };
    if (clientHas(koa, file.etag)) sendNotModified(koa, file);
    else await sendStored(koa, file, found.blob, found.image.accountId);
  };
}

const show = (image: Image, address: string) => ({
  id: image.id,
  url: address + imagePath(image),
  width: image.width,
  height: image.height,
  format: image.format,
});
