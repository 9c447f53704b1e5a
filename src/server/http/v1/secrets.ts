// `/v1/secrets`: the secrets that sign an account's render URLs and webhooks: for keys with the right to them, and owners.
//
// An app on another machine gets its secret here, instead of from `platen secret show`. What is done is recorded in the
// audit log, as in the studio.

import { AppError } from '#base/errors.ts';
import type { Accounts } from '#server/service/accounts/accounts.ts';
import { SECRET_PURPOSES, type SecretPurpose } from '#server/service/stored-names.ts';
import { wholeAccountOf } from '../middleware/authentication.ts';
import { permitOf } from '../middleware/permit.ts';
import type { Handler, RequestContext } from '../middleware/request-context.ts';

/** The secret that the path names. @throws AppError `not_found` */
function purposeOf(koa: RequestContext): SecretPurpose {
  const purpose = SECRET_PURPOSES.find((one) => one === koa.params.purpose);
  if (!purpose) throw new AppError('not_found', `secret not found; there are ${SECRET_PURPOSES.join(' and ')}`);
  return purpose;
}

/** What each secret is, but not the secret. */
export function listSecrets(accounts: Accounts): Handler {
  return async (koa) => {
    const secrets = await accounts.describeSecrets(wholeAccountOf(koa));
    koa.body = {
      secrets: secrets.map(({ purpose, lastFour, createdAt, previous }) => {
        return { purpose, last_four: lastFour, created_at: createdAt.toISOString(), previous };
      }),
    };
  };
}

export function showSecret(accounts: Accounts): Handler {
  return async (koa) => {
    const account = wholeAccountOf(koa);
    const purpose = purposeOf(koa);
    const secrets = await accounts.showSecrets(account, [purpose], permitOf(koa));
    koa.body = { secret: secrets[purpose] };
  };
}

export function rotateSecret(accounts: Accounts): Handler {
  return async (koa) => {
    koa.body = { secret: await accounts.rotateSecret(wholeAccountOf(koa), purposeOf(koa), permitOf(koa)) };
  };
}

export function retireSecrets(accounts: Accounts): Handler {
  return async (koa) => {
    koa.body = { retired: await accounts.retireSecrets(wholeAccountOf(koa), purposeOf(koa), permitOf(koa)) };
  };
}
