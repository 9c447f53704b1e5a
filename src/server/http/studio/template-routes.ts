// Studio routes for templates beside those that keys have too (../v1/templates.ts): cards, drafts, versions, documents.

import { hasMaterials } from '#design/is-design.ts';
import { oneChoice } from '#server/service/rendering/choices.ts';
import { measureDocument, previewDocument } from '#server/service/rendering/document-preview.ts';
import type { MaterialTexts } from '#server/service/templates/design-texts.ts';
import { svgTemplate } from '#server/service/templates/svg-template.ts';
import { sendJson, setWarnings } from '../middleware/answer.ts';
import { holderOf, memberOf, permitOf } from '../middleware/authentication.ts';
import { MAX_BODY, readBody, readJsonObject } from '../middleware/body.ts';
import { clientHas, ownOnly, sendFile, sendNotModified } from '../middleware/file-response.ts';
import { numberInQuery, textInQuery } from '../middleware/list-query.ts';
import { type Handler, idOf, type RequestContext } from '../middleware/request-context.ts';
import { holdAnswer } from '../middleware/request-memory.ts';
import { createByPerson, sendPreview, withDocument } from '../v1/templates.ts';
import { embeddedIn, requireAllowedChange, requireLayers, requireOwnMaterial } from './embedded.ts';
import { byOf, namesFor, templatePresenters } from './presenters.ts';
import { readLarge, readOptional, readSmall, revisionToMatch, templateReference, versionInPath } from './requests.ts';
import { STUDIO_REQUESTS as Request } from './schemas.ts';
import type { StudioContext } from './studio-context.ts';

/** Maximum size of an imported SVG, bytes. */
const MAX_SVG = 4 * 1024 * 1024;

export function templateRoutes(ctx: StudioContext) {
  const { templates, drafts, people, thumbnails } = ctx;
  const { showCard, showVersion } = templatePresenters(ctx);

  /** Imports an SVG as a template of its size, with its parts as layers. */
  async function importSvg(koa: RequestContext, name: string | null) {
    const { accountId } = memberOf(koa);
    const bytes = await readBody(koa, MAX_SVG);
    const families = await ctx.fontCatalogue.families(accountId);
    const { document, warnings } = await svgTemplate((file) => templates.checks.readSvgTemplate(accountId, file), {
      bytes,
      name: name ?? 'Imported drawing',
      families: families.map(({ family }) => family),
      generic: ctx.fontCatalogue.generic,
      upload: async (file, called) => (await ctx.images.upload(accountId, file, permitOf(koa), { name: called })).id,
    });
    return { ...(await createByPerson(ctx, koa, document)), warnings };
  }

  const edit = (koa: RequestContext) => ({
    accountId: memberOf(koa).accountId,
    templateId: idOf(koa),
    revision: revisionToMatch(koa),
    personId: embeddedIn(koa) ? null : holderOf(koa).personId,
    permit: permitOf(koa),
  });

  return {
    studioImportTemplate: async (koa) => {
      const name = textInQuery(koa, 'name');
      if (/^image\/svg\+xml\b/i.test(koa.get('content-type'))) {
        koa.body = await importSvg(koa, name);
        return;
      }
      const { id: _id, version: _version, ...document } = await readJsonObject(koa);
      const card = await createByPerson(ctx, koa, name === null ? document : { ...document, name });
      koa.body = { ...card, warnings: [] };
    },
    studioUndeleteTemplate: async (koa) => {
      const { accountId } = memberOf(koa);
      const { id } = await templates.bringBack(accountId, idOf(koa), permitOf(koa));
      koa.body = await showCard(accountId, id);
    },
    studioMoveTemplate: async (koa) => {
      const { accountId } = memberOf(koa);
      const templateId = idOf(koa);
      const { folder } = await readSmall(koa, Request.StudioMove);
      await templates.move(accountId, templateId, folder, permitOf(koa));
      koa.body = await showCard(accountId, templateId);
    },
    studioRenameTemplate: async (koa) => {
      const { accountId } = memberOf(koa);
      const templateId = idOf(koa);
      const { name } = await readSmall(koa, Request.StudioRename);
      await drafts.rename({ accountId, templateId, personId: holderOf(koa).personId, permit: permitOf(koa) }, name);
      koa.body = await showCard(accountId, templateId);
    },
    studioDuplicateTemplate: async (koa) => {
      const { name } = await readOptional(koa, Request.StudioDuplicate);
      const { document } = await drafts.open(memberOf(koa).accountId, idOf(koa));
      const copied = JSON.parse(document);
      koa.body = await createByPerson(ctx, koa, {
        ...copied,
        name: name ?? `${String(copied.name)} copy`.slice(0, 100),
      });
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
      const draft = wanted === null ? null : await drafts.open(accountId, idOf(koa));
      const material = textInQuery(koa, 'with');
      const found = draft
        ? thumbnails.findDraft(accountId, idOf(koa), draft)
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
    studioPreviewDocument: async (koa) => {
      const body = await readLarge(koa, Request.StudioDocumentPreview);
      await requireOwnMaterial(ctx, koa, body);
      const { document, modifications = {}, output, size, lang, brand, ...options } = body;
      const wanted = { modifications, output, options, choice: oneChoice({ size, lang, brand }) };
      const { accountId } = memberOf(koa);
      const hold = (bytes: number) => holdAnswer(koa, bytes);
      const drawing = await previewDocument(ctx, accountId, document, wanted, hold);
      setWarnings(koa, drawing.diagnostics);
      sendPreview(koa, output, drawing);
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
      const draft = await drafts.open(accountId, idOf(koa));
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
      const shown = { revision, baseVersion, savedAt, savedBy: byOf(savedBy, names) };
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
      koa.body = { revision, savedAt };
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
      koa.body = { version, revision, createdAt };
    },

    studioReadVersion: async (koa) => {
      const { accountId } = memberOf(koa);
      const templateId = idOf(koa);
      const loan = await holdAnswer(koa, MAX_BODY);
      const { document, ...found } = await templates.version(accountId, templateId, versionInPath(koa));
      loan?.shrink(document.length);
      const names = await namesFor(people, [found.authorId]);
      sendJson(koa, withDocument(showVersion(accountId, templateId, found, names), document));
    },
    studioRestoreVersion: async (koa) => {
      const { accountId } = memberOf(koa);
      const templateId = idOf(koa);
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
      koa.body = { version: made.version, createdAt };
    },
  } satisfies Record<string, Handler>;
}

/** The JSON of materials, which are JSON texts already. */
function jsonOf({ brands, templates }: MaterialTexts): string {
  const of = (texts: ReadonlyMap<string, string>) =>
    `{${[...texts].map(([reference, text]) => `${JSON.stringify(reference)}:${text}`).join(',')}}`;
  return `{"brands":${of(brands)},"templates":${of(templates)}}`;
}
