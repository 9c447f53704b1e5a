// The account of a key: what it is, which is the simplest way to check a key, its export, and its end.

import { Readable } from 'node:stream';
import type { Accounts } from '#server/service/accounts/accounts.ts';
import { type Export, type ExportContext, exportAccount } from '#server/service/accounts/export.ts';
import type { Permit } from '#server/service/stored-names.ts';
import { callerOf, wholeAccountOf } from '../middleware/authentication.ts';
import { permitOf } from '../middleware/permit.ts';
import type { Handler, RequestContext } from '../middleware/request-context.ts';
import { holdAnswer } from '../middleware/request-memory.ts';

export interface AccountContext {
  readonly accounts: Accounts;
  readonly exporting: ExportContext;
}

export function readAccount(accounts: Accounts): Handler {
  return async (koa) => {
    const { accountId, asOf } = callerOf(koa);
    const { plan, email, displayName } = await accounts.find(accountId, asOf);
    koa.body = { plan, email, display_name: displayName };
  };
}

/** What becomes of the caller's account as a whole. */
export const accountActions = ({ accounts, exporting }: AccountContext) => {
  const done = (act: (id: string, permit: Permit) => Promise<void>): Handler => {
    return async (koa) => {
      await act(wholeAccountOf(koa), permitOf(koa));
      koa.status = 204;
    };
  };
  return {
    suspend: done((id, permit) => accounts.suspend(id, permit)),
    resume: done((id, permit) => accounts.resume(id, permit)),
    delete: done((id, permit) => accounts.delete(id, permit)),
    export: async (koa: RequestContext) => {
      const { id } = await accounts.recordExport(wholeAccountOf(koa), permitOf(koa));
      await sendExport(koa, await exportAccount(exporting, id));
    },
  };
};

/** Answers with a zip, which is made while it is sent. @throws what `holdAnswer` throws */
export async function sendExport(koa: RequestContext, { name, memory, chunks }: Export): Promise<void> {
  await holdAnswer(koa, memory);
  koa.set('content-disposition', `attachment; filename="${name}"`);
  koa.set('content-security-policy', "default-src 'none'");
  koa.body = Readable.from(chunks);
  koa.type = 'application/zip';
}
