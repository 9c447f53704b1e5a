// `GET /v1/usage`: the account's usage this month.

import type { Quota } from '#service/quota.ts';
import { callerOf } from './authentication.ts';
import type { Handler } from './request-context.ts';

export function readUsage(quota: Quota): Handler {
  return async (koa) => {
    koa.body = await quota.usage(callerOf(koa));
  };
}
