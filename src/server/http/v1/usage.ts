// `GET /v1/usage`: the account's usage this month, and what it stores.

import type { Quota } from '#server/service/accounts/quota.ts';
import type { StorageUsed } from '#server/service/accounts/storage-limit.ts';
import { callerOf } from '../middleware/authentication.ts';
import type { Handler } from '../middleware/request-context.ts';

export function readUsage(quota: Quota, storageUsed: StorageUsed): Handler {
  return async (koa) => {
    const caller = callerOf(koa);
    koa.body = { ...(await quota.usage(caller)), stored: await storageUsed.usage(caller) };
  };
}
