// `/v1/templates`: list, create, read, replace, delete, versions, preview and layout.

import { z } from 'zod';
import { anyTemplateJsonSchema } from '#core/template/any-template.ts';
import { parse } from '#core/template/validation.ts';
import { referencesIn } from '#design/references-in.ts';
import { requireAllTemplates, requireTemplate } from '#server/service/accounts/key-scope.ts';
import { givenChoice, oneChoice } from '#server/service/rendering/choices.ts';
import { measureLayout } from '#server/service/rendering/layout.ts';
import { type PreviewContext, preview } from '#server/service/rendering/preview.ts';
import type { Variants } from '#server/service/rendering/variants.ts';
import type { SavedTemplate, StoredTemplate, TemplateLibrary } from '#server/service/templates/templates.ts';
import { answerWith, type JsonAnswer, sendJson } from '../middleware/answer.ts';
import { callerOf } from '../middleware/authentication.ts';
import { MAX_BODY, readJsonObject } from '../middleware/body.ts';
import { sendFile } from '../middleware/file-response.ts';
import { MAX_LIMIT, pageRequest } from '../middleware/list-query.ts';
import { permitOf } from '../middleware/permit.ts';
import type { Handler, RequestContext } from '../middleware/request-context.ts';
import { holdAnswer } from '../middleware/request-memory.ts';
import { unknownFields } from '../middleware/unknown-fields.ts';
import { setWarnings } from '../middleware/warnings.ts';
import { CHOICES, readChoices } from './choices.ts';
import { type AnyFileFields, type FileFields, PREVIEW_FIELDS, readFileFields, readModifications } from './renders.ts';

export function listTemplates(templates: TemplateLibrary): Handler {
  return async (koa) => {
    const { accountId, scope } = callerOf(koa);
    const filter = { ids: scope?.templates ?? null };
    const { items, next } = await templates.page(accountId, filter, pageRequest(koa, MAX_LIMIT));
    koa.body = {
      templates: items.map(({ id, name, width, height, engine }) => ({ id, name, width, height, engine })),
      ...(next !== null && { next }),
    };
  };
}

export function createTemplate(templates: TemplateLibrary): Handler {
  return async (koa) => {
    const { accountId } = callerOf(koa);
    requireAllTemplates(callerOf(koa));
    const document = await readDocument(koa);
    await answerWith(koa, showCreated, (onCommit) =>
      templates.create(accountId, document, onCommit, undefined, permitOf(koa)),
    );
  };
}

/** `{id}`, `{id}@3` or `{id}?version=3`. */
export function readTemplate(templates: TemplateLibrary): Handler {
  return async (koa) => {
    const loan = await holdAnswer(koa, MAX_BODY);
    const found = show(await templates.read(callerOf(koa).accountId, reference(koa)));
    loan?.shrink(found.length);
    sendJson(koa, found);
  };
}

export function replaceTemplate(templates: TemplateLibrary): Handler {
  return async (koa) => {
    requireTemplate(callerOf(koa), koa.params.id ?? '');
    const { accountId } = callerOf(koa);
    const document = await readDocument(koa);
    for (const component of referencesIn(document).templates) requireTemplate(callerOf(koa), component);
    const saved = await templates.replace(accountId, koa.params.id ?? '', document, permitOf(koa));
    setWarnings(koa, saved.diagnostics);
    sendJson(koa, show(saved));
  };
}

export function deleteTemplate(templates: TemplateLibrary, variants: Variants): Handler {
  return async (koa) => {
    requireTemplate(callerOf(koa), koa.params.id ?? '');
    await templates.delete(callerOf(koa).accountId, koa.params.id ?? '', permitOf(koa));
    await variants.forgetDeleted();
    koa.status = 204;
  };
}

export function listVersions(templates: TemplateLibrary): Handler {
  return async (koa) => {
    requireTemplate(callerOf(koa), koa.params.id ?? '');
    const versions = await templates.versions(callerOf(koa).accountId, koa.params.id ?? '');
    koa.body = {
      versions: versions.map(({ version, createdAt }) => ({ version, created_at: createdAt.toISOString() })),
    };
  };
}

/** Answers with the bytes; not counted and not stored. */
export function previewTemplate(ctx: PreviewContext, fields: typeof FileFields | typeof AnyFileFields): Handler {
  return async (koa) => {
    const caller = callerOf(koa);
    const body = await readJsonObject(koa);
    const { output, options } = readFileFields(body, fields);
    const choice = givenChoice(oneChoice(readChoices(body)));
    const modifications = readModifications(body);
    const request = { template: reference(koa), modifications, output, options, ...choice };
    const { bytes, diagnostics } = await preview(ctx, caller, request, (bytes) => holdAnswer(koa, bytes));
    setWarnings(koa, [...unknownFields(body, PREVIEW_FIELDS), ...diagnostics]);
    const file = { output, name: `preview.${output}`, etag: null, cacheControl: 'no-store' };
    sendFile(koa, file, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length);
  };
}

/** Answers with the layout that a render would have; not counted, nothing is drawn. */
export function measureTemplate(ctx: PreviewContext): Handler {
  return async (koa) => {
    const caller = callerOf(koa);
    const body = await readJsonObject(koa);
    const modifications = readModifications(body);
    const choice = givenChoice(oneChoice(readChoices(body)));
    const request = { template: reference(koa), modifications, ...choice };
    const { layout, diagnostics } = await measureLayout(ctx, caller, request);
    setWarnings(koa, [...unknownFields(body, ['modifications', ...CHOICES]), ...diagnostics]);
    sendJson(koa, layout);
  };
}

export const readTemplateSchema: Handler = (koa) => {
  koa.body = anyTemplateJsonSchema();
};

const Version = z.string().regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1');

/** @throws AppError `forbidden` when the key is limited to other templates */
function reference(koa: RequestContext): string {
  const id = koa.params.id ?? koa.params.templateId ?? '';
  requireTemplate(callerOf(koa), id);
  const { version } = koa.query;
  return version === undefined ? id : `${id}@${parse(Version, version, 'version')}`;
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
