// `GET /v1/account`: the account of a key. The simplest way to check a key.

import type { Accounts } from '#service/accounts/accounts.ts';
import { callerOf } from '../middleware/authentication.ts';
import type { Handler } from '../middleware/request-context.ts';

export function readAccount(accounts: Accounts): Handler {
  return async (koa) => {
    const { plan, email, displayName } = await accounts.find(callerOf(koa).accountId);
    koa.body = { plan, email, display_name: displayName };
  };
}
