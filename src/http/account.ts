// `GET /v1/account`: whom a key belongs to. The simplest way to check one.

import type { Accounts } from '#service/accounts.ts';
import { callerOf } from './authentication.ts';
import type { Handler } from './request-context.ts';

export function readAccount(accounts: Accounts): Handler {
  return async (koa) => {
    const { plan, email, displayName } = await accounts.find(callerOf(koa).accountId);
    koa.body = { plan, email, display_name: displayName };
  };
}
