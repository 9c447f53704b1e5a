// `GET /v1/usage`: the account's usage this month.

import type { Quota } from '#service/accounts/quota.ts';
import { callerOf } from '../middleware/authentication.ts';
import type { Handler } from '../middleware/request-context.ts';

export function readUsage(quota: Quota): Handler {
  return async (koa) => {
    koa.body = await quota.usage(callerOf(koa));
  };
}
