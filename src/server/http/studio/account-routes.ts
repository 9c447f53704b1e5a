// Studio routes for an account beside those that keys have too (../v1/account.ts): its name, people and API keys.

import { AppError } from '#base/errors.ts';
import { exportPerson } from '#server/service/accounts/export.ts';
import { OWNERS_RIGHTS } from '#server/service/accounts/key-scope.ts';
import { readScope } from '#server/service/accounts/keys.ts';
import { mayAct, requireOwnPerson } from '#server/service/people/members.ts';
import { normalEmail } from '#server/service/people/people.ts';
import type { Permit } from '#server/service/stored-names.ts';
import { holderOf, memberOf, permitOf } from '../middleware/authentication.ts';
import { pageRequest } from '../middleware/list-query.ts';
import { type Handler, idOf, type RequestContext } from '../middleware/request-context.ts';
import { sendExport, showAccount } from '../v1/account.ts';
import { embeddedIn } from './embedded.ts';
import { requireMore } from './guard.ts';
import { insecurity } from './origin.ts';
import { byOf, namesFor } from './presenters.ts';
import { readSmall, requireTyped } from './requests.ts';
import { STUDIO_REQUESTS as Request } from './schemas.ts';
import type { StudioContext } from './studio-context.ts';

export function accountRoutes(ctx: StudioContext) {
  const { accounts, keys, members, links, people, quota } = ctx;

  async function show(koa: RequestContext) {
    const { accountId, role } = memberOf(koa);
    return showAccount(await accounts.find(accountId), role);
  }

  /** A person of the path, and the right to decide about more than their place in the account. */
  function ownPerson(koa: RequestContext): { personId: string; permit: Permit } {
    const personId = idOf(koa);
    const permit: Permit = async (stores) => {
      const actor = await permitOf(koa)(stores);
      await requireOwnPerson(stores, memberOf(koa).accountId, personId);
      return actor;
    };
    return { personId, permit };
  }

  /** Requires the role owner for actions on live keys. @throws AppError `forbidden` */
  function requireOwnerForLive(koa: RequestContext, kind: 'live' | 'test'): void {
    if (kind === 'live' && !mayAct(memberOf(koa).role, 'owner')) {
      throw new AppError('forbidden', 'Live keys take the role owner; a test key can be made by an editor.');
    }
  }

  async function showKey(found: Awaited<ReturnType<typeof keys.find>>, names: ReadonlyMap<string, string>) {
    const { id, name, kind, lastCharacters, createdAt, createdBy, lastUsedAt, revokedAt } = found;
    return {
      ...{ id, name, kind, lastFour: lastCharacters },
      ...{ createdAt, createdBy: byOf(createdBy, names), lastUsedAt, revokedAt, expiresAt: found.expiresAt },
      scope: readScope(found.scope),
    };
  }

  return {
    studioChangeAccount: async (koa) => {
      const { name, email } = await readSmall(koa, Request.StudioAccountChange);
      await accounts.rename(memberOf(koa).accountId, { displayName: name, email }, permitOf(koa));
      koa.body = await show(koa);
    },
    studioReadSettings: async (koa) => {
      const { plan } = memberOf(koa);
      const { quota: most, blocks } = quota.plan(plan);
      koa.body = {
        account: await show(koa),
        plan: { name: plan, quota: most, blocks },
        address: ctx.address(),
        insecure: insecurity(koa, ctx.studioAddress()),
      };
    },
    studioReadEmbedding: async (koa) => {
      koa.body = { origins: await ctx.editorTokens.origins(memberOf(koa).accountId) };
    },
    studioChangeEmbedding: async (koa) => {
      const { origins } = await readSmall(koa, Request.StudioEmbedding);
      koa.body = { origins: await ctx.editorTokens.setOrigins(memberOf(koa).accountId, origins, permitOf(koa)) };
    },
    studioReadEmbedded: (koa) => {
      const token = embeddedIn(koa);
      if (!token) throw new AppError('unauthorized', 'This takes the token of an embedded editor, as a bearer.');
      const { plan: _plan, ...shown } = token;
      koa.body = shown;
    },
    studioCheckServer: async (koa) => {
      const isOperator = await accounts.isOldest(memberOf(koa).accountId);
      koa.body = { checks: await ctx.serverChecks.read(isOperator) };
    },

    studioListKeys: async (koa) => {
      const { items, next } = await keys.page(memberOf(koa).accountId, pageRequest(koa));
      const names = await namesFor(
        people,
        items.map(({ createdBy }) => createdBy),
      );
      koa.body = { items: await Promise.all(items.map((key) => showKey(key, names))), next };
    },
    studioCreateKey: async (koa) => {
      const { accountId } = memberOf(koa);
      const holder = holderOf(koa);
      const { name, kind, scope = null, expiresAt = null } = await readSmall(koa, Request.StudioKeyRequest);
      requireOwnerForLive(koa, kind);
      const isOwners = kind === 'live' || scope?.rights.some((right) => OWNERS_RIGHTS.includes(right));
      if (isOwners) requireMore(ctx, koa, { least: 'owner', isConfirmed: true });
      const label = { name, createdBy: holder.personId, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
      const { id, key } = await keys.create(accountId, kind, label, scope, permitOf(koa));
      const names = new Map([[holder.personId, holder.name]]);
      koa.status = 201;
      koa.body = { ...(await showKey(await keys.find(accountId, id), names)), key };
    },
    studioRevokeKey: async (koa) => {
      const { id, kind } = await keys.find(memberOf(koa).accountId, idOf(koa));
      requireOwnerForLive(koa, kind);
      if (kind === 'live') requireMore(ctx, koa, { least: 'owner', isConfirmed: false });
      await keys.revoke(id, permitOf(koa));
      koa.status = 204;
    },

    studioListPeople: async (koa) => {
      const { accountId, role } = memberOf(koa);
      const found = await members.list(accountId);
      const invitations = mayAct(role, 'owner') ? await links.invitations(accountId) : [];
      const names = await namesFor(
        people,
        invitations.map(({ createdBy }) => createdBy),
      );
      koa.body = {
        people: found.map((member) => showMember(member, holderOf(koa).personId)),
        invitations: invitations.map((link) => ({
          ...{ id: link.id, email: link.email, role: link.role, createdAt: link.createdAt, expiresAt: link.expiresAt },
          createdBy: byOf(link.createdBy, names),
        })),
      };
    },
    studioInvite: async (koa) => {
      const { email = null, role } = await readSmall(koa, Request.StudioInvite);
      const { accountId } = memberOf(koa);
      const { personId } = holderOf(koa);
      const { id, path, expiresAt } = await links.invite(accountId, personId, email, role, permitOf(koa));
      koa.status = 201;
      const invited = email === null ? null : normalEmail(email);
      koa.body = { id, url: ctx.address() + path, email: invited, role, expiresAt };
    },
    studioWithdrawInvitation: async (koa) => {
      await links.withdraw(memberOf(koa).accountId, idOf(koa), permitOf(koa));
      koa.status = 204;
    },
    studioChangeRole: async (koa) => {
      const { accountId } = memberOf(koa);
      const personId = idOf(koa);
      const { role } = await readSmall(koa, Request.StudioRole);
      await members.setRole(accountId, personId, role, permitOf(koa));
      const member = (await members.list(accountId)).find(({ id }) => id === personId);
      if (!member) throw new AppError('not_found', 'person not found');
      koa.body = showMember(member, holderOf(koa).personId);
    },
    studioRemovePerson: async (koa) => {
      const { accountId, role } = memberOf(koa);
      const personId = idOf(koa);
      if (personId !== holderOf(koa).personId) {
        if (!mayAct(role, 'owner')) {
          throw new AppError('forbidden', 'This takes the role owner; everybody may leave by themselves.');
        }
        requireMore(ctx, koa, { least: 'owner', isConfirmed: false });
      }
      await members.remove(accountId, personId, permitOf(koa));
      koa.status = 204;
    },
    studioExportPerson: async (koa) => {
      const { personId, permit } = ownPerson(koa);
      await people.recordExport(personId, permit);
      await sendExport(koa, exportPerson(ctx.exporting, personId));
    },
    studioSuspendPerson: async (koa) => {
      const { personId, permit } = ownPerson(koa);
      if (personId === holderOf(koa).personId) {
        throw new AppError('conflict', 'You would lock yourself out: another owner can suspend you.');
      }
      await people.suspend(personId, true, permit);
      koa.status = 204;
    },
    studioResumePerson: async (koa) => {
      const { personId, permit } = ownPerson(koa);
      await people.suspend(personId, false, permit);
      koa.status = 204;
    },
    studioDeletePerson: async (koa) => {
      const { personId, permit } = ownPerson(koa);
      await requireTyped(koa, (await people.find(personId)).email);
      await people.delete(personId, permit);
      koa.status = 204;
    },
  } satisfies Record<string, Handler>;
}

type Member = Awaited<ReturnType<StudioContext['members']['list']>>[number];

const showMember = ({ id, name, email, role, since, lastSeenAt, suspendedAt }: Member, you: string) => ({
  ...{ id, name, email, role, isYou: id === you, since, lastSeenAt, suspendedAt },
});
