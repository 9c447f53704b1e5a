// Accepts jobs: checks the request in full, commits the row, then acknowledges.
//
// The row and its unit of usage are committed in one transaction, so an acknowledged job is in the database and paid
// for.

import { AppError } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import { currentTrace } from '#base/trace.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { Choice } from '#design/choice.ts';
import type { Output } from '#draw/output/formats.ts';
import type { JobQueue } from '#server/jobs/engine.ts';
import { UrlNotAllowed } from '#server/net/outbound-url.ts';
import type { NewJob } from '#server/storage/jobs.ts';
import type { AskedRender } from '#server/storage/render-row.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { Caller } from '../accounts/caller.ts';
import { requireTemplate } from '../accounts/key-scope.ts';
import type { Quota } from '../accounts/quota.ts';
import type { OnCommit } from '../idempotency.ts';
import { givenChoice } from '../rendering/choices.ts';
import { type Metadata, shownMetadata } from '../rendering/metadata.ts';
import { checkOutput } from '../rendering/render.ts';
import type { RenderRequest } from '../rendering/render-request.ts';
import { recordOfRender } from '../rendering/render-request-record.ts';
import { needsBrowser } from '../rendering/without-browser.ts';
import { isLighter } from '../templates/json-weight.ts';
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
  readonly asked: AskedRender;
  /** What was chosen of a design. */
  readonly choice?: Choice;
  readonly diagnostics: readonly Diagnostic[];
}

/** What the API answers with (spec: async acceptance). */
interface Accepted extends Choice {
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
  const [only] = await enqueueAll(ctx, caller, [wanted], async (stores, [acceptance]) => {
    if (acceptance) await onCommit(stores, acceptance);
  });
  if (!only) throw new Error('No job was accepted.');
  return only;
}

/** Accepts jobs together: all or none. @throws what `enqueue` throws */
async function enqueueAll(
  ctx: EnqueueContext,
  caller: Caller,
  wanted: readonly WantedJob[],
  onCommit: OnCommit<readonly Acceptance[]>,
): Promise<readonly Acceptance[]> {
  const urls = new Set(wanted.flatMap(({ webhookUrl }) => webhookUrl ?? []));
  for (const url of urls) await checkWebhook(ctx, url);
  await ctx.quota.requireRoom(caller);
  const createdAt = ctx.clock();
  const jobs: (NewJob & { readonly asked: AskedRender })[] = [];
  for (const { diagnostics: _, choice: __, ...rest } of wanted) {
    const text = await requestText(rest.request);
    const written = text === null ? {} : { requestText: text };
    jobs.push({ ...rest, ...written, id: newId('rnd'), accountId: caller.accountId, createdAt, metered: false });
  }
  const acceptances = jobs.map(({ id, asked }, index): Acceptance => {
    const { choice = {}, diagnostics = [] } = wanted[index] ?? {};
    return { accepted: { id, status: 'queued', ...choice, ...shownMetadata(asked.metadata) }, diagnostics };
  });
  await ctx.storage.transaction(async (stores) => {
    const [job, ...others] = jobs;
    if (!job) return;
    const metered =
      others.length === 0
        ? await ctx.quota.reserveForJob(stores.usage, caller, job)
        : await ctx.quota.reserveForJobs(stores.usage, caller, jobs);
    await ctx.queue.add(
      stores,
      jobs.map((one) => ({ ...one, metered, trace: currentTrace() })),
    );
    await onCommit(stores, acceptances);
  });
  ctx.queue.wake();
  return acceptances;
}

/** @throws AppError `url_not_allowed` naming the field */
export async function checkWebhook(ctx: Pick<EnqueueContext, 'webhookTransport'>, url: string): Promise<void> {
  try {
    await ctx.webhookTransport.check(url);
  } catch (error) {
    if (!(error instanceof UrlNotAllowed)) throw error;
    throw new AppError('url_not_allowed', `webhookUrl: URL not allowed. ${error.explanation}`, { cause: error.cause });
  }
}

/** Accepts one render. @throws what `enqueueRenders` throws */
export async function enqueueRender(
  ctx: EnqueueContext & { readonly templates: TemplateLibrary },
  caller: Caller,
  request: RenderRequest,
  onCommit: OnCommit<Acceptance>,
): Promise<Acceptance> {
  return enqueue(ctx, caller, await wantedRender(ctx, caller, request, null), onCommit);
}

/**
 * Accepts renders of the template's present version, whatever is saved before the jobs run: all or none. A job keeps a
 * template that came with the request.
 *
 * @throws AppError `not_found` and what `enqueue` throws; ValidationError when a modification does not fit
 */
export async function enqueueRenders(
  ctx: EnqueueContext & { readonly templates: TemplateLibrary },
  caller: Caller,
  requests: readonly RenderRequest[],
  webhookUrl: string | null,
  onCommit: OnCommit<readonly Acceptance[]>,
): Promise<readonly Acceptance[]> {
  const wanted: WantedJob[] = [];
  for (const request of requests) wanted.push(await wantedRender(ctx, caller, request, webhookUrl));
  return enqueueAll(ctx, caller, wanted, onCommit);
}

async function wantedRender(
  { templates }: { readonly templates: TemplateLibrary },
  caller: Caller,
  request: RenderRequest,
  webhookUrl: string | null,
): Promise<WantedJob> {
  const { template, choice, output } = request;
  requireTemplate(caller, template);
  const found = await templates.open(caller.accountId, template, choice, caller.asOf);
  const { diagnostics, ...checked } = await templates.checks.check(found, request.modifications);
  checkOutput(checked, request);
  const pinned = {
    ...request,
    template: typeof template === 'string' ? `${found.id}@${found.version}` : template,
    ...givenChoice(found.choice ?? {}),
  };
  const asked = recordOfRender(found, request);
  const wanted = { kind: 'render', output, request: pinned, needsBrowser: needsBrowser(checked) } as const;
  return { ...wanted, webhookUrl, asked, diagnostics, ...givenChoice(choice ?? {}) };
}

// Writes the request of a job as JSON without holding the answering thread: a list of many thousand rows, which is text
// in a request (server/http/middleware/body.ts), is escaped piece by piece.

/** Requests above this weight, in characters, are written in pieces: of 3 MB, JSON takes 20 ms. */
const LIGHT = 500_000;
/** Characters that are escaped in one turn of the event loop. */
const PIECE = 2 ** 18;

/** The request as JSON; null for one that is light enough to be written at once. */
export async function requestText(request: unknown): Promise<string | null> {
  if (isLighter(request, LIGHT)) return null;
  const long: string[] = [];
  // What no request has, as it is new.
  const mark = crypto.randomUUID();
  const whole = JSON.stringify(request, (_, value: unknown) => {
    if (typeof value !== 'string' || value.length < PIECE) return value;
    long.push(value);
    return mark;
  });
  const parts = whole.split(`"${mark}"`);
  let text = parts[0] ?? '';
  for (const [index, value] of long.entries()) {
    text += '"';
    for (let at = 0; at < value.length; at += PIECE) {
      text += JSON.stringify(value.slice(at, at + PIECE)).slice(1, -1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    text += `"${parts[index + 1] ?? ''}`;
  }
  return text;
}
