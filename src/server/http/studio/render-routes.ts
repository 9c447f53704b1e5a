// Studio routes for using templates: signed URLs, renders, bulks; and the state of renders and webhooks.

import { AppError } from '#base/errors.ts';
import { quoted } from '#core/diagnostics.ts';
import { parse } from '#core/template/validation.ts';
import { DEFAULT_EXPORT, OUTPUTS } from '#draw/output/formats.ts';
import {
  type Bulk,
  type BulkOfRender,
  type BulkProgress,
  bulksOf,
  createBulk,
  errorOf,
  listBulkRows,
  listBulks,
  ROW_FILTERS,
  readBulk,
} from '#server/service/jobs/bulks.ts';
import { enqueueRender } from '#server/service/jobs/jobs.ts';
import { givenChoice, oneChoice } from '#server/service/rendering/choices.ts';
import { shownMetadata } from '#server/service/rendering/metadata.ts';
import type { AskedValues } from '#server/service/rendering/render-request-record.ts';
import { type NamedValue, signedQuery } from '#server/service/rendering/signed-url.ts';
import { callerOf } from '../middleware/authentication.ts';
import { readJsonObject } from '../middleware/body.ts';
import { pageRequest, textInQuery, wordInQuery } from '../middleware/list-query.ts';
import { permitOf } from '../middleware/permit.ts';
import type { Handler } from '../middleware/request-context.ts';
import { setWarnings } from '../middleware/warnings.ts';
import { MAX_BATCH_BODY, MAX_BATCH_VALUES } from '../v1/batch.ts';
import { sendBulk } from '../v1/merged-batch.ts';
import { KINDS, STATUSES, WITH_WARNINGS } from '../v1/renders.ts';
import { memberOf } from './guard.ts';
import { isoOrNull } from './presenters.ts';
import { readLarge, readSmall, templateReference } from './requests.ts';
import { STUDIO_REQUESTS as Request } from './schemas.ts';
import type { StudioContext } from './studio-context.ts';

const DELIVERED = ['pending', 'delivered', 'failed', 'refused'] as const;

