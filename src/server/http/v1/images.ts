// Images: upload, list, read and delete; and stored files at their public address, images and what was rendered.

import { AppError } from '#base/errors.ts';
import { OUTPUTS } from '#draw/output/formats.ts';
import { type Image, imagePath } from '#server/service/files/images.ts';
import type { OnCommit } from '#server/service/idempotency.ts';
import type { Permit } from '#server/service/stored-names.ts';
import { answerWith, isByKey, type JsonAnswer, sendList } from '../middleware/answer.ts';
import { callerOf, memberOf, permitOf } from '../middleware/authentication.ts';
import {
  clientHas,
  type FileResponse,
  isServed,
  mayRedirect,
  ownOnly,
  redirectToStore,
  type StoredBlob,
  sendNotModified,
  sendStored,
} from '../middleware/file-response.ts';
import { MAX_LIMIT, pageRequest, textInQuery } from '../middleware/list-query.ts';
import { type Handler, idOf, type RequestContext } from '../middleware/request-context.ts';
import { holdAnswer, STREAMED } from '../middleware/request-memory.ts';
import { readUpload } from '../middleware/upload.ts';
import { readSmall } from '../studio/requests.ts';
import { STUDIO_REQUESTS as Request } from '../studio/schemas.ts';
import type { StudioContext } from '../studio/studio-context.ts';

/** Maximum size of an image, bytes. */
export const MAX_IMAGE = 15 * 1024 * 1024;
/** Nothing in a file may run, wherever it is opened. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";
const TYPES: Readonly<Record<string, string>> = { svg: 'image/svg+xml', pdf: 'application/pdf' };

/** @param ctx.redirects whether clients are redirected to the store itself, where it has public addresses */
export function imageHandlers(ctx: StudioContext & { readonly redirects: boolean }) {
  const { assets, images, address } = ctx;

  /** For a key without what its owner calls it. */
  const show = (koa: RequestContext, image: Image) => {
    const { id, name, folder, width, height, format, size, focus, createdAt } = image;
    const url = address() + imagePath(image);
    if (isByKey(koa)) return { id, url, width, height, format };
    return { id, url, name, folder, width, height, format, size, focus, createdAt };
  };

  /** A file at its public address, or in the store. @param open null where there is none */
  async function sendPublic(
    koa: RequestContext,
    storeAddress: () => Promise<string | null>,
    open: () => Promise<{ file: FileResponse & { etag: string }; blob: StoredBlob; accountId: string | null } | null>,
    kind: string,
  ): Promise<void> {
    const elsewhere = ctx.redirects && mayRedirect(koa) ? await storeAddress() : null;
    if (elsewhere !== null) return redirectToStore(koa, elsewhere);
    const found = await open();
    if (!found) throw new AppError('not_found', `${kind} not found`);
    if (clientHas(koa, found.file.etag)) sendNotModified(koa, found.file);
    else await sendStored(koa, found.file, found.blob, found.accountId ?? undefined);
  }

  /** The file of an own image, in any format. */
  async function sendOwn(koa: RequestContext): Promise<void> {
    const { image, blob } = await images.openOwn(memberOf(koa).accountId, idOf(koa));
    // Asked for again each time, though the bytes never change: a deleted image is not to be shown from a cache.
    koa.set('cache-control', 'private, no-cache');
    koa.set('content-security-policy', SANDBOX);
    koa.set('etag', `"${image.id}"`);
    ownOnly(koa);
    if (clientHas(koa, image.id)) {
      koa.status = 304;
      return;
    }
    await holdAnswer(koa, Math.min(STREAMED, blob.size));
    koa.body = blob.stream();
    koa.type = TYPES[image.format] ?? `image/${image.format}`;
    koa.length = blob.size;
  }

  return {
    /** `GET /assets/rnd_….png` */
    openAsset: async (koa) => {
      const name = idOf(koa);
      const output = OUTPUTS.find((format) => name.endsWith(`.${format}`));
      if (!output) throw new AppError('not_found', 'asset not found');
      const file = { output, name, etag: name, cacheControl: 'public, max-age=31536000, immutable' };
      const open = async () => {
        const blob = await assets.open(name);
        return blob && { file, blob, accountId: blob.accountId };
      };
      await sendPublic(koa, () => assets.address(name), open, 'asset');
    },
    /** `GET /images/img_….png`; in the studio, of one's own account. */
    openImage: async (koa) => {
      if (koa.state.member) return sendOwn(koa);
      const open = async () => {
        const found = await images.open(koa.path);
        if (!found || !isServed(found.image.format)) return null;
        const { id, format, accountId } = found.image;
        const file = { output: format, name: `${id}.${format}`, etag: id, cacheControl: 'public, max-age=86400' };
        return { file, blob: found.blob, accountId };
      };
      await sendPublic(koa, () => images.storeAddress(koa.path), open, 'image');
    },
    uploadImage: async (koa) => {
      const { accountId } = callerOf(koa);
      const label = isByKey(koa) ? {} : { name: textInQuery(koa, 'name', 200), folder: textInQuery(koa, 'folder') };
      const bytes = await readUpload(koa, MAX_IMAGE);
      // In the studio, a file that is there already is not stored a second time.
      const equal = isByKey(koa) ? null : await images.findEqual(accountId, bytes);
      const showUploaded = (image: Image): JsonAnswer => ({ status: 201, body: show(koa, image) });
      const upload = async (onCommit: OnCommit<Image>) => equal ?? images.upload(accountId, bytes, onCommit, label);
      await answerWith(koa, showUploaded, upload);
    },
    listImages: async (koa) => {
      const { accountId } = callerOf(koa);
      const filter = isByKey(koa) ? {} : { search: textInQuery(koa, 'search'), folder: textInQuery(koa, 'folder') };
      const { items, next } = await images.page(
        accountId,
        filter,
        pageRequest(koa, isByKey(koa) ? MAX_LIMIT : undefined),
      );
      const shown = items.map((image) => show(koa, image));
      if (isByKey(koa)) sendList(koa, 'images', shown, next);
      else koa.body = { items: shown, next, folders: await images.folders(accountId) };
    },
    /** For people with the templates that use it. */
    readImage: async (koa) => {
      const { accountId } = callerOf(koa);
      const shown = show(koa, await images.find(accountId, idOf(koa)));
      koa.body = isByKey(koa) ? shown : { ...shown, usedBy: await images.uses(accountId, idOf(koa)) };
    },
    studioChangeImage: async (koa) => {
      const { accountId } = memberOf(koa);
      const change = await readSmall(koa, Request.StudioImageChange);
      koa.body = show(koa, await images.label(accountId, idOf(koa), change, permitOf(koa)));
    },
    deleteImage: deleteFrom(images),
    studioUndeleteImage: async (koa) => {
      koa.body = show(koa, await images.bringBack(memberOf(koa).accountId, idOf(koa), permitOf(koa)));
    },
  } satisfies Record<string, Handler>;
}

/** What deletes a thing of an account: for good, or so that it can be undone until the moment that it returns. */
interface Deleting {
  delete(accountId: string, id: string, permit: Permit): Promise<void>;
  remove(accountId: string, id: string, permit: Permit): Promise<Date>;
}

/** Deletes what the path names: for a key for good, for people so that it can be undone for a day. */
export function deleteFrom(things: Deleting): Handler {
  return async (koa) => {
    const { accountId } = callerOf(koa);
    if (!isByKey(koa)) {
      koa.body = { undoUntil: await things.remove(accountId, idOf(koa), permitOf(koa)) };
      return;
    }
    await things.delete(accountId, idOf(koa), permitOf(koa));
    koa.status = 204;
  };
}
