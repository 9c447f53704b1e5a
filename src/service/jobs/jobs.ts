// Accepts jobs: checks the request in full, commits the row, then acknowledges.
//
// The row and its unit of usage are committed in one transaction, so an acknowledged job is in the database and paid
// for.

import type { Diagnostic } from '#core/diagnostics.ts';
import { AppError } from '#errors';
import { newId } from '#ids.ts';
import type { JobQueue } from '#jobs/job-queue.ts';
import { UrlNotAllowed } from '#net/outbound-url.ts';
import { currentTrace } from '#observability/trace.ts';
import type { Output } from '#output/formats.ts';
import type { Asked } from '#storage/render-row.ts';
import type { Storage } from '#storage/storage.ts';
import type { Caller } from '../accounts/caller.ts';
import { requireTemplate } from '../accounts/key-scope.ts';
import type { Quota } from '../accounts/quota.ts';
import type { OnCommit } from '../idempotency.ts';
import { type Metadata, shownMetadata } from '../rendering/metadata.ts';
import { checkOutput } from '../rendering/render.ts';
import type { RenderRequest } from '../rendering/render-request.ts';
import { recordOfRender } from '../rendering/render-request-record.ts';
import { needsBrowser } from '../rendering/without-browser.ts';
import type { TemplateLibrary } from '../templates/templates.ts';
import type { WebhookTransport } from './webhooks.ts';

export interface EnqueueContext {
  readonly storage: Storage;
  readonly quota: Quota;
  readonly queue: Pick<JobQueue, 'add' | 'wake'>;
  readonly webhookTransport: Pick<WebhookTransport, 'check'>;
  readonly clock: () => Date;
}

export interface WantedJob {
  readonly kind: 'render' | 'screenshot';
  readonly output: Output;
  /** The checked request as plain JSON, in the form that the worker of this kind reads. */
  readonly request: unknown;
  /** Whether only a server with a browser can do it. */
  readonly needsBrowser: boolean;
  readonly webhookUrl: string | null;
  readonly asked: Asked;
  readonly diagnostics: readonly Diagnostic[];
}

/** What the API answers with (spec: async acceptance). */
export interface Accepted {
  readonly id: string;
  readonly status: 'queued';
  /** As it was given; absent otherwise. */
  readonly metadata?: Metadata;
}

/** An accepted job, with diagnostics. */
export interface Acceptance {
  readonly accepted: Accepted;
  /** Names in the request that do not exist; other findings appear when the job runs. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * @throws AppError `url_not_allowed` for the webhook's URL, `quota_exceeded`
 */
export async function enqueue(
  ctx: EnqueueContext,
  caller: Caller,
  wanted: WantedJob,
  onCommit: OnCommit<Acceptance>,
): Promise<Acceptance> {
  const { diagnostics, ...rest } = wanted;
  if (rest.webhookUrl !== null) await checkWebhook(ctx, rest.webhookUrl);
  await ctx.quota.requireRoom(caller);
  const job = { ...rest, id: newId('rnd'), accountId: caller.accountId, createdAt: ctx.clock() };
  const acceptance: Acceptance = {
    accepted: { id: job.id, status: 'queued', ...shownMetadata(job.asked.metadata) },
    diagnostics,
  };
  await ctx.storage.transaction(async (stores) => {
    const metered = await ctx.quota.reserveForJob(stores.usage, caller, job);
    await ctx.queue.add(stores, [{ ...job, metered, trace: currentTrace() }]);
    await onCommit(stores, acceptance);
  });
  ctx.queue.wake();
  return acceptance;
}

/** @throws AppError `url_not_allowed` naming the field */
async function checkWebhook(ctx: Pick<EnqueueContext, 'webhookTransport'>, url: string): Promise<void> {
  try {
    await ctx.webhookTransport.check(url);
  } catch (error) {
    if (!(error instanceof UrlNotAllowed)) throw error;
    throw new AppError('url_not_allowed', `webhookUrl: URL not allowed. ${error.explanation}`, { cause: error.cause });
  }
}

/**
 * Accepts a render of the template's present version, whatever is saved before the job runs. The job keeps a template
 * that came with the request.
 *
 * @throws AppError `not_found` and what `enqueue` throws; ValidationError when a modification does not fit
 */
export async function enqueueRender(
  ctx: EnqueueContext & { readonly templates: TemplateLibrary },
  caller: Caller,
  request: RenderRequest,
  webhookUrl: string | null,
  onCommit: OnCommit<Acceptance>,
): Promise<Acceptance> {
  requireTemplate(caller, request.template);
  const found = await ctx.templates.open(caller.accountId, request.template);
  const { diagnostics, ...checked } = await ctx.templates.checks.check(found, request.modifications);
  checkOutput(checked, request);
  const isStored = typeof request.template === 'string';
  const pinned = { ...request, template: isStored ? `${found.id}@${found.version}` : request.template };
  const asked = recordOfRender(found, request);
  const { output } = request;
  const wanted = { kind: 'render', output, request: pinned, needsBrowser: needsBrowser(checked) } as const;
  return enqueue(ctx, caller, { ...wanted, webhookUrl, asked, diagnostics }, onCommit);
}
