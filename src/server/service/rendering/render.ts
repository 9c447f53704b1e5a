// One render from end to end: the file to read first.
//
// template → job → bytes → asset. The step from job to bytes is in draw/renderer/local-renderer.ts, on a worker thread; this
// file keeps the promises about it.

import { withDeadline } from '#base/concurrency/deadline.ts';
import type { Gate } from '#base/concurrency/gate.ts';
import type { SingleFlight } from '#base/concurrency/single-flight.ts';
import { step } from '#base/trace.ts';
import { type Diagnostic, ValidationError } from '#core/diagnostics.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { Purpose } from '#core/resolve/check-parameters.ts';
import type { CheckedAny } from '#core/resolve/resolve-any.ts';
import type { HtmlPage } from '#core/resolve/resolve-html.ts';
import { OWN_PAGE_FIELDS } from '#core/template/html-template.ts';
import { PAGE_FIELD_NAMES } from '#core/template/page-setup.ts';
import type { Choice } from '#design/choice.ts';
import type { ExportOptions, Output } from '#draw/output/formats.ts';
import type { Drawing, Renderer, Subject, Supplies } from '#draw/renderer/renderer.ts';
import { isSlow } from '#draw/renderer/slow-job-isolation.ts';
import { requirePageOutput } from '#server/chromium/page-output.ts';
import type { Caller } from '../accounts/caller.ts';
import { requireTemplate } from '../accounts/key-scope.ts';
import type { Owner } from '../accounts/owner.ts';
import type { Quota } from '../accounts/quota.ts';
import type { Assets, RenderResult } from '../files/assets.ts';
import { nothingMore, type OnCommit } from '../idempotency.ts';
import { isLighter } from '../templates/json-weight.ts';
import { keyOf as keyOfTemplate, type TemplateChecks } from '../templates/template-checks.ts';
import type { FoundTemplate, TemplateLibrary } from '../templates/templates.ts';
import { givenChoice } from './choices.ts';
import { type Metadata, shownMetadata } from './metadata.ts';
import type { RenderRequest } from './render-request.ts';
import { recordOfRender } from './render-request-record.ts';
import { needsBrowser, noBrowser } from './without-browser.ts';

export interface RenderContext extends DrawContext {
  readonly templates: TemplateLibrary;
  readonly quota: Quota;
  readonly assets: Assets;
  /** Drawings in progress: simultaneous equal requests share one drawing, though each has its own id and unit. */
  readonly underWay: SingleFlight<Drawing>;
}

/** The part of the context that drawing needs. */
export interface DrawContext {
  readonly renderer: Renderer;
  /** Fonts and images of the template's owner. */
  readonly supplies: (found: FoundTemplate) => Promise<OwnSupplies>;
  /** Draws the page of an owner's html template in a browser. */
  readonly drawHtml: (
    owner: Owner,
    page: HtmlPage,
    output: Output,
    options: ExportOptions,
    fairnessKey: string,
  ) => Promise<Drawing>;
  /** Limits the renders that hold resources in memory, and queues the others. */
  readonly admission: Gate;
  /** Limits those renders that hold a thread for long, so that they never take all places. */
  readonly slow: Gate;
  /** Deadline of one render, ms. */
  readonly deadline: number;
  /** True where other servers draw what needs a browser. */
  readonly withoutBrowser?: boolean;
}

interface OwnSupplies extends Supplies {
  /** Identifies the owner's own faces; '' when there are none. */
  readonly fontsKey: string;
  /** The ids of the owner's uploads among these sources, as far as they are cached. */
  readonly known: (sources: readonly string[]) => Subject['uploads'];
}

/** A template with modifications that were checked against it. */
export interface FittedTemplate {
  readonly found: FoundTemplate;
  readonly modifications: Modifications;
  readonly checked: CheckedAny;
  /** Key of the round-robin queue: the account, or the account's jobs. */
  readonly fairnessKey: string;
}

/**
 * @param purpose of the values: which rules of the template's parameters apply
 * @throws ValidationError naming the path, when a modification does not fit
 */
