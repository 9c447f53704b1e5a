// Renders: the fields of one, polling, and the list of those that were made.

import { z } from 'zod';
import { AppError } from '#base/errors.ts';
import { type Diagnostic, quoted, ValidationError } from '#core/diagnostics.ts';
import { MAX_PAGES } from '#core/pages/paginate.ts';
import { RequestedDocument } from '#core/template/document-properties.ts';
import { described, parse, type SchemasOf } from '#core/template/validation.ts';
import {
  CHROMA_SUBSAMPLINGS,
  COMPRESSIONS,
  DEFAULT_EXPORT,
  type FileOptions,
  OUTPUTS,
  REQUEST_OUTPUTS,
} from '#draw/output/formats.ts';
import type { Caller } from '#server/service/accounts/caller.ts';
import { requireRight, requireTemplate } from '#server/service/accounts/key-scope.ts';
import type { Assets, Job, ListedRender } from '#server/service/files/assets.ts';
import { type BatchOfRender, batchesOf, NUMBERINGS } from '#server/service/jobs/batches.ts';
import type { Acceptance } from '#server/service/jobs/jobs.ts';
import { MAX_METADATA, readMetadata, shownMetadata } from '#server/service/rendering/metadata.ts';
import type { Rendered } from '#server/service/rendering/render.ts';
import type { RenderRequest } from '#server/service/rendering/render-request.ts';
import type { AskedValues } from '#server/service/rendering/render-request-record.ts';
import type { TemplateSource } from '#server/service/templates/templates.ts';
import { isByKey, type JsonAnswer, sendList } from '../middleware/answer.ts';
import { callerOf, permitOf } from '../middleware/authentication.ts';
import { requireBodySize, requireObject } from '../middleware/body.ts';
import { ANSWER_FORMS } from '../middleware/file-answer.ts';
import { pageRequest, textInQuery, wordInQuery } from '../middleware/list-query.ts';
import { type Handler, idOf } from '../middleware/request-context.ts';
import { misspeltField } from '../middleware/unknown-fields.ts';
import type { StudioContext } from '../studio/studio-context.ts';
import { CHOICES } from './choices.ts';

/** Prepends warnings to those of the answer from `show`. */
export function also<Made>(
  diagnostics: readonly Diagnostic[],
  show: (made: Made) => JsonAnswer,
): (made: Made) => JsonAnswer {
  return (made) => {
    const answer = show(made);
    return { ...answer, diagnostics: [...diagnostics, ...(answer.diagnostics ?? [])] };
  };
}

/** The answer for a finished render, whose asset is stored. */
export const showRendered = ({ result, choice, metadata, diagnostics }: Rendered): JsonAnswer => ({
  status: 200,
  body: { ...result, ...choice, ...(metadata === undefined ? {} : { metadata }) },
  diagnostics,
});

/** The answer for an accepted job, which is committed. */
export const showAccepted = ({ accepted, diagnostics }: Acceptance): JsonAnswer => ({
  status: 202,
  body: accepted,
  diagnostics,
});

/** Of a list's filters. */
const STATUSES = ['queued', 'processing', 'done', 'error'] as const;
const KINDS = ['render', 'screenshot'] as const;
const WITH_WARNINGS = ['true'] as const;

/** A batch that a render belongs to, and the names of templates, by ids of renders and of templates: for people. */
interface Around {
  readonly names: ReadonlyMap<string, string>;
  readonly batches: ReadonlyMap<string, BatchOfRender>;
}

