// `POST /v1/renders` and `GET /v1/renders/{id}`.

import { z } from 'zod';
import { parse } from '#core/template/validation.ts';
import { AppError } from '#errors';
import { OUTPUTS } from '#output/formats.ts';
import type { Assets, Job } from '#service/assets.ts';
import { type RenderContext, type RenderRequest, render } from '#service/render.ts';
import { callerOf } from './authentication.ts';
import { readJsonObject, requireObject } from './body.ts';
import type { Handler } from './request-context.ts';
import { setWarnings } from './warnings.ts';

export function createRender(ctx: RenderContext): Handler {
  return async (koa) => {
    const caller = callerOf(koa);
    const body = await readJsonObject(koa);
    const request = readRenderRequest(body);
    const delivery = parse(Delivery, body);
    if (delivery.async || delivery.webhookUrl !== null) {
      await ctx.templates.find(caller.accountId, request.template);
      throw new AppError(
        'invalid_request',
        'Asynchronous renders are not supported by this version; leave out async and webhookUrl.',
      );
    }

    const { result, diagnostics } = await render(ctx, caller, request);
    setWarnings(koa, diagnostics);
    koa.body = result;
  };
}

export function readRender(assets: Assets): Handler {
  return async (koa) => {
    koa.body = showJob(await assets.job(callerOf(koa).accountId, koa.params.id ?? ''));
  };
}

const Output = z.enum(OUTPUTS).default('png');
const Delivery = z.object({
  async: z.boolean().default(false),
  webhookUrl: z.string().nullable().default(null),
});

/** What to render; unknown fields are ignored. @throws ValidationError or AppError `invalid_request` */
function readRenderRequest(body: Readonly<Record<string, unknown>>): RenderRequest {
  const template = Object.hasOwn(body, 'template') ? body.template : body.templateId;
  if (typeof template !== 'string' || template === '') throw new AppError('invalid_request', 'templateId is required.');
  return {
    template,
    modifications: readModifications(body),
    output: parse(Output, body.output, 'output'),
  };
}

/** Layer name → value, unchecked: what fits which layer is for the template to say. */
export function readModifications(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return body.modifications === undefined ? {} : requireObject(body.modifications, 'modifications');
}

const showJob = ({ createdAt, ...job }: Job) => ({ ...job, created_at: createdAt.toISOString() });
