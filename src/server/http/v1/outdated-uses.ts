// Lists the templates that use an older version of a brand or of a component, and updates them: for API keys and sessions.

import { z } from 'zod';
import { parse } from '#core/template/validation.ts';
import { MAX_UPDATED, type Material } from '#server/service/templates/material-updates.ts';
import { isByKey } from '../middleware/answer.ts';
import { permitOf, wholeAccountOf } from '../middleware/authentication.ts';
import { readJsonObject } from '../middleware/body.ts';
import { pageRequest } from '../middleware/list-query.ts';
import { type Handler, idOf, type RequestContext } from '../middleware/request-context.ts';
import type { StudioContext } from '../studio/studio-context.ts';

const MAX_BODY = 64 * 1024;
const Version = z.int().min(1);
const Newest = Version.meta({ description: 'The newest version of the brand or the component.' });
const Next = z
  .string()
  .nullable()
  .meta({ description: 'Send it as `after` to get the next page; null on the last one.' });

export const OutdatedUses = z.strictObject({
  newest: Newest,
  total: z.int().min(0).meta({ description: 'Of all pages.' }),
  templates: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      version: Version.meta({ description: 'The template’s newest.' }),
      used: Version.meta({
        description: 'The version of the brand or the component that it uses; the oldest of several.',
      }),
    }),
  ),
  next: Next,
});

export const UpdateUsesRequest = z
  .strictObject({
    templates: z
      .union(
        [z.literal('all'), z.array(z.string().max(100)).min(1).max(MAX_UPDATED)],
        `must be "all", or a list of 1 to ${MAX_UPDATED} ids`,
      )
      .meta({
        description: `Ids, as tpl_…, or as tpl_…@4 to be refused when version 4 is no longer its newest; "all" = the next ${MAX_UPDATED} that use an older version.`,
      }),
    after: z.string().max(120).nullish().meta({ description: 'With "all": `next` of the previous answer.' }),
    version: Version.nullish().meta({ description: 'The version to use; refused when it is no longer the newest.' }),
  })
  .refine(({ templates, after }) => templates === 'all' || after == null, {
    path: ['after'],
    error: 'goes with "templates": "all"; leave it out with a list',
  });

export const UpdatedUses = z.strictObject({
  newest: Newest,
  results: z
    .array(
      z.union([
        z.strictObject({ id: z.string(), version: Version.meta({ description: 'The template’s new version.' }) }),
        z.strictObject({ id: z.string(), error: z.string() }),
      ]),
    )
    .meta({ description: 'One for each template: its new version, or its error.' }),
  count: z.int(),
  ok: z.int(),
  next: Next,
});

type MaterialOf = (koa: RequestContext) => Material;
const brandOf: MaterialOf = (koa) => ({ kind: 'brand', name: idOf(koa) });
const componentOf: MaterialOf = (koa) => ({ kind: 'template', name: idOf(koa) });

export function outdatedHandlers({ materialUpdates, storage, basePath }: StudioContext) {
  /** One page, by name; for people with pictures before and after. */
  const list =
    (materialOf: MaterialOf): Handler =>
    async (koa) => {
      const accountId = wholeAccountOf(koa);
      const material = materialOf(koa);
      const { newest, total, items, next } = await materialUpdates.outdated(accountId, material, pageRequest(koa));
      if (isByKey(koa)) {
        koa.body = { newest, total, templates: items, next };
        return;
      }
      const revisions = await storage.drafts.revisions(items.map(({ id }) => id));
      const shown = items.map(({ id, name, version, used }) => {
        const before = `${basePath}/v1/studio/accounts/${accountId}/templates/${id}/thumbnail?version=${version}`;
        const after = `${before}&with=${material.name}@${newest}`;
        return { id, name, version, used, hasDraft: revisions.has(id), before, after };
      });
      koa.body = { newest, total, items: shown, next };
    };

  const update =
    (materialOf: MaterialOf): Handler =>
    async (koa) => {
      const accountId = wholeAccountOf(koa);
      const material = materialOf(koa);
      const personId = koa.state.session?.personId ?? null;
      const { templates, after = null, version = null } = parse(UpdateUsesRequest, await readJsonObject(koa, MAX_BODY));
      const wanted = { templates, after, version };
      const updated = await materialUpdates.update(accountId, material, wanted, permitOf(koa), personId);
      const { newest, results, next } = updated;
      const ok = results.filter((result) => 'version' in result).length;
      koa.body = { newest, results, count: results.length, ok, next };
    };

  return {
    listOutdatedBrandUses: list(brandOf),
    updateBrandUses: update(brandOf),
    listOutdatedTemplateUses: list(componentOf),
    updateTemplateUses: update(componentOf),
  } satisfies Record<string, Handler>;
}