export function renderHandlers(ctx: StudioContext) {
  const { assets, templates } = ctx;

  const around = async (accountId: string, renders: readonly ListedRender[]): Promise<Around> => ({
    names: await templates.names(accountId, [...new Set(renders.flatMap(({ asked }) => asked.template?.id ?? []))]),
    batches: await batchesOf(
      ctx,
      renders.map(({ id }) => id),
    ),
  });

  /** A render in a list. @param more null for a key */
  function show(render: ListedRender, more: Around | null) {
    const { id, kind, status, output, createdAt, asked } = render;
    const values = JSON.parse(asked.values ?? '{}') as AskedValues & { page?: string };
    const { template } = asked;
    const { inline } = values;
    const result = assets.resultOf(render);
    const batch = more?.batches.get(id);
    return {
      ...{ id, status, kind, output },
      ...(more
        ? {
            url: result?.url ?? null,
            inline: inline ? { id: inline.id, name: inline.name } : null,
            values: summaryOf(values.modifications),
            batch: batch ? { id: batch.id, name: batch.name, row: batch.place } : null,
          }
        : { result }),
      error: render.status === 'error' ? render.error : null,
      size: result && 'size' in render ? render.size : null,
      template: more
        ? template && { ...template, name: more.names.get(template.id) ?? null }
        : (template ?? (inline ? { id: inline.id, version: null } : null)),
      page: values.page ?? null,
      metadata: shownMetadata(asked.metadata).metadata ?? null,
      warnings: render.status === 'done' ? render.warnings : [],
      createdAt,
      finishedAt: 'finishedAt' in render ? render.finishedAt : null,
    };
  }

  return {
    /** One page, newest first. */
    listRenders: async (koa) => {
      const { accountId, scope } = callerOf(koa);
      const filter = {
        templateIds: scope?.templates ?? null,
        status: wordInQuery(koa, 'status', STATUSES),
        kind: wordInQuery(koa, 'kind', KINDS),
        output: wordInQuery(koa, 'output', OUTPUTS),
        templateId: textInQuery(koa, 'template'),
        batchId: isByKey(koa) ? null : textInQuery(koa, 'batch'),
        withWarnings: wordInQuery(koa, 'warnings', WITH_WARNINGS) !== null,
      };
      const { items, next } = await assets.page(accountId, filter, pageRequest(koa));
      const more = isByKey(koa) ? null : await around(accountId, items);
      const shown = items.map((render) => show(render, more));
      sendList(koa, 'renders', shown, next);
    },
    /** For a key its job; for people with its values. */
    readRender: async (koa) => {
      const caller = callerOf(koa);
      const id = idOf(koa);
      if (isByKey(koa)) {
        const job = await assets.job(caller.accountId, id);
        await requireOwnRender(assets, caller, id);
        koa.body = showJob(job);
        return;
      }
      const render = await assets.find(caller.accountId, id);
      const { modifications = null, inline } = JSON.parse(render.asked.values ?? '{}') as AskedValues;
      const shown = show(render, await around(caller.accountId, [render]));
      koa.body = { ...shown, modifications, document: inline?.document ?? null };
    },
    deleteRender: async (koa) => {
      const caller = callerOf(koa);
      await requireOwnRender(assets, caller, idOf(koa));
      await assets.delete(caller.accountId, idOf(koa), permitOf(koa));
      koa.status = 204;
    },
  } satisfies Record<string, Handler>;
}

/** @throws AppError `forbidden` for a render of a template that the key may not use */
async function requireOwnRender(assets: Assets, caller: Caller, id: string): Promise<void> {
  if (!caller.scope?.templates) return;
  const { kind, asked } = await assets.find(caller.accountId, id);
  if (kind === 'screenshot') requireRight(caller, 'screenshot');
  else requireTemplate(caller, asked.template?.id);
}

/** Length of the values that a list shows of a render, in characters. */
const MAX_SUMMARY = 160;

/** The values of a render in short: `title: Hello, photo: img_…`; null where there are none. */
function summaryOf(modifications: AskedValues['modifications']): string | null {
  let summary = '';
  for (const [name, value] of Object.entries(modifications ?? {})) {
    if (summary.length >= MAX_SUMMARY) break;
    const shown = (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_SUMMARY);
    summary += `${summary === '' ? '' : ', '}${name}: ${shown}`;
  }
  if (summary === '') return null;
  return summary.length > MAX_SUMMARY ? `${summary.slice(0, MAX_SUMMARY - 1)}…` : summary;
}

export const NumberingField = z.enum(NUMBERINGS).optional().meta({
  description:
    'Of a merged PDF: file counts pages over all of it, within 20 s before the batch is accepted; item, of each.',
});

export const OutputField = z
  .enum(REQUEST_OUTPUTS, {
    error: ({ input }) =>
      input === 'svg' ? 'is asked for by the header "Accept: image/svg+xml", not by output' : undefined,
  })
  .default('png');
/** Of a file's options, what the contract says. */
const FILE_SENTENCES: Readonly<Record<keyof FileOptions, string>> = {
  scale: 'Device px per canvas px.',
  quality: 'Of JPEG, WebP and AVIF.',
  compression: 'Of pixels: small takes up to ten times as long, for a somewhat smaller file.',
  chromaSubsampling:
    'Of JPEG: 4:4:4 keeps the edges of coloured letters. Default: 4:4:4 from quality 90 on, else 4:2:0.',
  page: 'Of a document, from 1; without it, all pages in a PDF and the first in a picture.',
  paged: 'false: all of a document on one sheet, as high as it needs.',
  pdf: 'Properties of a PDF, which take precedence over those of the template.',
};
const FILE_SCHEMAS = {
  scale: z.number().min(0.1).max(3).default(DEFAULT_EXPORT.scale),
  quality: z.int().min(0).max(100).default(DEFAULT_EXPORT.quality),
  compression: z.enum(COMPRESSIONS).default(DEFAULT_EXPORT.compression),
  chromaSubsampling: z.enum(CHROMA_SUBSAMPLINGS).optional(),
  page: z.int().min(1).max(MAX_PAGES).optional(),
  paged: z.boolean().optional(),
  pdf: RequestedDocument.optional(),
} satisfies SchemasOf<FileOptions>;
/** Options of the output file: its format and the encoder's settings. */
export const FileFields = z.object({ output: OutputField, ...described(FILE_SCHEMAS, FILE_SENTENCES) });
/** The same for the studio, which downloads files in any output. */
export const AnyFileFields = FileFields.extend({ output: z.enum(OUTPUTS).default('png') });
/** Documents `metadata`; `readMetadata` parses it. */
export const MetadataField = z
  .union([z.string().max(MAX_METADATA), z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))])
  .meta({
    description:
      'The caller’s own reference for the render: a string of at most 1,000 characters, or an object of at most 20 strings, numbers and booleans, 1,000 characters as JSON.',
  });