export async function fitTemplate(
  checks: TemplateChecks,
  found: FoundTemplate,
  modifications: Modifications,
  purpose: Purpose = 'render',
): Promise<FittedTemplate> {
  const checked = await checks.check(found, modifications, purpose);
  return { found, modifications, checked, fairnessKey: found.accountId };
}

/**
 * Only pages that Chromium draws are printed on sheets, and they are never SVG.
 *
 * @throws ValidationError naming the first field of the request that the template cannot follow
 */
export function checkOutput(
  { page, hasSheets }: Pick<CheckedAny, 'page' | 'hasSheets'>,
  { output, options }: Pick<RenderRequest, 'output' | 'options'>,
): void {
  const { pdf } = options;
  const choice = (['page', 'paged'] as const).find((name) => options[name] !== undefined);
  if (page !== null && choice !== undefined) {
    throw new ValidationError(choice, 'is for templates of layers that have `page`; leave it out for html');
  }
  if (page !== null && output === 'pdf' && pdf?.pageNumbers !== undefined) {
    throw new ValidationError('pdf.pageNumbers', 'is for templates of layers, and html with renderer "platen"');
  }
  if (page?.template.renderer === 'chromium') requirePageOutput(output);
  if (output !== 'pdf' || pdf === undefined || page !== null) return;
  const field = PAGE_FIELD_NAMES.find(
    (name) => pdf[name] !== undefined && !(hasSheets && OWN_PAGE_FIELDS.includes(name)),
  );
  if (field === undefined) return;
  if (hasSheets) {
    const fields = OWN_PAGE_FIELDS.join(', ');
    throw new ValidationError(
      `pdf.${field}`,
      `is for renderer "chromium"; "platen" takes ${fields}, and \`@page\` of the page`,
    );
  }
  throw new ValidationError(
    `pdf.${field}`,
    'is for html templates with renderer "chromium"; the sheets of this one are those of its `page`, or its canvas',
  );
}

/**
 * @throws AppError `no_browser` before anything is reserved, where another server has to draw it
 */
export function requireBrowser({ withoutBrowser }: Pick<DrawContext, 'withoutBrowser'>, checked: CheckedAny): void {
  if (withoutBrowser && needsBrowser(checked)) throw noBrowser();
}

export interface Rendered {
  readonly result: RenderResult;
  /** What was chosen of a design. */
  readonly choice?: Choice;
  /** As it was given. */
  readonly metadata?: Metadata;
  readonly diagnostics: readonly Diagnostic[];
  /** The file, where it was asked for. */
  readonly bytes?: Uint8Array;
}

/**
 * Renders a template, stored or sent with the request, and stores the result. A failure costs no quota and leaves no asset.
 *
 * @param keepsBytes whether the file is returned as well
 */
export async function render(
  ctx: RenderContext,
  caller: Caller,
  request: RenderRequest,
  onCommit: OnCommit<Rendered> = nothingMore,
  keepsBytes = false,
): Promise<Rendered> {
  requireTemplate(caller, request.template);
  const { accountId, asOf } = caller;
  const found = await step('find', () => ctx.templates.open(accountId, request.template, request.choice, asOf));
  const fitted = await step('check', () => fitTemplate(ctx.templates.checks, found, request.modifications));
  checkOutput(fitted.checked, request);

  requireBrowser(ctx, fitted.checked);

  const asset = { ...ctx.assets.begin(accountId, request.output), asked: recordOfRender(found, request) };
  await using ticket = await step('reserve', () => ctx.quota.reserve(caller, asset.id));

  const store = async (drawing: Drawing) => {
    const { diagnostics } = drawing;
    const { choice = {} } = request;
    const told = { ...givenChoice(choice), ...shownMetadata(asset.asked.metadata) };
    const rendered = { result: ctx.assets.result(asset), diagnostics, ...told };
    await step('store', () => ctx.assets.save(asset, drawing, ticket, rendered, onCommit));
    return keepsBytes ? { ...rendered, bytes: drawing.bytes } : rendered;
  };
  const wanted = caller.kind === 'test' ? withWatermark(request) : request;
  const make = () => draw(ctx, fitted, wanted.output, wanted.options);
  const key = keyOf(fitted, wanted);
  // Awaited here, as the ticket is disposed of on return.
  if (key === null) return await make().then(store);
  return await (keepsBytes ? ctx.underWay.run(key, make).then(store) : ctx.underWay.use(key, make, store));
}

