// Studio routes for templates: the list with thumbnails, creating and deleting, drafts, versions, previews.

import { hasMaterials } from '#design/is-design.ts';
import type { Output } from '#draw/output/formats.ts';
import { givenChoice, oneChoice } from '#server/service/rendering/choices.ts';
import { measureDocument, previewDocument } from '#server/service/rendering/document-preview.ts';
import { preview } from '#server/service/rendering/preview.ts';
import type { MaterialTexts } from '#server/service/templates/design-texts.ts';
import { svgTemplate } from '#server/service/templates/svg-template.ts';
import { type ListedTemplate, TEMPLATE_ORDERS, type TemplateVersion } from '#server/service/templates/templates.ts';
import { sendJson } from '../middleware/answer.ts';
import { MAX_BODY, readBody, readJsonObject } from '../middleware/body.ts';
import { clientHas, sendFile, sendNotModified } from '../middleware/file-response.ts';
import { numberInQuery, pageRequest, textInQuery, wordInQuery } from '../middleware/list-query.ts';
import { permitOf } from '../middleware/permit.ts';
import type { Handler, RequestContext } from '../middleware/request-context.ts';
import { holdAnswer } from '../middleware/request-memory.ts';
import { unknownFields } from '../middleware/unknown-fields.ts';
import { setWarnings } from '../middleware/warnings.ts';
import { readChoices } from '../v1/choices.ts';
import { AnyFileFields, PREVIEW_FIELDS, readFileFields, readModifications } from '../v1/renders.ts';
import { embeddedIn, requireAllowedChange, requireLayers, requireOwnMaterial } from './embedded.ts';
import { holderOf, memberOf } from './guard.ts';
import { byOf, isoOrNull, namesFor } from './presenters.ts';
import { readLarge, readOptional, readSmall, revisionToMatch, templateReference, versionInPath } from './requests.ts';
import { STUDIO_REQUESTS as Request } from './schemas.ts';
import type { StudioContext } from './studio-context.ts';

/** Maximum size of an imported SVG, bytes. */
const MAX_SVG = 4 * 1024 * 1024;

