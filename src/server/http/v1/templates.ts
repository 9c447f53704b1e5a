// Templates: list, create, read, replace, delete, versions, preview and layout.

import { anyTemplateJsonSchema } from '#core/template/any-template.ts';
import { referencesIn } from '#design/references-in.ts';
import type { Output } from '#draw/output/formats.ts';
import { requireTemplate } from '#server/service/accounts/key-scope.ts';
import { givenChoice, oneChoice } from '#server/service/rendering/choices.ts';
import { measureLayout } from '#server/service/rendering/layout.ts';
import { preview } from '#server/service/rendering/preview.ts';
import { type SavedTemplate, type StoredTemplate, TEMPLATE_ORDERS } from '#server/service/templates/templates.ts';
import { answerWith, isByKey, type JsonAnswer, sendJson, sendList, setWarnings } from '../middleware/answer.ts';
import { callerOf, holderOf, memberOf, permitOf, wholeAccountOf } from '../middleware/authentication.ts';
import { MAX_BODY, readJsonObject } from '../middleware/body.ts';
import { ownOnly, sendFile } from '../middleware/file-response.ts';
import { MAX_LIMIT, numberInQuery, pageRequest, textInQuery, wordInQuery } from '../middleware/list-query.ts';
import { type Handler, idOf, type RequestContext } from '../middleware/request-context.ts';
import { holdAnswer } from '../middleware/request-memory.ts';
import { unknownFields } from '../middleware/unknown-fields.ts';
import { byOf, namesFor, templatePresenters } from '../studio/presenters.ts';
import { readLarge, templateReference } from '../studio/requests.ts';
import { STUDIO_REQUESTS as Request } from '../studio/schemas.ts';
import type { StudioContext } from '../studio/studio-context.ts';
import { CHOICES, readChoices } from './choices.ts';
import { deleteFrom } from './images.ts';
import { AnyFileFields, FileFields, PREVIEW_FIELDS, readFileFields, readModifications } from './renders.ts';

export function templateHandlers(ctx: StudioContext) {
  const { templates, people } = ctx;
  const { showCards, showCard, showVersion } = templatePresenters(ctx);
  const remove = deleteFrom(templates);

  return {
    listTemplates: async (koa) => {
      const { accountId, scope } = callerOf(koa);
      if (isByKey(koa)) {
        const filter = { ids: scope?.templates ?? null };
        const { items, next } = await templates.page(accountId, filter, pageRequest(koa, MAX_LIMIT));
        const shown = items.map(({ id, name, width, height, engine }) => ({ id, name, width, height, engine }));
        sendList(koa, 'templates', shown, next);
        return;
      }
      const filter = {
        search: textInQuery(koa, 'search'),
        width: numberInQuery(koa, 'width'),
        height: numberInQuery(koa, 'height'),
        folder: textInQuery(koa, 'folder'),
      };
      const order = wordInQuery(koa, 'sort', TEMPLATE_ORDERS) ?? undefined;
      const { items, next } = await templates.page(accountId, filter, pageRequest(koa), order);
      koa.body = {
        items: await showCards(accountId, items),
        next,
        total: await templates.count(accountId),
        sizes: await templates.sizes(accountId),
        folders: await templates.folders(accountId),
      };
    },

    createTemplate: async (koa) => {
      const accountId = wholeAccountOf(koa);
      if (!isByKey(koa)) {
        const { document } = await readLarge(koa, Request.StudioNewTemplate);
        koa.body = await createByPerson(ctx, koa, document);
        return;
      }
      const document = await readDocument(koa);
      await answerWith(koa, showCreated, (onCommit) =>
        templates.create(accountId, document, onCommit, undefined, permitOf(koa)),
      );
    },

    /** `{id}`, `{id}@3` or `{id}?version=3`; for people the newest, with its draft and what it uses. */
    readTemplate: async (koa) => {
      const { accountId } = callerOf(koa);
      const loan = await holdAnswer(koa, MAX_BODY);
      if (isByKey(koa)) {
        const found = show(await templates.read(accountId, referenceOf(koa)));
        loan?.shrink(found.length);
        sendJson(koa, found);
        return;
      }
      const id = idOf(koa);
      const card = await showCard(accountId, id);
      const { document } = await templates.read(accountId, id);
      const { revision, draft } = await ctx.storage.drafts.find(id);
      const savedBy = byOf(draft?.savedBy ?? null, await namesFor(people, [draft?.savedBy ?? null]));
      const shown = {
        ...card,
        draft: draft && { revision, baseVersion: draft.baseVersion, savedAt: draft.savedAt, savedBy },
        newer: await ctx.materialUpdates.newerOf(accountId, id),
        outdatedUses: await ctx.materialUpdates.countOutdated(accountId, { kind: 'template', name: id }),
      };
      loan?.shrink(document.length);
      sendJson(koa, withDocument(shown, document));
    },

    replaceTemplate: async (koa) => {
      requireTemplate(callerOf(koa), idOf(koa));
      const { accountId } = callerOf(koa);
      const document = await readDocument(koa);
      for (const component of referencesIn(document).templates) requireTemplate(callerOf(koa), component);
      const saved = await templates.replace(accountId, idOf(koa), document, permitOf(koa));
      setWarnings(koa, saved.diagnostics);
      sendJson(koa, show(saved));
    },

    deleteTemplate: async (koa) => {
      requireTemplate(callerOf(koa), idOf(koa));
      await remove(koa);
      if (isByKey(koa)) await ctx.variants.forgetDeleted();
    },

    /** In pages, newest first; for people with authors and pictures. */
    listVersions: async (koa) => {
      requireTemplate(callerOf(koa), idOf(koa));
      const { accountId } = callerOf(koa);
      if (isByKey(koa)) {
        const { items, next } = await templates.versionPage(accountId, idOf(koa), pageRequest(koa, MAX_LIMIT));
        const shown = items.map(({ version, createdAt }) => ({ version, createdAt }));
        sendList(koa, 'versions', shown, next);
        return;
      }
      const { items, next } = await templates.versionPage(accountId, idOf(koa), pageRequest(koa));
      const names = await namesFor(
        people,
        items.map(({ authorId }) => authorId),
      );
      koa.body = { items: items.map((one) => showVersion(accountId, idOf(koa), one, names)), next };
    },

    /** Answers with the bytes; not counted and not stored. */
    previewTemplate: async (koa) => {
      const caller = callerOf(koa);
      const body = await readJsonObject(koa);
      const { output, options } = readFileFields(body, isByKey(koa) ? FileFields : AnyFileFields);
      const choice = givenChoice(oneChoice(readChoices(body)));
      const modifications = readModifications(body);
      const request = { template: referenceOf(koa), modifications, output, options, ...choice };
      const drawing = await preview(ctx, caller, request, (bytes) => holdAnswer(koa, bytes));
      setWarnings(koa, [...unknownFields(body, PREVIEW_FIELDS), ...drawing.diagnostics]);
      sendPreview(koa, output, drawing);
    },

    /** Answers with the layout that a render would have; not counted, nothing is drawn. */
    measureTemplate: async (koa) => {
      const caller = callerOf(koa);
      const body = await readJsonObject(koa);
      const modifications = readModifications(body);
      const choice = givenChoice(oneChoice(readChoices(body)));
      const request = { template: referenceOf(koa), modifications, ...choice };
      const { layout, diagnostics } = await measureLayout(ctx, caller, request);
      setWarnings(koa, [...unknownFields(body, ['modifications', ...CHOICES]), ...diagnostics]);
      sendJson(koa, layout);
    },
  } satisfies Record<string, Handler>;
}