/** The request of a test key: whatever is drawn for it is marked, so that nobody lives on files that cost nothing. */
export const withWatermark = (request: RenderRequest): RenderRequest => ({
  ...request,
  options: { ...request.options, watermark: true },
});

/** The round-robin key for an account's jobs, separate from that of its requests. */
export const fairnessKeyOfJobs = (accountId: string) => `jobs of ${accountId}`;

/** Draws a render's bytes; the caller stores and counts them. @throws what `render` throws, except for quota errors */
export async function drawRequest(ctx: RenderContext, accountId: string, request: RenderRequest): Promise<Drawing> {
  const found = await step('find', () => ctx.templates.open(accountId, request.template, request.choice));
  const fitted = await step('check', () => fitTemplate(ctx.templates.checks, found, request.modifications));
  // With a key of its own, a job that has started does not wait behind the account's requests.
  const asJob = { ...fitted, fairnessKey: fairnessKeyOfJobs(accountId) };
  const make = () => draw(ctx, asJob, request.output, request.options);
  const key = keyOf(fitted, request);
  return key === null ? make() : ctx.underWay.run(key, make);
}

/**
 * Modifications above this weight, in characters, are not compared with others': serialising 3 MiB as a key takes 12
 * ms.
 */
const COMPARED = 200_000;

/** Everything that determines a drawing; null when it is too much to be compared. */
function keyOf(
  { found, modifications }: FittedTemplate,
  { output, options }: Pick<RenderRequest, 'output' | 'options'>,
): string | null {
  if (!isLighter(modifications, COMPARED)) return null;
  return JSON.stringify([found.accountId, keyOfTemplate(found), output, options, modifications]);
}

/** Draws a file's bytes: shared by renders, previews and signed URLs. @throws what `Renderer.draw` throws */
export async function draw(
  ctx: DrawContext,
  fitted: FittedTemplate,
  output: Output,
  options: ExportOptions,
): Promise<Drawing> {
  const { found, checked, fairnessKey } = fitted;
  requireBrowser(ctx, checked);
  if (checked.page) return ctx.drawHtml(found, checked.page, output, options, fairnessKey);
  const drawing = await supplied(ctx, fitted, (subject, supplies, signal) =>
    ctx.renderer.draw({ ...subject, output, options }, supplies, signal),
  );
  const odd = oddities(fitted);
  return odd.length === 0 ? drawing : { ...drawing, diagnostics: [...odd, ...drawing.diagnostics] };
}

/** What is odd about a design; not of layers that the request sets itself. */
export const oddities = ({ found, modifications }: FittedTemplate): readonly Diagnostic[] =>
  (found.diagnostics ?? []).filter(({ layer }) => layer === null || !Object.hasOwn(modifications, layer));

/** Runs `make` for a template with its owner's supplies, within the deadline. */
export function supplied<T>(
  ctx: DrawContext,
  { found, modifications, checked, fairnessKey }: FittedTemplate,
  make: (subject: Subject, supplies: Supplies, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { time, heaviest = null } = checked;
  requireBrowser(ctx, checked);
  const admitted: Gate['pass'] = (signal, work) =>
    isSlow({ time })
      ? ctx.slow.pass(signal, () => ctx.admission.pass(signal, work, fairnessKey), fairnessKey)
      : ctx.admission.pass(signal, work, fairnessKey);
  return withDeadline(ctx.deadline, (signal) =>
    admitted(signal, async () => {
      const supplies = await ctx.supplies(found);
      const subject: Subject = {
        fairnessKey,
        template: keyOfTemplate(found),
        fonts: supplies.fontsKey,
        modifications,
        time,
        heaviest,
        uploads: supplies.known(checked.sources),
      };
      return make(subject, supplies, signal);
    }),
  );
}
