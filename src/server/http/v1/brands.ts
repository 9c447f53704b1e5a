// Brands: list, read, save and delete; for people with what uses older versions.

import type { NamedBrand } from '#server/service/templates/brands.ts';
import { isByKey, sendList } from '../middleware/answer.ts';
import { callerOf, permitOf, wholeAccountOf } from '../middleware/authentication.ts';
import { MAX_BODY, readJsonObject } from '../middleware/body.ts';
import { MAX_LIMIT, pageRequest } from '../middleware/list-query.ts';
import { type Handler, idOf } from '../middleware/request-context.ts';
import { holdAnswer } from '../middleware/request-memory.ts';
import { readLarge } from '../studio/requests.ts';
import { STUDIO_REQUESTS as Request } from '../studio/schemas.ts';
import type { StudioContext } from '../studio/studio-context.ts';

export function brandHandlers({ brands, materialUpdates }: StudioContext) {
  return {
    listBrands: async (koa) => {
      const { accountId } = callerOf(koa);
      const uses = isByKey(koa) ? null : await materialUpdates.countsByBrand(accountId);
      const { items, next } = await brands.page(accountId, pageRequest(koa, MAX_LIMIT));
      const shown = items.map(({ name, version, updatedAt }) => {
        return { name, version, updatedAt, ...(uses && { outdatedUses: uses.get(name) ?? 0 }) };
      });
      sendList(koa, 'brands', shown, next);
    },
    /** `{name}` or `{name}@3`. */
    readBrand: async (koa) => {
      await holdAnswer(koa, MAX_BODY);
      koa.body = showBrand(await brands.read(callerOf(koa).accountId, idOf(koa)));
    },
    saveBrand: async (koa) => {
      const accountId = wholeAccountOf(koa);
      const { brand, baseVersion } = isByKey(koa)
        ? { brand: await readJsonObject(koa), baseVersion: null }
        : await readLarge(koa, Request.StudioBrandSave);
      // A brand may be sent back as it was read.
      const { name: _name, version: _version, ...document } = brand;
      koa.body = showBrand(await brands.save(accountId, idOf(koa), document, permitOf(koa), baseVersion));
    },
    deleteBrand: async (koa) => {
      await brands.delete(wholeAccountOf(koa), idOf(koa), permitOf(koa));
      koa.status = 204;
    },
    studioListBrandVersions: async (koa) => {
      const { items, next } = await brands.versionPage(callerOf(koa).accountId, idOf(koa), pageRequest(koa));
      const shown = items.map(({ version, createdAt }) => ({ version, createdAt }));
      sendList(koa, 'versions', shown, next);
    },
  } satisfies Record<string, Handler>;
}

const showBrand = ({ name, version, document }: NamedBrand) => ({ name, version, ...document });
