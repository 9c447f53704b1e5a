// Studio routes for templates that use an older version of a brand or a component: a list with pictures before and after,
// and updating them.

import { pageRequest } from '../middleware/list-query.ts';
import type { Handler } from '../middleware/request-context.ts';
import { brandOf, componentOf, type MaterialOf, updateUses } from '../v1/outdated-uses.ts';
import { memberOf } from './guard.ts';
import type { StudioContext } from './studio-context.ts';

export function outdatedRoutes({ materialUpdates, storage, basePath }: StudioContext) {
  const list =
    (materialOf: MaterialOf): Handler =>
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

  return {
    studioListOutdatedBrandUses: list(brandOf),
    studioUpdateBrandUses: updateUses(materialUpdates, brandOf),
    studioListOutdatedTemplateUses: list(componentOf),
    studioUpdateTemplateUses: updateUses(materialUpdates, componentOf),
  } satisfies Record<string, Handler>;
}
