// `GET /v1/audit`: the account's audit log, for keys with the right to it.

import { ACTIONS, type AuditEntry, type AuditLog } from '#server/service/accounts/audit.ts';
import { requireAllTemplates } from '#server/service/accounts/key-scope.ts';
import { callerOf } from '../middleware/authentication.ts';
import { pageRequest, textInQuery, wordInQuery } from '../middleware/list-query.ts';
import type { Handler, RequestContext } from '../middleware/request-context.ts';

/** The filter in the query of a list. @throws ValidationError */
export const auditFilter = (koa: RequestContext) => ({
  actorId: textInQuery(koa, 'actor'),
  action: wordInQuery(koa, 'action', ACTIONS),
});

/** One page, newest first. */
export function listAudit(audit: AuditLog): Handler {
  return async (koa) => {
    const caller = callerOf(koa);
    requireAllTemplates(caller);
    const { items, next } = await audit.page(caller.accountId, auditFilter(koa), pageRequest(koa));
    koa.body = { entries: items.map(show), next };
  };
}

const show = ({ id, at, actor, action, subject, detail, requestId }: AuditEntry) => ({
  ...{ id, actor, action, subject, detail },
  request_id: requestId,
  created_at: at.toISOString(),
});
