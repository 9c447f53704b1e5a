// Accepting a job: whatever can be said against it is said at once, then its row is committed, then it is acknowledged.
//
// The row and its unit of usage are one transaction, so an acknowledged job is in the database and paid for.

import type { Diagnostic } from '#core/diagnostics.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { JobQueue } from '#jobs/job-queue.ts';
import type { Output } from '#output/formats.ts';
import type { Storage } from '#storage/storage.ts';
import { newId } from '../ids.ts';
import type { Caller } from './keys.ts';
import type { Quota } from './quota.ts';
import type { RenderRequest } from './render.ts';
import type { TemplateLibrary } from './templates.ts';
import type { WebhookTransport } from './webhooks.ts';

export interface EnqueueContext {
  readonly storage: Storage;
  readonly quota: Quota;
  readonly queue: JobQueue;
  readonly webhookTransport: Pick<WebhookTransport, 'check'>;
  readonly clock: () => Date;
}

export interface WantedJob {
  readonly kind: 'render' | 'screenshot';
  readonly output: Output;
  /** What to do, checked; plain JSON, as the work of this kind reads it. */
  readonly request: unknown;
  readonly webhookUrl: string | null;
}

/** What the API answers with (spec: async acceptance). */
export interface Accepted {
  readonly id: string;
  readonly status: 'queued';
}

/** @throws AppError `url_not_allowed` for the webhook's address, `quota_exceeded` */
export async function enqueue(ctx: EnqueueContext, caller: Caller, wanted: WantedJob): Promise<Accepted> {
  if (wanted.webhookUrl !== null) ctx.webhookTransport.check(wanted.webhookUrl);
  const job = { ...wanted, id: newId('rnd'), accountId: caller.accountId, createdAt: ctx.clock() };
  await ctx.storage.transaction(async ({ jobs, usage }) => {
    const metered = await ctx.quota.reserveForJob(usage, caller, job);
    await jobs.insert({ ...job, metered });
  });
  ctx.queue.wake();
  return { id: job.id, status: 'queued' };
}

export interface AcceptedRender {
  readonly accepted: Accepted;
  /** What the modifications name that the template lacks; the rest shows when it is drawn. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Accepts a render of the template as it is now, whatever is saved before its turn comes.
 *
 * @throws AppError `not_found` and what `enqueue` throws; ValidationError when a modification does not fit
 */
export async function enqueueRender(
  ctx: EnqueueContext & { readonly templates: TemplateLibrary },
  caller: Caller,
  request: RenderRequest,
  webhookUrl: string | null,
): Promise<AcceptedRender> {
  const { id, version, template } = await ctx.templates.find(caller.accountId, request.template);
  const { diagnostics } = resolve(template, request.modifications);
  const accepted = await enqueue(ctx, caller, {
    kind: 'render',
    output: request.output,
    request: { ...request, template: `${id}@${version}` },
    webhookUrl,
  });
  return { accepted, diagnostics };
}
