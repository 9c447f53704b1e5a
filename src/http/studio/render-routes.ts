// Studio routes for using templates: signed URLs, renders, bulks; and the state of renders and webhooks.

import { Readable } from 'node:stream';
import { parse } from '#core/template/validation.ts';
import { AppError } from '#errors';
import { DEFAULT_EXPORT, OUTPUTS } from '#output/formats.ts';
import type { AskedValues } from '#service/asked.ts';
import { type BulkProgress, createBulk, openBulk, readBulk } from '#service/bulks.ts';
import { nothingMore } from '#service/idempotency.ts';
import { enqueueRender } from '#service/jobs.ts';
import type { Caller } from '#service/keys.ts';
import { type Parameter, signedQuery } from '#service/signed-url.ts';
import { MAX_BATCH_BODY, MAX_BATCH_VALUES } from '../batch.ts';
import { readJsonObject } from '../body.ts';
import type { Handler, RequestContext } from '../request-context.ts';
import { setWarnings } from '../warnings.ts';
import { memberOf } from './guard.ts';
import { pageRequest, readLarge, readSmall, templateReference, textInQuery, wordInQuery } from './requests.ts';
import { STUDIO_REQUESTS as Request } from './schemas.ts';
import { isoOrNull } from './shown.ts';
import type { StudioContext } from './studio-context.ts';

const STATUSES = ['queued', 'processing', 'done', 'error'] as const;
const KINDS = ['render', 'screenshot'] as const;
const DELIVERED = ['pending', 'delivered', 'failed', 'refused'] as const;

