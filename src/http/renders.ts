// `POST /v1/renders` and `GET /v1/renders/{id}`.

import { z } from 'zod';
import type { Diagnostic } from '#core/diagnostics.ts';
import { RequestedDocument } from '#core/template/document-properties.ts';
import { parse } from '#core/template/validation.ts';
import { AppError } from '#errors';
import { COMPRESSIONS, DEFAULT_EXPORT, OUTPUTS } from '#output/formats.ts';
import type { Assets, Job } from '#service/assets.ts';
import { type Acceptance, type EnqueueContext, enqueueRender } from '#service/jobs.ts';
import { type RenderContext, type Rendered, type RenderRequest, render } from '#service/render.ts';
import { answerWith, type JsonAnswer } from './answer.ts';
import { callerOf } from './authentication.ts';
import { readJsonObject, requireObject } from './body.ts';
import type { Handler } from './request-context.ts';
import { misspeltField, unknownFields } from './unknown-fields.ts';

export function createRender(ctx: RenderContext & EnqueueContext): Handler {
  return async (koa) => {
    const caller = callerOf(koa);
    const body = await readJsonObject(koa);
    const request = readRenderRequest(body);
    const delivery = readDelivery(body);
    const ignored = unknownFields(body, RENDER_FIELDS);
    if (isJob(delivery)) {
      await answerWith(koa, also(ignored, showAccepted), (onCommit) =>
        enqueueRender(ctx, caller, request, delivery.webhookUrl, onCommit),
      );
    } else {
      await answerWith(koa, also(ignored, showRendered), (onCommit) => render(ctx, caller, request, onCommit));
    }
  };
}

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
export const showRendered = ({ result, diagnostics }: Rendered): JsonAnswer => ({
  status: 200,
  body: result,
  diagnostics,
});

/** The answer for an accepted job, which is committed. */
export const showAccepted = ({ accepted, diagnostics }: Acceptance): JsonAnswer => ({
  status: 202,
  body: accepted,
  diagnostics,
});

export function readRender(assets: Assets): Handler {
  return async (koa) => {
    koa.body = showJob(await assets.job(callerOf(koa).accountId, koa.params.id ?? ''));
  };
}

export const OutputField = z.enum(OUTPUTS).default('png');
/** Options of the output file: its format and the encoder's settings. */
export const FileFields = z.object({
  output: OutputField,
  scale: z.number().min(0.1).max(3).default(DEFAULT_EXPORT.scale).meta({ description: 'Device px per canvas px.' }),
  quality: z.int().min(0).max(100).default(DEFAULT_EXPORT.quality).meta({ description: 'Of JPEG and WebP.' }),
  compression: z
    .enum(COMPRESSIONS)
    .default(DEFAULT_EXPORT.compression)
    .meta({ description: 'Of PNG, JPEG and WebP: small takes up to ten times as long, for a somewhat smaller file.' }),
  pdf: RequestedDocument.optional(),
});
/** How the caller gets the result; a webhook implies a job. */
export const Delivery = z.object({
  async: z.boolean().default(false),
  webhookUrl: z.string().nullable().default(null),
});

/** Fields of a render, also as an item of a batch. */
export const ITEM_FIELDS: readonly string[] = [
  'template',
  'templateId',
  'modifications',
  ...Object.keys(FileFields.shape),
];
const RENDER_FIELDS: readonly string[] = [...ITEM_FIELDS, ...Object.keys(Delivery.shape)];
/** Fields of a preview, where the path names the template. */
export const PREVIEW_FIELDS: readonly string[] = ['modifications', ...Object.keys(FileFields.shape)];

/** Whether the render runs as a job, so that the caller does not wait for it. */
export const isJob = ({ async, webhookUrl }: z.infer<typeof Delivery>) => async || webhookUrl !== null;

/** Parses how the caller wants to get the result. */
export function readDelivery(body: Readonly<Record<string, unknown>>): z.infer<typeof Delivery> {
  return parse(Delivery, body);
}

/** Parses a render; `unknownFields` reports unknown fields. @throws ValidationError or AppError `invalid_request` */
export function readRenderRequest(body: Readonly<Record<string, unknown>>): RenderRequest {
  return {
    template: readTemplateReference(body),
    modifications: readModifications(body),
    ...readFileFields(body),
  };
}

/** `templateId` is an alias. @throws AppError `invalid_request` */
export function readTemplateReference(body: Readonly<Record<string, unknown>>): string {
  const template = Object.hasOwn(body, 'template') ? body.template : body.templateId;
  if (typeof template === 'string' && template !== '') return template;
  throw new AppError('invalid_request', `templateId is required. ${howToName(body, template)}`);
}

function howToName(body: Readonly<Record<string, unknown>>, given: unknown): string {
  const example = 'Send the id of a template as "template": "tpl_…"; GET /v1/templates lists them.';
  if (given !== undefined) return `"template" must be a string that is not empty. ${example}`;
  const misspelt = misspeltField(body, 'template', RENDER_FIELDS) ?? misspeltField(body, 'templateId', RENDER_FIELDS);
  return misspelt === null ? example : `Is ${JSON.stringify(misspelt.slice(0, 100))} misspelt? ${example}`;
}

/** @throws ValidationError */
export function readFileFields(body: Readonly<Record<string, unknown>>): Pick<RenderRequest, 'output' | 'options'> {
  const { output, ...options } = parse(FileFields, body);
  return { output, options };
}

/** Layer name → value, unchecked: the template checks later which values fit. */
export function readModifications(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return body.modifications === undefined ? {} : requireObject(body.modifications, 'modifications');
}

const showJob = ({ createdAt, ...job }: Job) => ({ ...job, created_at: createdAt.toISOString() });
