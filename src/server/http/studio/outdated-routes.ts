// Studio routes for templates that use an older version of a brand or a component: a list with pictures before and after,
// and updating them.

import type { Material } from '#server/service/templates/material-updates.ts';
import { pageRequest } from '../middleware/list-query.ts';
import type { Handler, RequestContext } from '../middleware/request-context.ts';
import { updateUses } from '../v1/outdated-uses.ts';
import { holderOf, memberOf } from './guard.ts';
import type { StudioContext } from './studio-context.ts';

export function outdatedRoutes({ materialUpdates, storage, basePath }: StudioContext) {
  const list =
    (materialOf: (koa: RequestContext) => Material): Handler =>
    async (koa) => {
      const { accountId } = memberOf(koa);
      const material = materialOf(koa);
      const { newest, total, items, next } = await materialUpdates.outdated(accountId, material, pageRequest(koa));
      const revisions = await storage.drafts.revisions(items.map(({ id }) => id));
      const shown = items.map(({ id, name, version, used }) => {
        const before = `${basePath}/v1/studio/accounts/${accountId}/templates/${id}/thumbnail?version=${version}`;
        const after = `${before}&with=${material.name}@${newest}`;
        return { id, name, version, used, hasDraft: revisions.has(id), before, after };
      });
      koa.body = { newest, total, items: shown, next };
    };

  const update = (materialOf: (koa: RequestContext) => Material): Handler =>
    updateUses(materialUpdates, (koa) => ({
      accountId: memberOf(koa).accountId,
      material: materialOf(koa),
      personId: holderOf(koa).personId,
    }));

  return {
    studioListOutdatedBrandUses: list(brandOf),
    studioUpdateBrandUses: update(brandOf),
    studioListOutdatedTemplateUses: list(componentOf),
    studioUpdateTemplateUses: update(componentOf),
  } satisfies Record<string, Handler>;
}

const brandOf = ({ params }: RequestContext): Material => ({ kind: 'brand', name: params.brandName ?? '' });
const componentOf = ({ params }: RequestContext): Material => ({ kind: 'template', name: params.templateId ?? '' });
