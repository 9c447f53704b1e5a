// Studio routes for an account's images and fonts.

import { createHash } from 'node:crypto';
import { type Image, imagePath } from '#server/service/files/images.ts';
import { clientHas } from '../middleware/file-response.ts';
import { pageRequest, textInQuery } from '../middleware/list-query.ts';
import { permitOf } from '../middleware/permit.ts';
import type { Handler } from '../middleware/request-context.ts';
import { holdAnswer, STREAMED } from '../middleware/request-memory.ts';
import { readUpload } from '../middleware/upload.ts';
import { showFont, uploadFont } from '../v1/fonts.ts';
import { MAX_IMAGE } from '../v1/images.ts';
import { memberOf } from './guard.ts';
import { readSmall } from './requests.ts';
import { STUDIO_REQUESTS as Request } from './schemas.ts';
import type { StudioContext } from './studio-context.ts';
import { ownOnly } from './template-routes.ts';

/** Nothing in a file may run, wherever it is opened. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";
const TYPES: Readonly<Record<string, string>> = { svg: 'image/svg+xml', pdf: 'application/pdf' };
const FOR_EVER = 'private, max-age=31536000, immutable';

export function uploadRoutes(ctx: StudioContext) {
  const { images, fonts, fontCatalogue, address } = ctx;

  const showImage = (image: Image) => ({
    id: image.id,
    url: address() + imagePath(image),
    name: image.name,
    width: image.width,
    height: image.height,
    format: image.format,
    size: image.size,
    focus: image.focus,
    createdAt: image.createdAt.toISOString(),
  });

  return {
    studioListImages: async (koa) => {
      const { accountId } = memberOf(koa);
      const { items, next } = await images.page(accountId, textInQuery(koa, 'search'), pageRequest(koa));
      koa.body = { items: items.map(showImage), next };
    },
    studioUploadImage: async (koa) => {
      const { accountId } = memberOf(koa);
      const name = textInQuery(koa, 'name', 200);
      const bytes = await readUpload(koa, MAX_IMAGE);
      // A file that is there already is not stored a second time.
      const equal = await images.findEqual(accountId, bytes);
      koa.status = 201;
      koa.body = showImage(equal ?? (await images.upload(accountId, bytes, permitOf(koa), name)));
    },
    studioReadImage: async (koa) => {
      const { accountId } = memberOf(koa);
      const { imageId = '' } = koa.params;
      const image = await images.find(accountId, imageId);
      koa.body = { ...showImage(image), usedBy: await images.uses(accountId, imageId) };
    },
    studioOpenImage: async (koa) => {
      const { imageId = '' } = koa.params;
      const { image, blob } = await images.openOwn(memberOf(koa).accountId, imageId);
      // Asked for again each time, though the bytes never change: a deleted image is not to be shown from a cache.
      koa.set('cache-control', 'private, no-cache');
      koa.set('content-security-policy', SANDBOX);
      koa.set('etag', `"${imageId}"`);
      ownOnly(koa);
      if (clientHas(koa, imageId)) {
        koa.status = 304;
        return;
      }
      await holdAnswer(koa, Math.min(STREAMED, blob.size));
      koa.body = blob.stream();
      koa.type = TYPES[image.format] ?? `image/${image.format}`;
      koa.length = blob.size;
    },
    studioChangeImage: async (koa) => {
      const { accountId } = memberOf(koa);
      const { imageId = '' } = koa.params;
      const change = await readSmall(koa, Request.StudioImageChange);
      const before = await images.find(accountId, imageId);
      const { name = before.name, focus = before.focus } = change;
      koa.body = showImage(await images.label(accountId, imageId, { name, focus }, permitOf(koa)));
    },
    studioDeleteImage: async (koa) => {
      const undoUntil = await images.remove(memberOf(koa).accountId, koa.params.imageId ?? '', permitOf(koa));
      koa.body = { undoUntil: undoUntil.toISOString() };
    },
    studioUndeleteImage: async (koa) => {
      koa.body = showImage(await images.bringBack(memberOf(koa).accountId, koa.params.imageId ?? '', permitOf(koa)));
    },

    studioListFonts: async (koa) => {
      const families = await fontCatalogue.families(memberOf(koa).accountId);
      const { installable, canAdd } = fontCatalogue;
      koa.body = { families, generic: Object.fromEntries(fontCatalogue.generic), installable, canAdd };
    },
    studioAddFont: async (koa) => {
      const { accountId } = memberOf(koa);
      const { family } = await readSmall(koa, Request.StudioFontAddition);
      koa.status = 201;
      koa.body = { fonts: (await fontCatalogue.add(accountId, family, permitOf(koa))).map(showFont) };
    },
    studioReadCoverage: async (koa) => {
      // A third of a megabyte, requested whenever an editor opens: sent again only after a font was added or removed.
      const coverage = JSON.stringify(await fontCatalogue.coverage(memberOf(koa).accountId));
      const etag = createHash('sha256').update(coverage).digest('base64url');
      koa.set('cache-control', 'private, no-cache');
      koa.set('etag', `"${etag}"`);
      if (clientHas(koa, etag)) {
        koa.status = 304;
        return;
      }
      koa.type = 'application/json';
      koa.body = coverage;
    },
    studioOpenFace: async (koa) => {
      const { faceId = '' } = koa.params;
      const { size, memory, read } = await fontCatalogue.open(memberOf(koa).accountId, faceId);
      const etag = createHash('sha256').update(`${faceId} ${size}`).digest('base64url');
      koa.set('cache-control', FOR_EVER);
      koa.set('etag', `"${etag}"`);
      ownOnly(koa);
      if (clientHas(koa, etag)) {
        koa.status = 304;
        return;
      }
      await holdAnswer(koa, memory);
      const { body, length, type } = await read();
      koa.body = body;
      koa.type = type;
      koa.length = length;
    },
    studioUploadFont: uploadFont(fonts),
    studioReadFont: async (koa) => {
      const { accountId } = memberOf(koa);
      const { fontId = '' } = koa.params;
      const font = await fonts.find(accountId, fontId);
      koa.body = { ...showFont(font), usedBy: await fonts.uses(accountId, fontId) };
    },
    studioDeleteFont: async (koa) => {
      const undoUntil = await fonts.remove(memberOf(koa).accountId, koa.params.fontId ?? '', permitOf(koa));
      koa.body = { undoUntil: undoUntil.toISOString() };
    },
    studioUndeleteFont: async (koa) => {
      koa.body = showFont(await fonts.bringBack(memberOf(koa).accountId, koa.params.fontId ?? '', permitOf(koa)));
    },
  } satisfies Record<string, Handler>;
}
