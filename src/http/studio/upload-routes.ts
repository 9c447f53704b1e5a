// Studio routes for an account's images and fonts.

import { createHash } from 'node:crypto';
import { AppError } from '#errors';
import { type Image, imagePath } from '#service/images.ts';
import { clientHas } from '../file-response.ts';
import { MAX_FONT } from '../fonts.ts';
import { MAX_IMAGE } from '../images.ts';
import type { Handler } from '../request-context.ts';
import { readUpload } from '../upload.ts';
import { memberOf } from './guard.ts';
import { pageRequest, readSmall, textInQuery } from './requests.ts';
import { STUDIO_REQUESTS as Request } from './schemas.ts';
import type { StudioContext } from './studio-context.ts';
import { ownOnly } from './template-routes.ts';

/** Nothing in a file may run, wherever it is opened. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";
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
      koa.status = 201;
      koa.body = showImage(await images.upload(accountId, bytes, undefined, name));
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
      koa.set('cache-control', FOR_EVER);
      koa.set('content-security-policy', SANDBOX);
      koa.set('etag', `"${imageId}"`);
      ownOnly(koa);
      if (clientHas(koa, imageId)) {
        koa.status = 304;
        return;
      }
      koa.body = blob.stream();
      koa.type = image.format === 'svg' ? 'image/svg+xml' : `image/${image.format}`;
      koa.length = blob.size;
    },
    studioChangeImage: async (koa) => {
      const { accountId } = memberOf(koa);
      const { imageId = '' } = koa.params;
      const change = await readSmall(koa, Request.StudioImageChange);
      const before = await images.find(accountId, imageId);
      const { name = before.name, focus = before.focus } = change;
      koa.body = showImage(await images.label(accountId, imageId, { name, focus }));
    },
    studioDeleteImage: async (koa) => {
      await images.delete(memberOf(koa).accountId, koa.params.imageId ?? '');
      koa.status = 204;
    },

    studioListFonts: async (koa) => {
      const families = await fontCatalogue.families(memberOf(koa).accountId);
      koa.body = { families, generic: Object.fromEntries(fontCatalogue.generic) };
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
      const { bytes, type } = await fontCatalogue.open(memberOf(koa).accountId, faceId);
      const etag = createHash('sha256').update(`${faceId} ${bytes.length}`).digest('base64url');
      koa.set('cache-control', FOR_EVER);
      koa.set('etag', `"${etag}"`);
      ownOnly(koa);
      if (clientHas(koa, etag)) {
        koa.status = 304;
        return;
      }
      koa.body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      koa.type = type;
    },
    studioUploadFont: async (koa) => {
      const { accountId } = memberOf(koa);
      const font = await fonts.upload(accountId, await readUpload(koa, MAX_FONT));
      const { id, family, weight, style, axes } = font;
      const bounds = Object.entries(axes).map(([tag, { min, max }]) => [tag, { min, max }] as const);
      koa.status = 201;
      koa.body = { ...{ id, family, weight, style }, axes: Object.fromEntries(bounds) };
    },
    studioDeleteFont: async (koa) => {
      const { fontId } = koa.params;
      if (fontId === undefined) throw new AppError('not_found', 'font not found');
      await fonts.delete(memberOf(koa).accountId, fontId);
      koa.status = 204;
    },
  } satisfies Record<string, Handler>;
}
