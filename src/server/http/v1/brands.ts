// `/v1/brands`: list, read, save and delete the account's brands.

import { requireAllTemplates } from '#server/service/accounts/key-scope.ts';
import type { Brands, NamedBrand } from '#server/service/templates/brands.ts';
import { callerOf } from '../middleware/authentication.ts';
import { readJsonObject } from '../middleware/body.ts';
import { permitOf } from '../middleware/permit.ts';
import type { Handler } from '../middleware/request-context.ts';

export function listBrands(brands: Brands): Handler {
  return async (koa) => {
    const stored = await brands.list(callerOf(koa).accountId);
    koa.body = {
      brands: stored.map(({ name, version, updatedAt }) => ({ name, version, updated_at: updatedAt.toISOString() })),
    };
  };
}

/** `{name}` or `{name}@3`. */
export function readBrand(brands: Brands): Handler {
  return async (koa) => {
    koa.body = showBrand(await brands.read(callerOf(koa).accountId, koa.params.name ?? ''));
  };
}

export function saveBrand(brands: Brands): Handler {
  return async (koa) => {
    requireAllTemplates(callerOf(koa));
    const { accountId } = callerOf(koa);
    // A brand may be sent back as it was read.
    const { name: _name, version: _version, ...document } = await readJsonObject(koa);
    koa.body = showBrand(await brands.save(accountId, koa.params.name ?? '', document, permitOf(koa)));
  };
}

export function deleteBrand(brands: Brands): Handler {
  return async (koa) => {
    requireAllTemplates(callerOf(koa));
    await brands.delete(callerOf(koa).accountId, koa.params.name ?? '', permitOf(koa));
    koa.status = 204;
  };
}

export const showBrand = ({ name, version, document }: NamedBrand) => ({ name, version, ...document });