export function renderRoutes(ctx: StudioContext) {
  const { assets, templates, deliveries } = ctx;

  /** A person renders like a live key: the render is counted. */
  function callerOf(koa: RequestContext): Caller {
    const { accountId, plan } = memberOf(koa);
    return { accountId, plan, kind: 'live' };
  }

  type Listed = Awaited<ReturnType<typeof assets.find>>;
  function showRender(render: Listed, names: ReadonlyMap<string, string>) {
    const { id, kind, status, output, createdAt, asked } = render;
    const values = JSON.parse(asked.values ?? '{}') as Partial<AskedValues> & { page?: string };
    return {
      ...{ id, kind, status, output },
      size: render.status === 'done' ? render.size : null,
      error: render.status === 'error' ? render.error : null,
      createdAt: createdAt.toISOString(),
      finishedAt: isoOrNull('finishedAt' in render ? render.finishedAt : null),
      url: status === 'done' ? assets.result(render).url : null,
      template: asked.template && { ...asked.template, name: names.get(asked.template.id) ?? null },
      page: values.page ?? null,
    };
  }

  const namesOf = (accountId: string, renders: readonly Listed[]) =>
    templates.names(accountId, [...new Set(renders.flatMap(({ asked }) => asked.template?.id ?? []))]);

  const showBulk = (accountId: string, bulk: BulkProgress) => ({
    id: bulk.id,
    template: bulk.templateId,
    archive: bulk.archive,
    total: bulk.total,
    done: bulk.done,
    failed: bulk.failed,
    errors: bulk.errors,
    createdAt: bulk.createdAt.toISOString(),
    file: bulk.isReady ? `/v1/studio/accounts/${accountId}/bulks/${bulk.id}/file` : null,
  });

  return {
    studioSignUrl: async (koa) => {
      const { accountId } = memberOf(koa);
      const wanted = await readSmall(koa, Request.StudioSign);
      const { extension, parameters = {}, scale, quality } = wanted;
      const template = templateReference(koa, wanted.version ?? null);
      await templates.read(accountId, template);
      const expires = wanted.expires ? new Date(wanted.expires) : null;
      if (expires && expires <= ctx.clock()) throw new AppError('invalid_request', 'expires: must be in the future');
      const options: Parameter[] = [
        ...(scale === undefined ? [] : [['scale', String(scale)] as const]),
        ...(quality === undefined ? [] : [['q', String(quality)] as const]),
      ];
      const layers = Object.entries(parameters);
      for (const [name] of layers) {
        if (name === '' || ['sig', 'scale', 'q'].includes(name)) {
          throw new AppError('invalid_request', `parameters: ${JSON.stringify(name)} cannot name a layer in a URL`);
        }
      }
      const { signing } = await ctx.accounts.secrets(accountId);
      const message = { template, extension, parameters: [...layers, ...options] };
      const query = signedQuery(signing, message, expires && Math.floor(expires.getTime() / 1000));
      koa.body = {
        url: `${ctx.address()}/v1/templates/${template}/render.${extension}?${query}`,
        expires: isoOrNull(expires),
      };
    },
    studioRender: async (koa) => {
      const body = await readLarge(koa, Request.StudioRenderRequest);
      const { version = null, modifications = {}, output, ...options } = body;
      const request = { template: templateReference(koa, version), modifications, output, options };
      const { accepted, diagnostics } = await enqueueRender(ctx, callerOf(koa), request, null, nothingMore);
      setWarnings(koa, diagnostics);
      koa.status = 202;
      koa.body = { id: accepted.id };
    },
    studioRenderBulk: async (koa) => {
      const fields = await readJsonObject(koa, MAX_BATCH_BODY, MAX_BATCH_VALUES);
      const body = parse(Request.StudioBulkRequest, fields);
      const { version = null, rows, archive, output, ...options } = body;
      if (archive === 'pdf' && fields.output !== undefined && output !== 'pdf') {
        throw new AppError('invalid_request', 'output: must be "pdf" where archive is "pdf"');
      }
      const bulk = await createBulk(ctx, callerOf(koa), {
        template: templateReference(koa, version),
        rows: rows.map(({ name = null, modifications }) => ({ name: name || null, modifications })),
        output: archive === 'pdf' ? 'pdf' : output,
        options,
        archive,
      });
      koa.status = 202;
      koa.body = showBulk(memberOf(koa).accountId, bulk);
    },
    studioReadBulk: async (koa) => {
      const { accountId } = memberOf(koa);
      koa.body = showBulk(accountId, await readBulk(ctx, accountId, koa.params.bulkId ?? ''));
    },
    studioOpenBulk: async (koa) => {
      const { bulkId = '' } = koa.params;
      const { archive, length, chunks } = await openBulk(ctx, memberOf(koa).accountId, bulkId);
      koa.set('content-disposition', `attachment; filename="${bulkId}.${archive}"`);
      koa.set('content-security-policy', "default-src 'none'");
      koa.body = Readable.from(chunks instanceof Uint8Array ? [chunks] : chunks);
      koa.type = `application/${archive}`;
      koa.length = length;
    },

    studioListRenders: async (koa) => {
      const { accountId } = memberOf(koa);
      const filter = {
        status: wordInQuery(koa, 'status', STATUSES),
        kind: wordInQuery(koa, 'kind', KINDS),
        output: wordInQuery(koa, 'output', OUTPUTS),
        templateId: textInQuery(koa, 'template'),
      };
      const { items, next } = await assets.page(accountId, filter, pageRequest(koa));
      const names = await namesOf(accountId, items);
      koa.body = { items: items.map((render) => showRender(render, names)), next };
    },
    studioReadRender: async (koa) => {
      const { accountId } = memberOf(koa);
      const render = await assets.find(accountId, koa.params.renderId ?? '');
      const { modifications = null } = JSON.parse(render.asked.values ?? '{}') as Partial<AskedValues>;
      koa.body = { ...showRender(render, await namesOf(accountId, [render])), modifications };
    },
    studioRenderAgain: async (koa) => {
      const { asked, output } = await assets.find(memberOf(koa).accountId, koa.params.renderId ?? '');
      if (!asked.template || asked.values === null) {
        const why = asked.template ? 'its values were too long to be kept' : 'what a page was asked for is not kept';
        throw new AppError('conflict', `This cannot be rendered again from here: ${why}.`);
      }
      const { modifications, options = DEFAULT_EXPORT } = JSON.parse(asked.values) as AskedValues;
      const template = `${asked.template.id}@${asked.template.version}`;
      const request = { template, modifications, output, options };
      const { accepted } = await enqueueRender(ctx, callerOf(koa), request, null, nothingMore);
      koa.status = 202;
      koa.body = { id: accepted.id };
    },

    studioListDeliveries: async (koa) => {
      const filter = { status: wordInQuery(koa, 'status', DELIVERED), renderId: textInQuery(koa, 'render') };
      const { items, next } = await deliveries.page(memberOf(koa).accountId, filter, pageRequest(koa));
      koa.body = {
        items: items.map(({ id, renderId, url, status, attempts, dueAt, createdAt, log }) => ({
          ...{ id, renderId, url: withoutSecrets(url), status, attempts },
          nextAttemptAt: isoOrNull(dueAt),
          createdAt: createdAt.toISOString(),
          log: log.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt })),
        })),
        next,
      };
    },
    studioDeliverAgain: async (koa) => {
      const { deliveryId = '' } = koa.params;
      await deliveries.replayOwn(memberOf(koa).accountId, deliveryId);
      koa.status = 202;
      koa.body = { id: deliveryId };
    },
  } satisfies Record<string, Handler>;
}

/** A URL without user, query and fragment. */
function withoutSecrets(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}` : '';
}
