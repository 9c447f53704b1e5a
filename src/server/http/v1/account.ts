// The account of a key, or of the path: what it is, its usage, audit log and secrets, its export, and its end.

import { Readable } from 'node:stream';
import { z } from 'zod';
import { AppError } from '#base/errors.ts';
import { parse } from '#core/template/validation.ts';
import { ACTIONS } from '#server/service/accounts/audit.ts';
import { MAX_USER } from '#server/service/accounts/editor-tokens.ts';
import { type Export, exportAccount } from '#server/service/accounts/export.ts';
import {
  type Account,
  type MemberRole,
  type Permit,
  SECRET_PURPOSES,
  type SecretPurpose,
} from '#server/service/stored-names.ts';
import { isByKey, sendList } from '../middleware/answer.ts';
import { callerOf, memberOf, permitOf, wholeAccountOf } from '../middleware/authentication.ts';
import { readJsonObject } from '../middleware/body.ts';
import { pageRequest, textInQuery, wordInQuery } from '../middleware/list-query.ts';
import type { Handler, RequestContext } from '../middleware/request-context.ts';
import { holdAnswer } from '../middleware/request-memory.ts';
import { requireTyped } from '../studio/requests.ts';
import type { StudioContext } from '../studio/studio-context.ts';

export const EditorTokenRevocation = z.strictObject({
  user: z
    .string()
    .min(1)
    .max(MAX_USER)
    .optional()
    .meta({ description: 'The user, as in `sub`; everybody by default.' }),
  before: z.iso
    .datetime()
    .optional()
    .meta({ description: 'Only tokens that were issued before this time; now by default.' }),
});

export const RevokedEditorTokens = z.strictObject({
  before: z.iso.datetime().meta({ description: 'Tokens that were issued before this moment are refused.' }),
});

const DAY = 86_400_000;

export function accountHandlers(ctx: StudioContext) {
  const { accounts, quota } = ctx;

  const done = (act: (id: string, permit: Permit) => Promise<void>): Handler => {
    return async (koa) => {
      await act(wholeAccountOf(koa), permitOf(koa));
      koa.status = 204;
    };
  };
  const remove = done((id, permit) => accounts.delete(id, permit));

  return {
    /** By a key, the simplest way to check it. */
    readAccount: async (koa) => {
      const { accountId, asOf } = callerOf(koa);
      const account = await accounts.find(accountId, asOf);
      const { plan, email, displayName } = account;
      koa.body = isByKey(koa) ? { plan, email, display_name: displayName } : showAccount(account, memberOf(koa).role);
    },
    suspendAccount: done((id, permit) => accounts.suspend(id, permit)),
    resumeAccount: done((id, permit) => accounts.resume(id, permit)),
    deleteAccount: async (koa) => {
      if (!isByKey(koa)) {
        const { displayName, email, id } = await accounts.find(memberOf(koa).accountId);
        await requireTyped(koa, displayName ?? email ?? id);
      }
      await remove(koa);
    },
    exportAccount: async (koa) => {
      const { id } = await accounts.recordExport(wholeAccountOf(koa), permitOf(koa));
      await sendExport(koa, await exportAccount(ctx.exporting, id));
    },

    /** This month's; for people one of any month, by day and template. */
    readUsage: async (koa) => {
      const caller = callerOf(koa);
      const used = isByKey(koa) ? await quota.usage(caller) : await usageByDay(ctx, koa);
      const stored = await ctx.storageUsed.usage(caller);
      koa.body = isByKey(koa)
        ? { ...used, stored }
        : { ...used, storedBytes: stored.bytes, storageLimit: stored.limit, stored };
    },

    /** One page, newest first. */
    listAudit: async (koa) => {
      const filter = { actorId: textInQuery(koa, 'actor'), action: wordInQuery(koa, 'action', ACTIONS) };
      const { items, next } = await ctx.audit.page(wholeAccountOf(koa), filter, pageRequest(koa));
      const shown = items.map(({ id, at, actor, action, subject, detail, requestId }) => {
        return { id, actor, action, subject, detail, requestId, createdAt: at };
      });
      sendList(koa, 'entries', shown, next);
    },

    /** What each secret is, but not the secret. */
    listSecrets: async (koa) => {
      const secrets = await accounts.describeSecrets(wholeAccountOf(koa));
      const shown = secrets.map(({ purpose, lastFour, createdAt, previous }) => {
        return { purpose, lastFour, createdAt, previous };
      });
      sendList(koa, 'secrets', shown);
    },
    showSecret: async (koa) => {
      const account = wholeAccountOf(koa);
      const purpose = purposeOf(koa);
      const secrets = await accounts.showSecrets(account, [purpose], permitOf(koa));
      koa.body = { secret: secrets[purpose] };
    },
    rotateSecret: async (koa) => {
      koa.body = { secret: await accounts.rotateSecret(wholeAccountOf(koa), purposeOf(koa), permitOf(koa)) };
    },
    retireSecrets: async (koa) => {
      koa.body = { retired: await accounts.retireSecrets(wholeAccountOf(koa), purposeOf(koa), permitOf(koa)) };
    },

    /** As when a user of the other site signs out. */
    revokeEditorTokens: async (koa) => {
      const accountId = wholeAccountOf(koa);
      const { user = null, before } = parse(EditorTokenRevocation, await readJsonObject(koa, 4_096));
      const moment = before === undefined ? null : new Date(before);
      koa.body = { before: await ctx.editorTokens.revoke(accountId, user, moment, permitOf(koa)) };
    },
  } satisfies Record<string, Handler>;
}