/** Stores a template of the person who sent the request. @returns its card, for a 201 */
export async function createByPerson(ctx: StudioContext, koa: RequestContext, document: object) {
  const { accountId } = memberOf(koa);
  const by = { authorId: holderOf(koa).personId, note: null };
  const { id } = await ctx.templates.create(accountId, document, undefined, by, permitOf(koa));
  koa.status = 201;
  return templatePresenters(ctx).showCard(accountId, id);
}

interface Preview {
  readonly bytes: Uint8Array;
  readonly pages?: number;
}

/** Answers with a picture that is not stored; in the studio no page of another site may load it. */
export function sendPreview(koa: RequestContext, output: Output, { bytes, pages }: Preview): void {
  if (pages !== undefined) koa.set('platen-pages', String(pages));
  const file = { output, name: `preview.${output}`, etag: null, cacheControl: 'no-store' };
  sendFile(koa, file, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length);
  if (!isByKey(koa)) ownOnly(koa);
}

/** The JSON of `shown` with a document, which is JSON text already, up to 4 MB long. */
export function withDocument(shown: object, document: string, materials = ''): string {
  const more = materials === '' ? '' : `,"materials":${materials}`;
  return `${JSON.stringify(shown).slice(0, -1)},"document":${document}${more}}`;
}

export const readTemplateSchema: Handler = (koa) => {
  koa.body = anyTemplateJsonSchema();
};

/** The template, and version, that path and query name. @throws AppError `forbidden` when the key is limited to others */
function referenceOf(koa: RequestContext): string {
  requireTemplate(callerOf(koa), idOf(koa));
  return templateReference(koa);
}

/** A template may be sent back exactly as it was read: `id` and `version` are not part of the document. */
async function readDocument(koa: RequestContext): Promise<unknown> {
  const { id: _id, version: _version, ...document } = await readJsonObject(koa);
  return document;
}

const showCreated = (created: SavedTemplate): JsonAnswer => ({
  status: 201,
  body: show(created),
  diagnostics: created.diagnostics,
});

/** The template as JSON, assembled as text. */
function show({ id, version, document }: StoredTemplate): string {
  const members = document.slice(1);
  return `{"id":${JSON.stringify(id)},"version":${version}${members === '}' ? '' : ','}${members}`;
}
