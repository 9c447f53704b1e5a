// Studio routes for an account's brands.

import { MAX_BODY } from '../middleware/body.ts';
import { permitOf } from '../middleware/permit.ts';
import type { Handler } from '../middleware/request-context.ts';
import { holdAnswer } from '../middleware/request-memory.ts';
import { showBrand } from '../v1/brands.ts';
import { memberOf } from './guard.ts';
import { readLarge } from './requests.ts';
import { STUDIO_REQUESTS as Request } from './schemas.ts';
import type { StudioContext } from './studio-context.ts';

export function brandRoutes({ brands, materialUpdates }: StudioContext) {
  return {
    studioListBrands: async (koa) => {
      const { accountId } = memberOf(koa);
      const counts = await materialUpdates.countsByBrand(accountId);
      koa.body = {
        items: (await brands.list(accountId)).map(({ name, version, updatedAt }) => ({
          ...{ name, version, updatedAt: updatedAt.toISOString() },
          outdatedUses: counts.get(name) ?? 0,
        })),
      };
    },
    studioReadBrand: async (koa) => {
      await holdAnswer(koa, MAX_BODY);
      koa.body = showBrand(await brands.read(memberOf(koa).accountId, koa.params.brandName ?? ''));
    },
    studioSaveBrand: async (koa) => {
      const { baseVersion, brand } = await readLarge(koa, Request.StudioBrandSave);
      const { accountId } = memberOf(koa);
      koa.body = showBrand(await brands.save(accountId, koa.params.brandName ?? '', brand, permitOf(koa), baseVersion));
    },
    studioDeleteBrand: async (koa) => {
      await brands.delete(memberOf(koa).accountId, koa.params.brandName ?? '', permitOf(koa));
      koa.status = 204;
    },
    studioListBrandVersions: async (koa) => {
      const versions = await brands.versions(memberOf(koa).accountId, koa.params.brandName ?? '');
      koa.body = {
        items: versions.map(({ version, createdAt }) => ({ version, createdAt: createdAt.toISOString() })),
      };
    },
  } satisfies Record<string, Handler>;
}