export function renderRoutes(ctx: StudioContext) {
  const { assets, templates, deliveries } = ctx;

  type Listed = Awaited<ReturnType<typeof assets.find>>;
  interface Around {
    /** Names of templates by id. */
    readonly names: ReadonlyMap<string, string>;
    /** The bulks of renders, by the renders' ids. */
    readonly bulks: ReadonlyMap<string, BulkOfRender>;
  }
  function showRender(render: Listed, { names, bulks }: Around) {
    const bulk = bulks.get(render.id);
    const { id, kind, status, output, createdAt, asked } = render;
    const values = JSON.parse(asked.values ?? '{}') as AskedValues & { page?: string };
    const result = assets.resultOf(render);
    return {
      ...{ id, kind, status, output },
      size: result && 'size' in render ? render.size : null,
      error: render.status === 'error' ? render.error : null,
      createdAt: createdAt.toISOString(),
      finishedAt: isoOrNull('finishedAt' in render ? render.finishedAt : null),
      url: result?.url ?? null,
      template: asked.template && { ...asked.template, name: names.get(asked.template.id) ?? null },
      inline: values.inline ? { id: values.inline.id, name: values.inline.name } : null,
      page: values.page ?? null,
      values: summaryOf(values.modifications),
      bulk: bulk ? { id: bulk.id, name: bulk.name, row: bulk.place } : null,
      metadata: shownMetadata(asked.metadata).metadata ?? null,
      warnings: render.status === 'done' ? render.warnings : [],
    };
  }

  const around = async (accountId: string, renders: readonly Listed[]): Promise<Around> => ({
    names: await templates.names(accountId, [...new Set(renders.flatMap(({ asked }) => asked.template?.id ?? []))]),
    bulks: await bulksOf(
      ctx,
      renders.map(({ id }) => id),
    ),
  });

  const showBulkHead = ({ id, templateId, name, archive, createdAt }: Bulk) => ({
    ...{ id, template: templateId, name, archive },
    createdAt: createdAt.toISOString(),
  });
  const showBulk = (accountId: string, bulk: BulkProgress) => ({
    ...showBulkHead(bulk),
    total: bulk.total,
    done: bulk.done,
    warned: bulk.warned,
    failed: bulk.failed,
    errors: bulk.errors,
    file: bulk.isReady ? `${ctx.basePath}/v1/studio/accounts/${accountId}/bulks/${bulk.id}/file` : null,
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
      koa.body = {
        url: `${ctx.address()}/v1/templates/${template}/render.${extension}?${query}`,
        expires: isoOrNull(expires),
      };
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
    studioRenderBulk: async (koa) => {
      const fields = await readJsonObject(koa, MAX_BATCH_BODY, MAX_BATCH_VALUES);
      const body = parse(Request.StudioBulkRequest, fields);
      const { version = null, name: bulkName = null, rows, archive, sheet, output, ...chosen } = body;
      const { size, lang, brand, ...options } = chosen;
      if (archive === 'pdf' && fields.output !== undefined && output !== 'pdf') {
        throw new AppError('invalid_request', 'output: must be "pdf" where archive is "pdf"');
      }
      if (archive !== 'pdf' && sheet) {
        throw new AppError('invalid_request', 'sheet: is for one PDF; ask for archive "pdf"');
      }
      const bulk = await createBulk(
        ctx,
        callerOf(koa),
        {
          template: templateReference(koa, version),
          name: bulkName || null,
          rows: rows.map(({ name = null, modifications }) => ({ name: name || null, modifications })),
          rowsField: 'rows',
          output: archive === 'pdf' ? 'pdf' : output,
          options,
          wanted: { size, lang, brand },
          archive,
          sheet,
        },
        permitOf(koa),
      );
      koa.status = 202;
      koa.body = showBulk(memberOf(koa).accountId, bulk);
    },
    studioListBulks: async (koa) => {
      const { items, next } = await listBulks(
        ctx,
        memberOf(koa).accountId,
        textInQuery(koa, 'template'),
        pageRequest(koa),
      );
      koa.body = { items: items.map(showBulkHead), next };
    },
    studioListBulkRows: async (koa) => {
      const { accountId } = memberOf(koa);
      const filter = wordInQuery(koa, 'rows', ROW_FILTERS);
      const { items, next } = await listBulkRows(ctx, accountId, koa.params.bulkId ?? '', filter, pageRequest(koa));
      koa.body = {
        items: items.map((row) => ({
          ...{ id: row.renderId, row: row.place, name: row.name, status: row.status, warnings: row.warnings },
          error: errorOf(row),
          url:
            row.status === 'done' && row.size !== null && row.output
              ? assets.result({ id: row.renderId, output: row.output }).url
              : null,
        })),
        next,
      };
    },
    studioReadBulk: async (koa) => {
      const { accountId } = memberOf(koa);
      koa.body = showBulk(accountId, await readBulk(ctx, accountId, koa.params.bulkId ?? ''));
    },
    studioOpenBulk: async (koa) => {
      await sendBulk(koa, ctx, memberOf(koa).accountId, koa.params.bulkId ?? '');
    },

    studioListRenders: async (koa) => {
      const { accountId } = memberOf(koa);
      const filter = {
        status: wordInQuery(koa, 'status', STATUSES),
        kind: wordInQuery(koa, 'kind', KINDS),
        output: wordInQuery(koa, 'output', OUTPUTS),
        templateId: textInQuery(koa, 'template'),
        bulkId: textInQuery(koa, 'bulk'),
        withWarnings: wordInQuery(koa, 'warnings', WITH_WARNINGS) !== null,
      };
      const { items, next } = await assets.page(accountId, filter, pageRequest(koa));
      const found = await around(accountId, items);
      koa.body = { items: items.map((render) => showRender(render, found)), next };
    },
    studioReadRender: async (koa) => {
      const { accountId } = memberOf(koa);
      const render = await assets.find(accountId, koa.params.renderId ?? '');
      const { modifications = null, inline } = JSON.parse(render.asked.values ?? '{}') as AskedValues;
      const shown = showRender(render, await around(accountId, [render]));
      koa.body = { ...shown, modifications, document: inline?.document ?? null };
    },
    studioRenderAgain: async (koa) => {
      const { asked, output } = await assets.find(memberOf(koa).accountId, koa.params.renderId ?? '');
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
      koa.body = {
        items: items.map(({ id, renderId, url, status, dueAt, createdAt, log }) => ({
          ...{ id, renderId, url: withoutSecrets(url), status },
          // Of all schedules: sending it again begins a new one.
          attempts: log.length,
          nextAttemptAt: isoOrNull(dueAt),
          createdAt: createdAt.toISOString(),
          log: log.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt })),
        })),
        next,
      };
    },
    studioDeliverAgain: async (koa) => {
      const { deliveryId = '' } = koa.params;
      await deliveries.replayOwn(memberOf(koa).accountId, deliveryId, permitOf(koa));
      koa.status = 202;
      koa.body = { id: deliveryId };
    },
  } satisfies Record<string, Handler>;
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

/** A URL without user, query and fragment. */
function withoutSecrets(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}` : '';
}