/** An account as its members see it. */
export const showAccount = ({ id, displayName, email, plan, createdAt, suspendedBy }: Account, role: MemberRole) => {
  return { id, name: displayName, email, plan, role, createdAt, suspendedBy };
};

/** Answers with a zip, which is made while it is sent. @throws what `holdAnswer` throws */
export async function sendExport(koa: RequestContext, { name, memory, chunks }: Export): Promise<void> {
  await holdAnswer(koa, memory);
  koa.set('content-disposition', `attachment; filename="${name}"`);
  koa.set('content-security-policy', "default-src 'none'");
  koa.body = Readable.from(chunks);
  koa.type = 'application/zip';
}

/** The secret that the path names. @throws AppError `not_found` */
function purposeOf(koa: RequestContext): SecretPurpose {
  const purpose = SECRET_PURPOSES.find((one) => one === koa.params.purpose);
  if (!purpose) throw new AppError('not_found', `secret not found; there are ${SECRET_PURPOSES.join(' and ')}`);
  return purpose;
}

/** Of the month in the query, or this one. @throws AppError `invalid_request` */
async function usageByDay({ quota, templates }: StudioContext, koa: RequestContext) {
  const { accountId, plan } = memberOf(koa);
  const period = koa.query.period ?? quota.period;
  if (typeof period !== 'string' || !/^\d{4}-(0[1-9]|1[0-2])$/.test(period)) {
    throw new AppError('invalid_request', 'period: must be a month such as 2026-11');
  }
  const { counts, ...month } = await quota.usageByDay({ accountId, plan }, period);
  const sumBy = <K>(keyOf: (one: (typeof counts)[number]) => K) => {
    const sums = new Map<K, number>();
    for (const one of counts) sums.set(keyOf(one), (sums.get(keyOf(one)) ?? 0) + one.count);
    return [...sums];
  };
  const days = sumBy(({ day }) => day).sort(([a], [b]) => a - b);
  const used = sumBy(({ templateId }) => templateId)
    .flatMap(([id, count]) => (id === null ? [] : [{ id, count }]))
    .sort((a, b) => b.count - a.count);
  const names = await templates.names(
    accountId,
    used.map(({ id }) => id),
  );
  return {
    ...month,
    days: days.map(([day, count]) => ({ day: new Date(day * DAY).toISOString().slice(0, 10), count })),
    templates: used.map(({ id, count }) => ({ id, name: names.get(id) ?? null, count })),
    other: Math.max(0, month.used - used.reduce((sum, { count }) => sum + count, 0)),
  };
}