export function templateRoutes(ctx: StudioContext) {
  const { templates, drafts, people, thumbnails, materialUpdates, basePath } = ctx;

  const thumbnailOf = (accountId: string, id: string, version: number) =>
    `${basePath}/v1/studio/accounts/${accountId}/templates/${id}/thumbnail?version=${version}`;

  const draftThumbnailOf = (accountId: string, id: string, revision: number | null) =>
    revision === null
      ? null
      : `${basePath}/v1/studio/accounts/${accountId}/templates/${id}/thumbnail?draft=${revision}`;

  async function showCards(accountId: string, found: readonly ListedTemplate[]) {
    const names = await namesFor(
      people,
      found.map(({ authorId }) => authorId),
    );
    const revisions = await ctx.storage.drafts.revisions(found.map(({ id }) => id));
    return found.map(({ id, name, width, height, engine, version, folder, createdAt, updatedAt, authorId }) => ({
      ...{ id, name, width, height, engine, version, folder },
      hasDraft: revisions.has(id),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      updatedBy: byOf(authorId, names),
      thumbnail: thumbnailOf(accountId, id, version),
      draftThumbnail: draftThumbnailOf(accountId, id, revisions.get(id) ?? null),
    }));
  }

  async function showCard(accountId: string, id: string) {
    const [card] = await showCards(accountId, [await templates.card(accountId, id)]);
    if (!card) throw new Error(`Template ${id} was found and is not shown.`);
    return card;
  }

  const showVersion = (
    accountId: string,
    id: string,
    { version, createdAt, authorId, note }: TemplateVersion,
    names: ReadonlyMap<string, string>,
  ) => ({
    version,
    id: `${id}@${version}`,
    createdAt: createdAt.toISOString(),
    author: byOf(authorId, names),
    note,
    thumbnail: thumbnailOf(accountId, id, version),
  });

  async function create(koa: RequestContext, document: Readonly<Record<string, unknown>>) {
    const { accountId } = memberOf(koa);
    const by = { authorId: holderOf(koa).personId, note: null };
    const { id } = await templates.create(accountId, document, undefined, by, permitOf(koa));
    koa.status = 201;
    return showCard(accountId, id);
  }

  /** Imports an SVG as a template of its size, with its parts as layers. */
  async function importSvg(koa: RequestContext, name: string | null) {
    const { accountId } = memberOf(koa);
    const bytes = await readBody(koa, MAX_SVG);
    const families = await ctx.fontCatalogue.families(accountId);
    const { document, warnings } = await svgTemplate((file) => templates.checks.readSvg(accountId, file), {
      bytes,
      name: name ?? 'Imported drawing',
      families: families.map(({ family }) => family),
      generic: ctx.fontCatalogue.generic,
      upload: async (file, called) => (await ctx.images.upload(accountId, file, permitOf(koa), called)).id,
    });
    return { ...(await create(koa, document)), warnings };
  }

  const edit = (koa: RequestContext) => ({
    accountId: memberOf(koa).accountId,
    templateId: koa.params.templateId ?? '',
    revision: revisionToMatch(koa),
    personId: embeddedIn(koa) ? null : holderOf(koa).personId,
    permit: permitOf(koa),
  });

  return {
    studioListTemplates: async (koa) => {
      const { accountId } = memberOf(koa);
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
    studioCreateTemplate: async (koa) => {
      const { document } = await readLarge(koa, Request.StudioNewTemplate);
      koa.body = await create(koa, document);
    },
    studioImportTemplate: async (koa) => {
      const name = textInQuery(koa, 'name');
      if (/^image\/svg\+xml\b/i.test(koa.get('content-type'))) {
        koa.body = await importSvg(koa, name);
        return;
      }
      const { id: _id, version: _version, ...document } = await readJsonObject(koa);
      const card = await create(koa, name === null ? document : { ...document, name });
      koa.body = { ...card, warnings: [] };
    },
    studioReadTemplate: async (koa) => {
      const { accountId } = memberOf(koa);
      const { templateId = '' } = koa.params;
      const loan = await holdAnswer(koa, MAX_BODY);
      const card = await showCard(accountId, templateId);
      const { document } = await templates.read(accountId, templateId);
      const { revision, draft } = await ctx.storage.drafts.find(templateId);
      const names = await namesFor(people, [draft?.savedBy ?? null]);
      const savedBy = byOf(draft?.savedBy ?? null, names);
      const about = draft && { baseVersion: draft.baseVersion, savedAt: draft.savedAt.toISOString(), savedBy };
      const shown = {
        ...card,
        draft: about && { revision, ...about },
        newer: await materialUpdates.newerOf(accountId, templateId),
        outdatedUses: await materialUpdates.countOutdated(accountId, { kind: 'template', name: templateId }),
      };
      loan?.shrink(document.length);
      sendJson(koa, withDocument(shown, document));
    },
    studioDeleteTemplate: async (koa) => {
      const undoUntil = await templates.remove(memberOf(koa).accountId, koa.params.templateId ?? '', permitOf(koa));
      koa.body = { undoUntil: undoUntil.toISOString() };
    },
    studioUndeleteTemplate: async (koa) => {
      const { accountId } = memberOf(koa);
      const { id } = await templates.bringBack(accountId, koa.params.templateId ?? '', permitOf(koa));
      koa.body = await showCard(accountId, id);
    },
    studioMoveTemplate: async (koa) => {
      const { accountId } = memberOf(koa);
      const { templateId = '' } = koa.params;
      const { folder } = await readSmall(koa, Request.StudioMove);
      await templates.move(accountId, templateId, folder, permitOf(koa));
      koa.body = await showCard(accountId, templateId);
    },
    studioRenameTemplate: async (koa) => {
      const { accountId } = memberOf(koa);
      const { templateId = '' } = koa.params;
      const { name } = await readSmall(koa, Request.StudioRename);
      await drafts.rename({ accountId, templateId, personId: holderOf(koa).personId, permit: permitOf(koa) }, name);
      koa.body = await showCard(accountId, templateId);
    },
    studioDuplicateTemplate: async (koa) => {
      const { name } = await readOptional(koa, Request.StudioDuplicate);
      const { document } = await drafts.open(memberOf(koa).accountId, koa.params.templateId ?? '');
      const copied = JSON.parse(document);
      koa.body = await create(koa, { ...copied, name: name ?? `${String(copied.name)} copy`.slice(0, 100) });
    },
    studioExportTemplate: async (koa) => {
      const loan = await holdAnswer(koa, MAX_BODY);
      const { id, version, document } = await templates.read(memberOf(koa).accountId, templateReference(koa));
      loan?.shrink(document.length);
      koa.set('content-disposition', `attachment; filename="${id}-${version}.json"`);
      sendJson(koa, document);
    },
    studioDrawThumbnail: async (koa) => {
      const { accountId } = memberOf(koa);
      const wanted = numberInQuery(koa, 'draft');
      const draft = wanted === null ? null : await drafts.open(accountId, koa.params.templateId ?? '');
      const material = textInQuery(koa, 'with');
      const found = draft
        ? thumbnails.findDraft(accountId, koa.params.templateId ?? '', draft)
        : thumbnails.find(accountId, templateReference(koa), material);
      const { bytes, etag, lasting } = await found;
      // A later revision is shown in place of an earlier one, which is not kept.
      const isPinned = draft ? draft.revision === wanted : koa.query.version !== undefined;
      const cacheControl = isPinned ? 'private, max-age=31536000, immutable' : 'private, no-cache';
      const file = { output: 'webp', name: `${etag}.webp`, etag, cacheControl } as const;
      const answer = lasting ? file : { ...file, etag: null, cacheControl: 'no-store' };
      if (lasting && clientHas(koa, etag)) sendNotModified(koa, file);
      else sendFile(koa, answer, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length);
      ownOnly(koa);
    },
    studioPreviewTemplate: async (koa) => {
      const body = await readJsonObject(koa);
      const { output, options } = readFileFields(body, AnyFileFields);
      const choice = givenChoice(oneChoice(readChoices(body)));
      const modifications = readModifications(body);
      const request = { template: templateReference(koa), modifications, output, options, ...choice };
      const { bytes, diagnostics } = await preview(ctx, memberOf(koa), request, holding(koa));
      setWarnings(koa, [...unknownFields(body, PREVIEW_FIELDS), ...diagnostics]);
      sendPreview(koa, output, bytes);
    },
    studioPreviewDocument: async (koa) => {
      const body = await readLarge(koa, Request.StudioDocumentPreview);
      await requireOwnMaterial(ctx, koa, body);
      const { document, modifications = {}, output, size, lang, brand, ...options } = body;
      const wanted = { modifications, output, options, choice: oneChoice({ size, lang, brand }) };
      const { bytes, diagnostics } = await previewDocument(
        ctx,
        memberOf(koa).accountId,
        document,
        wanted,
        holding(koa),
      );
      setWarnings(koa, diagnostics);
      sendPreview(koa, output, bytes);
    },
    studioMeasureDocument: async (koa) => {
      const body = await readLarge(koa, Request.StudioDocumentLayout);
      await requireOwnMaterial(ctx, koa, body);
      const { document, modifications = {}, ...wanted } = body;
      const { accountId } = memberOf(koa);
      const measured = await measureDocument(ctx, accountId, document, modifications, oneChoice(wanted));
      const { layout, diagnostics } = measured;
      setWarnings(koa, diagnostics);
      sendJson(koa, layout);
    },

    studioReadDraft: async (koa) => {
      const { accountId } = memberOf(koa);
      const isEmbedded = embeddedIn(koa) !== null;
      const loan = await holdAnswer(koa, isEmbedded ? 2 * MAX_BODY : MAX_BODY);
      const draft = await drafts.open(accountId, koa.params.templateId ?? '');
      const { revision, baseVersion, savedAt, document } = draft;
      let materials = '';
      if (isEmbedded) {
        const parsed = JSON.parse(document);
        requireLayers(parsed);
        // Its token opens no brand and no other template, so what this one shows of them comes with it.
        if (hasMaterials(document)) materials = jsonOf(await templates.materialsOf(accountId, parsed, MAX_BODY));
      }
      loan?.shrink(document.length + materials.length);
      const savedBy = embeddedIn(koa) ? null : draft.savedBy;
      const names = await namesFor(people, [savedBy]);
      koa.set('etag', `"${revision}"`);
      const shown = { revision, baseVersion, savedAt: isoOrNull(savedAt), savedBy: byOf(savedBy, names) };
      sendJson(koa, withDocument(shown, document, materials));
    },
    studioSaveDraft: async (koa) => {
      const wanted = edit(koa);
      await drafts.requireNewest(wanted);
      const { document, baseVersion = null } = await readLarge(koa, Request.StudioDraftSave);
      // By the same revision that saving checks again, in its transaction.
      if (embeddedIn(koa)) {
        const { accountId, templateId } = wanted;
        requireAllowedChange(koa, (await drafts.open(accountId, templateId)).document, document);
      }
      const { revision, savedAt } = await drafts.save(wanted, document, embeddedIn(koa) ? null : baseVersion);
      koa.set('etag', `"${revision}"`);
      koa.body = { revision, savedAt: savedAt.toISOString() };
    },
    studioDiscardDraft: async (koa) => {
      koa.body = { revision: await drafts.discard(edit(koa)) };
    },
    studioPublishDraft: async (koa) => {
      const wanted = edit(koa);
      const { note = null, over = null } = await readOptional(koa, Request.StudioPublish);
      const replaced = embeddedIn(koa) ? null : over;
      const { version, revision, createdAt } = await drafts.publish(wanted, note || null, replaced);
      koa.status = 201;
      koa.body = { version, revision, createdAt: createdAt.toISOString() };
    },

    studioListVersions: async (koa) => {
      const { accountId } = memberOf(koa);
      const { templateId = '' } = koa.params;
      const { items, next } = await templates.versionPage(accountId, templateId, pageRequest(koa));
      const names = await namesFor(
        people,
        items.map(({ authorId }) => authorId),
      );
      koa.body = { items: items.map((one) => showVersion(accountId, templateId, one, names)), next };
    },
    studioReadVersion: async (koa) => {
      const { accountId } = memberOf(koa);
      const { templateId = '' } = koa.params;
      const loan = await holdAnswer(koa, MAX_BODY);
      const { document, ...found } = await templates.version(accountId, templateId, versionInPath(koa));
      loan?.shrink(document.length);
      const names = await namesFor(people, [found.authorId]);
      sendJson(koa, withDocument(showVersion(accountId, templateId, found, names), document));
    },
    studioRestoreVersion: async (koa) => {
      const { accountId } = memberOf(koa);
      const { templateId = '' } = koa.params;
      const version = versionInPath(koa);
      const { note } = await readOptional(koa, Request.StudioRestore);
      const { document } = await templates.read(accountId, `${templateId}@${version}`);
      const by = { authorId: holderOf(koa).personId, note: note || `Restored version ${version}` };
      const made = await templates.replace(accountId, templateId, JSON.parse(document), permitOf(koa), {
        by,
        action: 'template.restore',
      });
      const { createdAt } = await templates.version(accountId, templateId, made.version);
      koa.status = 201;
      koa.body = { version: made.version, createdAt: createdAt.toISOString() };
    },
  } satisfies Record<string, Handler>;
}

/** Waits for the memory of a preview. */
const holding = (koa: RequestContext) => (bytes: number) => holdAnswer(koa, bytes);

/** The JSON of `shown` with a document, which is JSON text already, up to 4 MB long. */
function withDocument(shown: object, document: string, materials = ''): string {
  const more = materials === '' ? '' : `,"materials":${materials}`;
  return `${JSON.stringify(shown).slice(0, -1)},"document":${document}${more}}`;
}

/** The JSON of materials, which are JSON texts already. */
function jsonOf({ brands, templates }: MaterialTexts): string {
  const of = (texts: ReadonlyMap<string, string>) =>
    `{${[...texts].map(([reference, text]) => `${JSON.stringify(reference)}:${text}`).join(',')}}`;
  return `{"brands":${of(brands)},"templates":${of(templates)}}`;
}

function sendPreview(koa: RequestContext, output: Output, bytes: Uint8Array): void {
  const file = { output, name: `preview.${output}`, etag: null, cacheControl: 'no-store' };
  sendFile(koa, file, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length);
  ownOnly(koa);
}

/** Restricts a file to the studio's own pages: no other site may load it. */
export function ownOnly(koa: RequestContext): void {
  koa.remove('access-control-allow-origin');
  koa.set('cross-origin-resource-policy', 'same-origin');
}
