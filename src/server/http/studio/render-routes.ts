// Studio routes for using templates: signed URLs, renders as jobs, and webhooks.

import { AppError } from '#base/errors.ts';
import { quoted } from '#core/diagnostics.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { enqueueRender } from '#server/service/jobs/jobs.ts';
import { givenChoice, oneChoice } from '#server/service/rendering/choices.ts';
import { shownMetadata } from '#server/service/rendering/metadata.ts';
import type { AskedValues } from '#server/service/rendering/render-request-record.ts';
import { type NamedValue, signedQuery } from '#server/service/rendering/signed-url.ts';
import { sendList, setWarnings } from '../middleware/answer.ts';
import { callerOf, memberOf, permitOf } from '../middleware/authentication.ts';
import { pageRequest, textInQuery, wordInQuery } from '../middleware/list-query.ts';
import { type Handler, idOf } from '../middleware/request-context.ts';
import { readLarge, readSmall, templateReference } from './requests.ts';
import { STUDIO_REQUESTS as Request } from './schemas.ts';
import type { StudioContext } from './studio-context.ts';

const DELIVERED = ['pending', 'delivered', 'failed', 'refused'] as const;

export function renderRoutes(ctx: StudioContext) {
  const { assets, templates, deliveries } = ctx;

  return {
    studioSignUrl: async (koa) => {
      const { accountId } = memberOf(koa);
      const wanted = await readSmall(koa, Request.StudioSign);
      const { extension, parameters = {}, scale, quality } = wanted;
      const template = templateReference(koa, wanted.version ?? null);
      await templates.read(accountId, template);
      const expires = wanted.expires ? new Date(wanted.expires) : null;
      if (expires && expires <= ctx.clock()) throw new AppError('invalid_request', 'expires: must be in the future');
      const options: NamedValue[] = [
        ...(scale === undefined ? [] : [['scale', String(scale)] as const]),
        ...(quality === undefined ? [] : [['q', String(quality)] as const]),
      ];
      const layers = Object.entries(parameters);
      for (const [name] of layers) {
        if (name === '' || ['sig', 'scale', 'q'].includes(name)) {
          throw new AppError('invalid_request', `parameters: ${quoted(name)} cannot name a layer in a URL`);
        }
      }
      const { signing } = await ctx.accounts.secrets(accountId);
      const message = { template, extension, parameters: [...layers, ...options] };
      const query = signedQuery(signing, message, expires && Math.floor(expires.getTime() / 1000));
      koa.body = { url: `${ctx.address()}/v1/templates/${template}/render.${extension}?${query}`, expires };
    },
    studioRender: async (koa) => {
      const body = await readLarge(koa, Request.StudioRenderRequest);
      const { version = null, modifications = {}, output, size, lang, brand, ...options } = body;
      const choice = givenChoice(oneChoice({ size, lang, brand }));
      const request = { template: templateReference(koa, version), modifications, output, options, ...choice };
      const { accepted, diagnostics } = await enqueueRender(ctx, callerOf(koa), request, permitOf(koa));
      setWarnings(koa, diagnostics);
      koa.status = 202;
      koa.body = { id: accepted.id };
    },
    studioRenderAgain: async (koa) => {
      const { asked, output } = await assets.find(memberOf(koa).accountId, idOf(koa));
      const {
        modifications,
        options = DEFAULT_EXPORT,
        inline,
        choice = {},
      } = JSON.parse(asked.values ?? '{}') as AskedValues;
      const template = asked.template ? `${asked.template.id}@${asked.template.version}` : inline?.document;
      if (template === undefined || modifications === undefined) {
        const why =
          asked.template || inline ? 'its values were too long to be kept' : 'what a page was asked for is not kept';
        throw new AppError('conflict', `This cannot be rendered again from here: ${why}.`);
      }
      const kept = { ...givenChoice(choice), ...shownMetadata(asked.metadata) };
      const request = { template, modifications, output, options, ...kept };
      const { accepted } = await enqueueRender(ctx, callerOf(koa), request, permitOf(koa));
      koa.status = 202;
      koa.body = { id: accepted.id };
    },

    studioListDeliveries: async (koa) => {
      const filter = { status: wordInQuery(koa, 'status', DELIVERED), renderId: textInQuery(koa, 'render') };
      const { items, next } = await deliveries.page(memberOf(koa).accountId, filter, pageRequest(koa));
      const shown = items.map(({ id, renderId, url, status, dueAt, createdAt, log }) => ({
        ...{ id, renderId, url: withoutSecrets(url), status },
        // Of all schedules: sending it again begins a new one.
        attempts: log.length,
        ...{ nextAttemptAt: dueAt, createdAt, log },
      }));
      sendList(koa, 'deliveries', shown, next);
    },
    studioDeliverAgain: async (koa) => {
      const deliveryId = idOf(koa);
      await deliveries.replayOwn(memberOf(koa).accountId, deliveryId, permitOf(koa));
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