/** How the caller gets the result; a webhook implies a job. */
export const Delivery = z.object({
  async: z.boolean().default(false),
  webhookUrl: z.string().nullable().default(null),
  response: z.enum(ANSWER_FORMS).nullable().default(null).meta({
    description: 'bytes: the file itself is the answer. Otherwise the Accept header decides: image/png, or JSON.',
  }),
});

/** Fields of a render, also as an item of a batch. */
export const ITEM_FIELDS: readonly string[] = [
  'template',
  'templateId',
  'modifications',
  'metadata',
  ...CHOICES,
  ...Object.keys(FileFields.shape),
];
export const RENDER_FIELDS: readonly string[] = [...ITEM_FIELDS, ...Object.keys(Delivery.shape)];
/** Fields of a preview, where the path names the template. */
export const PREVIEW_FIELDS: readonly string[] = ['modifications', ...CHOICES, ...Object.keys(FileFields.shape)];

/** Whether the render runs as a job, so that the caller does not wait for it. */
export const isJob = ({ async, webhookUrl }: Pick<z.infer<typeof Delivery>, 'async' | 'webhookUrl'>) =>
  async || webhookUrl !== null;

/**
 * Parses how the caller wants to get the result.
 *
 * @throws ValidationError, also when a job is to be answered with its file, which does not exist yet
 */
export function readDelivery(body: Readonly<Record<string, unknown>>): z.infer<typeof Delivery> {
  const delivery = parse(Delivery, body);
  if (!isJob(delivery) || delivery.response !== 'bytes') return delivery;
  throw new ValidationError('response', 'must be "json" for a job; leave it out, or async and webhookUrl');
}

/** Parses a render; `unknownFields` reports unknown fields. @throws ValidationError or AppError `invalid_request` */
export function readRenderRequest(body: Readonly<Record<string, unknown>>): RenderRequest {
  return {
    template: readTemplateSource(body),
    modifications: readModifications(body),
    ...readFileFields(body),
    ...readGiven(body),
  };
}

/** `{metadata}`, or nothing where none is given. @throws ValidationError */
export function readGiven(body: Readonly<Record<string, unknown>>): Pick<RenderRequest, 'metadata'> {
  const metadata = readMetadata(body);
  return metadata === undefined ? {} : { metadata };
}

/**
 * The id of a stored template, or a template itself, which is checked later; `templateId` is an alias of the id.
 *
 * @throws AppError `invalid_request`; ValidationError for a template that is larger than a stored one may be
 */
export function readTemplateSource(body: Readonly<Record<string, unknown>>): TemplateSource {
  const template = Object.hasOwn(body, 'template') ? body.template : body.templateId;
  if (typeof template === 'string' && template !== '') return template;
  if (typeof template === 'object' && template !== null && !Array.isArray(template)) {
    requireBodySize(template, 'template');
    // A template may be sent as it was read: these are not part of the document.
    const { id: _id, version: _version, ...document } = template as Record<string, unknown>;
    return document;
  }
  throw new AppError('invalid_request', `templateId is required. ${howToName(body, template)}`);
}

function howToName(body: Readonly<Record<string, unknown>>, given: unknown): string {
  const example = 'Send the id of a template as "template": "tpl_…"; GET /v1/templates lists them.';
  if (given !== undefined) return `"template" must be a string that is not empty, or a template. ${example}`;
  const misspelt = misspeltField(body, 'template', RENDER_FIELDS) ?? misspeltField(body, 'templateId', RENDER_FIELDS);
  return misspelt === null ? example : `Is ${quoted(misspelt)} misspelt? ${example}`;
}

/** @throws ValidationError */
export function readFileFields(
  body: Readonly<Record<string, unknown>>,
  fields: z.ZodType<z.output<typeof AnyFileFields>> = FileFields,
): Pick<RenderRequest, 'output' | 'options'> {
  const { output, ...options } = parse(fields, body);
  return { output, options };
}

/** For errors: what modifications look like. */
export const MODIFICATIONS_LIKE = 'the names of layers with their values, such as {"title": "Hello"}';

/** Layer name → value, unchecked: the template checks later which values fit. */
export function readModifications(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if ((body.modifications ?? null) === null) return {};
  return requireObject(body.modifications, 'modifications', MODIFICATIONS_LIKE);
}

const showJob = ({ createdAt, metadata, warnings, ...job }: Job) => ({
  ...job,
  created_at: createdAt.toISOString(),
  ...(metadata === undefined ? {} : { metadata }),
  ...(warnings === undefined ? {} : { warnings }),
});
